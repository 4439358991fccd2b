import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { describe, expect, test } from 'vitest'

import type { BinnedPlaybook } from '#contract/playbooks/schema.ts'
import { answer, pageReloads } from '#tests/support/client.tsx'
import { GRACE, hearing, ME, minutesAgo, refused, uuid } from '#tests/support/client-incidents.ts'
import {
  aDraft,
  aPlaybook,
  aStep,
  drafted,
  NEVER_USED,
  playbooksPage,
  preparePlaybooks,
  servePlaybooks,
} from '#tests/support/client-playbooks.ts'

preparePlaybooks()

const fire = aPlaybook(1, { name: 'Fire', version: 3 })
const PATH = `/playbooks/${fire.id}`
const configured = (config: object) =>
  answer('get', '/config', { playbookMaxTemplates: 50, maxActivitiesPerPlaybook: 150, ...config })
const press = async (
  user: ReturnType<typeof playbooksPage>,
  name: string | RegExp,
  part: Pick<typeof screen, 'findByRole'> = screen,
) => user.click(await part.findByRole('button', { name }))
const choose = async (user: ReturnType<typeof playbooksPage>, menu: string, item: string) => {
  await press(user, menu)
  await user.click(await screen.findByRole('menuitem', { name: item }))
}
const inDialog = async () => within(await screen.findByRole('dialog'))
const paged = (rows: readonly object[]) =>
  HttpResponse.json(rows, { headers: { 'Content-Range': `items 0-${rows.length - 1}/${rows.length}` } })

describe('the editor', () => {
  test('saves a draft instead of publishing, and the specification’s Save still publishes', async () => {
    const { created } = servePlaybooks()
    const user = playbooksPage('/playbooks?new=1')
    await user.type(await screen.findByRole('textbox', { name: /^Playbook name/ }), 'Flood')
    await press(user, 'Add heading')
    await user.type(await screen.findByRole('textbox', { name: 'Title of the heading' }), 'At once')
    await press(user, 'Other ways to save')
    await user.click(await screen.findByRole('menuitem', { name: /^Save as draft/ }))
    expect(await screen.findByText('Saved draft.')).toBeVisible()
    expect(created.bodies).toMatchObject([{ name: 'Flood', asDraft: true }])
    expect(screen.queryByText('Created playbook.')).toBeNull()
  })

  test('continues the draft, and names the one that it saves', async () => {
    const draft = aDraft(fire, 'DRAFT', {
      content: { ...fire, name: 'Fire and smoke', activities: [aStep(1, { title: 'Close the doors' })] },
    })
    const { updated } = servePlaybooks(drafted(fire, draft))
    answer('get', '/playbook/template/:id/draft', draft)
    const user = playbooksPage(`${PATH}?edit=1`)
    expect(await screen.findByRole('textbox', { name: /^Playbook name/ })).toHaveValue('Fire and smoke')
    expect(screen.getByRole('button', { name: 'Edit “Close the doors”' })).toBeVisible()
    await press(user, 'Save')
    await waitFor(() =>
      expect(updated.bodies).toMatchObject([
        { name: 'Fire and smoke', version: 3, draftRevision: draft.revision, asDraft: false },
      ]),
    )
  })

  test('says where a save asks for approval', async () => {
    configured({ playbookApproval: true })
    servePlaybooks(fire)
    hearing('put', '/playbook/template/:id', () => drafted(fire, aDraft(fire, 'WAITING')))
    answer('get', '/playbook/template/:id/draft', aDraft(fire, 'WAITING'))
    const user = playbooksPage(`${PATH}?edit=1`)
    await press(user, 'Save and ask for approval')
    expect(await screen.findByText('Sent for approval.')).toBeVisible()
    expect(screen.queryByText('Saved changes.')).toBeNull()
  })

  test('keeps what was typed where somebody else saved the draft, and shows their changes first', async () => {
    const theirs = aDraft(fire, 'DRAFT', { content: { ...fire, name: 'Fire in the hall' } })
    const { state } = servePlaybooks(fire)
    answer('get', '/playbook/template/:id/draft', theirs)
    let answers = 0
    const updated = hearing('put', '/playbook/template/:id', () => {
      answers += 1
      if (answers > 1) return drafted(fire, theirs)
      state.playbooks = [drafted(fire, theirs)]
      return refused(409, 'Meanwhile.', { code: 'draft' })
    })
    const user = playbooksPage(`${PATH}?edit=1`)
    await user.type(await screen.findByRole('textbox', { name: /^Playbook name/ }), '!')
    await press(user, 'Other ways to save')
    await user.click(await screen.findByRole('menuitem', { name: /^Save as draft/ }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Somebody else saved this playbook' }))
    expect(await dialog.findByText(/in the hall/)).toBeVisible()
    await press(user, 'Save mine over it', dialog)
    await waitFor(() =>
      expect(updated.bodies.at(-1)).toMatchObject({
        name: 'Fire!',
        draftRevision: theirs.revision,
        asDraft: true,
      }),
    )
  })
})

describe('a draft', () => {
  const changed = aDraft(fire, 'DRAFT', { content: { ...fire, name: 'Fire and smoke' } })

  test('stands above its playbook with its changes, and is published after a question', async () => {
    const { state } = servePlaybooks(drafted(fire, changed))
    answer('get', '/playbook/template/:id/draft', changed)
    const published = hearing('post', '/playbook/template/:id/draft/publish', () => {
      state.playbooks = [{ ...fire, name: 'Fire and smoke', version: 4 }]
      return state.playbooks[0]!
    })
    const user = playbooksPage(PATH)
    const panel = within(await screen.findByRole('group', { name: 'Draft, not published' }))
    expect(await panel.findByText(/^Saved by Grace Hopper/)).toBeVisible()
    await user.click(panel.getByRole('button', { name: 'See what changed' }))
    expect(await panel.findByText('and smoke', { exact: false })).toBeVisible()
    await user.click(panel.getByRole('button', { name: 'Publish' }))
    await user.click((await inDialog()).getByRole('button', { name: 'Publish' }))
    expect(await screen.findByText('Published.')).toBeVisible()
    expect(published.bodies).toEqual([{ revision: changed.revision, version: 3 }])
    await waitFor(() => expect(screen.queryByRole('group', { name: 'Draft, not published' })).toBeNull())
  })

  test('warns where the playbook was saved since it was begun', async () => {
    const behind = { ...changed, baseVersion: 2 }
    servePlaybooks(drafted(fire, behind))
    answer('get', '/playbook/template/:id/draft', behind)
    playbooksPage(PATH)
    expect(await screen.findByText(/saved after the draft was begun/)).toBeVisible()
  })

  test('that waits is approved or sent back with a reason, by others than its authors', async () => {
    configured({ playbookApproval: true })
    const waiting = aDraft(fire, 'WAITING')
    servePlaybooks(drafted(fire, waiting))
    answer('get', '/playbook/template/:id/draft', waiting)
    const returned = hearing('post', '/playbook/template/:id/draft/return', () =>
      drafted(fire, { ...waiting, state: 'RETURNED' }),
    )
    const user = playbooksPage(PATH)
    const panel = within(await screen.findByRole('group', { name: 'Waiting for approval' }))
    expect(await panel.findByRole('button', { name: 'Approve and publish' })).toBeEnabled()
    await user.click(panel.getByRole('button', { name: 'Send back' }))
    const dialog = await inDialog()
    expect(dialog.getByRole('button', { name: 'Send back' })).toBeDisabled()
    await user.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'Which door?')
    await user.click(dialog.getByRole('button', { name: 'Send back' }))
    expect(await screen.findByText('Sent back.')).toBeVisible()
    expect(returned.bodies).toEqual([{ revision: waiting.revision, reason: 'Which door?' }])
  })

  test('is not approved by an author, who reads why it was sent back and asks again', async () => {
    configured({ playbookApproval: true })
    const own = aDraft(fire, 'WAITING', { isOwn: true, savedBy: ME.email })
    const { state, updated } = servePlaybooks(drafted(fire, own))
    answer('get', '/playbook/template/:id/draft', own)
    playbooksPage(PATH)
    expect(await screen.findByText('Somebody who did not write it has to approve it.')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Approve and publish' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Publish' })).toBeNull()
    await pageReloads()

    const back = { ...own, state: 'RETURNED', returnedBy: GRACE.email, returnReason: 'Which door?' } as const
    state.playbooks = [drafted(fire, back)]
    answer('get', '/playbook/template/:id/draft', back)
    const user = playbooksPage(PATH)
    expect(await screen.findByText('Which door?')).toBeVisible()
    await press(user, 'Ask for approval')
    await waitFor(() =>
      expect(updated.bodies).toMatchObject([{ draftRevision: back.revision, version: 3, name: 'Fire' }]),
    )
  })

  test('of a new playbook offers no export and no incident', async () => {
    const draft = aDraft({ ...fire, version: 0 }, 'DRAFT')
    servePlaybooks({ ...drafted(fire, draft), isPublished: false, version: 0 })
    answer('get', '/playbook/template/:id/draft', draft)
    const user = playbooksPage(PATH)
    expect(await screen.findByText(/^Not published yet/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Start' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Discard draft' })).toBeNull()
    await press(user, 'More')
    expect(screen.queryByRole('menuitem', { name: 'Export PDF' })).toBeNull()
    expect(screen.getByRole('menuitem', { name: 'Archive' })).toBeVisible()
  })
})

describe('the list', () => {
  test('has unpublished playbooks first for people who write playbooks, and finds what waits, is unused or archived', async () => {
    const waiting = { ...drafted(fire, aDraft(fire, 'WAITING')), isPublished: false }
    const old = aPlaybook(2, { name: 'Old', archiveTimestamp: minutesAgo(9_000) })
    const used = aPlaybook(3, { name: 'Used', usesCount: 1, lastUsedTimestamp: minutesAgo(570) })
    const { listed } = servePlaybooks(waiting, old, used)
    const user = playbooksPage()
    const inList = within(await screen.findByRole('navigation', { name: 'Playbooks' }))
    const unpublished = within(await screen.findByRole('region', { name: 'Not published' }))
    expect(unpublished.getByRole('link', { name: /^Fire/ })).toHaveTextContent('Waiting for approval')
    expect(inList.queryByRole('link', { name: /^Old/ })).toBeNull()
    const pick = async (item: string) => {
      await press(user, 'Filter and sort')
      await user.click(await screen.findByRole('menuitemradio', { name: item }))
    }
    await pick('Archived')
    expect(await inList.findByRole('link', { name: /^Old/ })).toBeVisible()
    expect(inList.queryByRole('link', { name: /^Fire/ })).toBeNull()
    await pick('Waiting for approval')
    expect(await inList.findByRole('link', { name: /^Fire/ })).toBeVisible()
    expect(inList.queryByRole('link', { name: /^Old/ })).toBeNull()
    await pick('Never used')
    expect(await screen.findByText('No such playbooks.')).toBeVisible()
    expect(inList.queryByRole('link', { name: /^Used/ })).toBeNull()
    await pick('All playbooks')
    await pick('Last used')
    expect(await inList.findByRole('link', { name: /^Used/ })).toHaveAccessibleDescription(
      /Used once, 9 hr\. ago$/,
    )
    expect(listed.urls.at(-1)!.searchParams.get('sort')).toBe('["lastUsedTimestamp","DESC"]')
  })

  test('has no drafts for readers', async () => {
    const { listed } = servePlaybooks(fire)
    const user = playbooksPage('/playbooks', 'USER')
    await press(user, 'Filter and sort')
    expect(await screen.findByRole('menuitemradio', { name: 'Archived' })).toBeVisible()
    expect(screen.queryByRole('menuitemradio', { name: 'Waiting for approval' })).toBeNull()
    expect(listed.urls.map(String).join()).not.toContain('NEW')
  })
})

describe('the archive', () => {
  test('takes a playbook, and its toast brings it back', async () => {
    const { state } = servePlaybooks(fire)
    const answers = (archiveTimestamp: string | null) => () => {
      state.playbooks = [{ ...fire, archiveTimestamp }]
      return state.playbooks[0]!
    }
    hearing('post', '/playbook/template/:id/archive', answers(minutesAgo(0)))
    const back = hearing('delete', '/playbook/template/:id/archive', answers(null))
    const user = playbooksPage(PATH)
    await choose(user, 'More', 'Archive')
    expect(await screen.findByText(/^Kept for reference/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Start' })).toBeNull()
    await press(user, 'More')
    expect(screen.getByRole('menuitem', { name: 'Export PDF' })).toBeVisible()
    await user.keyboard('{Escape}')
    await press(user, 'Undo')
    await waitFor(() => expect(back.urls).toHaveLength(1))
    expect(await screen.findByRole('button', { name: 'Edit' })).toBeVisible()
  })
})

describe('the bin', () => {
  const binned: BinnedPlaybook = {
    ...fire,
    deletedBy: GRACE.email,
    deleteTimestamp: minutesAgo(60),
    expireTimestamp: minutesAgo(-60 * 24 * 30),
  }

  test('takes a deleted playbook, and the toast brings it back', async () => {
    servePlaybooks(fire)
    const recovered = hearing('post', '/playbook/bin/:id/recover', () => fire)
    const user = playbooksPage(PATH)
    await choose(user, 'More', 'Delete')
    expect((await inDialog()).getByText(/The bin keeps it for 30 days/)).toBeVisible()
    await user.click((await inDialog()).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('“Fire” was deleted.', { exact: false })).toBeVisible()
    await press(user, 'Undo')
    expect(await screen.findByText('“Fire” is back.')).toBeVisible()
    expect(recovered.urls).toHaveLength(1)
  })

  test('lists what was deleted, restores it, says why it cannot, and deletes for good after a question', async () => {
    servePlaybooks()
    let rows: BinnedPlaybook[] = [binned]
    hearing('get', '/playbook/bin', () => paged(rows))
    hearing('post', '/playbook/bin/:id/recover', () => refused(403, 'Maximum playbooks created.'))
    const purged = hearing('delete', '/playbook/bin/:id', () => {
      rows = []
      return new HttpResponse(null, { status: 204 })
    })
    const user = playbooksPage()
    await press(user, 'Bin')
    expect(await screen.findByText(/Deleted by Grace Hopper/)).toBeVisible()
    await press(user, 'Restore “Fire”')
    expect(await screen.findByText('Maximum playbooks created.')).toBeVisible()
    await press(user, 'Delete “Fire” for good')
    await press(user, 'Delete for good')
    expect(await screen.findByText('“Fire” was deleted for good.')).toBeVisible()
    expect(purged.urls[0]!.pathname).toContain(fire.id)
    expect(await screen.findByText(/^The bin is empty/)).toBeVisible()
  })
})

describe('the use of a playbook', () => {
  test('is told with the last incident and what became of each task', async () => {
    servePlaybooks(fire)
    answer('get', '/playbook/template/:id/use', {
      ...NEVER_USED,
      incidentsCount: 2,
      exercisesCount: 1,
      last: { incidentId: uuid(1), title: 'Smoke in hall 3', isTabletop: false, timestamp: minutesAgo(60) },
    })
    hearing('get', '/playbook/template/:id/use/tasks', () =>
      paged([
        {
          itemId: uuid(2),
          title: 'Count everybody',
          takenCount: 3,
          completedCount: 1,
          openCount: 2,
          deletedCount: 0,
        },
      ]),
    )
    playbooksPage(PATH)
    const part = within(await screen.findByRole('region', { name: 'Use' }))
    expect(await part.findByText('2 incidents, 1 exercise')).toBeVisible()
    expect(part.getByRole('link', { name: 'Smoke in hall 3' })).toHaveAttribute(
      'href',
      `/incidents/${uuid(1)}`,
    )
    expect(await part.findByRole('row', { name: 'Count everybody 3 1 2 0' })).toBeVisible()
  })

  test('is none where nothing has used it', async () => {
    servePlaybooks(fire)
    playbooksPage(PATH)
    const part = within(await screen.findByRole('region', { name: 'Use' }))
    expect(await part.findByText('No incident or exercise has used this playbook.')).toBeVisible()
  })
})
