import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import type { ChildOrganisation } from '#contract/organisations/schema.ts'
import type { PlaybookExport } from '#contract/playbook-exports/schema.ts'
import type { PlaybookShare, ShareResult } from '#contract/playbook-shares/schema.ts'
import { pick } from '#contract/kit/pick.ts'
import type { PlaybookContent, PlaybookTemplate, StarterPlaybook } from '#contract/playbooks/schema.ts'
import { CategoryDialog } from '#src/playbooks/dialogs/CategoryDialog.tsx'
import { ChangeCategoryDialog } from '#src/playbooks/dialogs/ChangeCategoryDialog.tsx'
import { ExportDialog } from '#src/playbooks/dialogs/ExportDialog.tsx'
import { ShareDialog } from '#src/playbooks/dialogs/ShareDialog.tsx'
import { StartersDialog } from '#src/playbooks/dialogs/StartersDialog.tsx'
import { VersionsDialog } from '#src/playbooks/dialogs/VersionsDialog.tsx'
import { answer, API, aProblem, server, signedIn } from '#tests/support/client.tsx'
import { onAPhone, receive, savedFiles, serveList } from '#tests/support/client-lists.ts'
import {
  aCategory,
  anItem,
  aSummary,
  aTemplate,
  expectAccessible,
  openDialog,
  serveCategories,
} from '#tests/support/client-playbook-dialogs.tsx'

const cyber = aCategory('Cyber')
beforeEach(() => {
  signedIn()
  serveCategories(cyber)
})
const theDialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }))
const gone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

describe('the dialog of a category', () => {
  const create = () => openDialog((props) => <CategoryDialog {...props} category={null} />)

  test('makes one with a trimmed name of at least three characters', async () => {
    const bodies = receive('post', '/playbook/category', () => ({ ...cyber }))
    const user = create()
    const dialog = await theDialog('Create Category')
    await expectAccessible()
    await user.type(dialog.getByLabelText('Name'), ' ab ')
    await user.click(dialog.getByRole('button', { name: 'Create' }))
    expect(await dialog.findByText('The category name must have at least 3 characters.')).toBeVisible()
    expect(bodies).toEqual([])
    await user.type(dialog.getByLabelText('Name'), 'c ')
    await user.click(dialog.getByRole('button', { name: 'Create' }))
    await gone()
    expect(bodies).toEqual([{ name: 'ab c' }])
  })

  test('says at the field that a name is in use, and keeps what was typed', async () => {
    const message = 'This category name is already in use.'
    answer('post', '/playbook/category', { ...aProblem(message), fields: { name: message } }, 409)
    const user = create()
    const dialog = await theDialog('Create Category')
    await user.type(dialog.getByLabelText('Name'), 'cyber')
    await user.click(dialog.getByRole('button', { name: 'Create' }))
    expect(await dialog.findByText(message)).toBeVisible()
    expect(dialog.getByLabelText('Name')).toHaveValue('cyber')
    expect(dialog.getByLabelText('Name')).toBeInvalid()
  })

  test('renames one, and takes in what somebody else changed meanwhile', async () => {
    const sent: unknown[] = []
    server.use(
      http.put(`${API}/playbook/category/${cyber.id}`, async ({ request }) => {
        const body = (await request.json()) as { version: number }
        sent.push(body)
        return body.version === 1
          ? HttpResponse.json(aProblem('Somebody else changed it.', 'stale'), { status: 409 })
          : HttpResponse.json({ ...cyber, version: 3 })
      }),
    )
    const user = openDialog((props) => <CategoryDialog {...props} category={cyber} />)
    const dialog = await theDialog('Edit Category')
    serveCategories({ ...cyber, name: 'Cyber attacks', version: 2 })
    await user.type(dialog.getByLabelText('Name'), ' incidents')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await dialog.findByText('Changed meanwhile to: Cyber attacks')).toBeVisible()
    expect(dialog.getByLabelText('Name')).toHaveValue('Cyber incidents')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await gone()
    expect(sent).toEqual([
      { name: 'Cyber incidents', version: 1 },
      { name: 'Cyber incidents', version: 2 },
    ])
    expect(await screen.findByText('Saved changes.')).toBeVisible()
  })

  test('asks before a typed name is lost', async () => {
    const user = create()
    const dialog = await theDialog('Create Category')
    await user.type(dialog.getByLabelText('Name'), 'Flood')
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    const question = await theDialog('Discard changes?')
    await user.click(question.getByRole('button', { name: 'Keep editing' }))
    expect(dialog.getByLabelText('Name')).toHaveValue('Flood')
  })
})

describe('the dialog that moves a playbook', () => {
  const playbook = aSummary('Ransomware', { categoryId: cyber.id, version: 4 })

  test('moves it to Uncategorized, also after somebody else changed it', async () => {
    const sent: unknown[] = []
    server.use(
      http.patch(`${API}/playbook/template/${playbook.id}/category`, async ({ request }) => {
        const body = (await request.json()) as { version: number }
        sent.push(body)
        return body.version === 4
          ? HttpResponse.json(aProblem('Somebody else changed it.', 'stale'), { status: 409 })
          : HttpResponse.json({ ...playbook, categoryId: null, activities: [], people: [] })
      }),
    )
    answer('get', `/playbook/template/${playbook.id}`, {
      ...playbook,
      version: 5,
      activities: [],
      people: [],
    })
    const user = openDialog((props) => <ChangeCategoryDialog {...props} playbook={playbook} />)
    const dialog = await theDialog('Change Category for Playbook')
    await user.click(await dialog.findByRole('combobox', { name: 'Category' }))
    await expectAccessible()
    await user.click(await screen.findByRole('option', { name: 'Uncategorized' }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await dialog.findByText(/^Somebody else changed it\. Check it, then save again\.$/)).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await gone()
    expect(sent).toEqual([
      { categoryId: null, version: 4 },
      { categoryId: null, version: 5 },
    ])
  })
})

const playbooks = [
  aSummary('Data breach', { categoryId: cyber.id }),
  aSummary('Ransomware', { categoryId: cyber.id }),
  aSummary('Flood'),
]
const [breach, ransomware, flood] = playbooks.map(({ id }) => id) as [string, string, string]
const rowsOf = (dialog: Pick<typeof screen, 'getByRole'>) =>
  within(dialog.getByRole('list', { name: 'Playbooks' }))
    .getAllByRole('checkbox')
    .map((box) => (box as HTMLInputElement).labels?.[0]?.textContent)

describe('the export', () => {
  const opened = async () => {
    const user = openDialog((props) => <ExportDialog {...props} />)
    const dialog = await theDialog('Export Playbooks')
    await dialog.findByRole('list', { name: 'Playbooks' })
    return { user, dialog }
  }
  const serveArchive = (respond: (query: URLSearchParams) => Response | Promise<Response>) =>
    server.use(
      http.get(`${API}/playbook/templates/archived`, ({ request }) =>
        respond(new URL(request.url).searchParams),
      ),
    )
  const aFile = (name: string) =>
    new HttpResponse('content', { headers: { 'Content-Disposition': `attachment; filename="${name}"` } })

  test('needs a playbook, filters by category, and saves under the name of the server', async () => {
    const files = savedFiles()
    const asked = serveList('/playbook/templates', () => playbooks)
    const queries: string[] = []
    const { promise, resolve } = Promise.withResolvers<Response>()
    serveArchive((query) => {
      queries.push(`${query.get('type')} ${query.get('ids')}`)
      return promise
    })
    const { user, dialog } = await opened()
    await expectAccessible()
    expect(dialog.getByRole('button', { name: 'Export' })).toBeDisabled()
    await user.click(dialog.getByRole('combobox', { name: 'Category' }))
    expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toEqual([
      'All',
      'Cyber',
      'Uncategorized',
    ])
    await user.click(screen.getByRole('option', { name: 'Cyber' }))
    await waitFor(() => expect(rowsOf(dialog)).toHaveLength(2))
    await user.click(dialog.getByRole('checkbox', { name: /Ransomware/ }))
    await user.click(dialog.getByRole('combobox', { name: 'Category' }))
    await user.click(await screen.findByRole('option', { name: 'Uncategorized' }))
    await user.click(await dialog.findByRole('checkbox', { name: /Flood/ }))
    expect(dialog.getByText('2 selected')).toBeVisible()
    expect(asked.map(({ filter }) => filter)).toContainEqual({ categoryId: null })
    await user.click(dialog.getByRole('radio', { name: 'DOCX' }))
    await user.click(dialog.getByRole('button', { name: 'Export' }))
    expect(await dialog.findByRole('progressbar', { name: 'Progress of the export' })).toBeVisible()
    resolve(aFile('Playbooks_Export_03-01-2026_09-00-00.zip'))
    await waitFor(() =>
      expect(files.map(({ name }) => name)).toEqual(['Playbooks_Export_03-01-2026_09-00-00.zip']),
    )
    expect(queries).toEqual([`DOCX ${ransomware},${flood}`])
  })

  test('says what failed with its status', async () => {
    serveList('/playbook/templates', () => playbooks)
    serveArchive(() => HttpResponse.json({}, { status: 500 }))
    const { user, dialog } = await opened()
    await user.click(dialog.getByRole('checkbox', { name: /Flood/ }))
    await user.click(dialog.getByRole('button', { name: 'Export' }))
    expect(await dialog.findByText('An unexpected error occurred. [500].')).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Export' })).toBeEnabled()
  })

  test('of all that are found is a job that goes on while the dialog is closed', async () => {
    const files = savedFiles()
    const many = Array.from({ length: 1_200 }, (_, n) => aSummary(`Playbook ${n}`))
    const asked = serveList('/playbook/templates', () => many)
    const job: PlaybookExport = {
      id: crypto.randomUUID(),
      state: 'MAKING',
      progress: 10,
      createTimestamp: '2026-03-01T09:00:00.000Z',
      expireTimestamp: '2026-03-02T09:00:00.000Z',
    }
    const bodies = receive('post', '/playbook/exports', () => ({ ...job }))
    answer('get', `/playbook/exports/${job.id}`, { ...job, progress: 40 })
    server.use(http.get(`${API}/playbook/exports/${job.id}/file`, () => aFile('Playbooks_Export.zip')))
    const { user, dialog } = await opened()
    await user.click(dialog.getByRole('button', { name: 'Select All 1,200' }))
    expect(await dialog.findByText('1200 selected')).toBeVisible()
    expect(rowsOf(dialog)).toHaveLength(25)
    expect(asked.map(({ range }) => range)).toEqual(
      expect.arrayContaining([
        [0, 999],
        [1000, 1999],
      ]),
    )
    await user.click(dialog.getByRole('radio', { name: 'Markdown' }))
    await user.click(dialog.getByRole('button', { name: 'Export' }))
    const running = await theDialog('Export Playbooks')
    const bar = await running.findByRole('progressbar', { name: 'Progress of the export' })
    await waitFor(() => expect(bar).toHaveAttribute('aria-valuenow', '40'))
    expect(bodies[0]).toMatchObject({ type: 'MARKDOWN' })
    expect(bodies[0]?.['ids']).toHaveLength(1_200)
    await user.click(running.getByRole('button', { name: 'Close' }))
    expect(
      await screen.findByText('The export goes on. Open Export Playbooks again to download it.'),
    ).toBeVisible()
    answer('get', `/playbook/exports/${job.id}`, { ...job, state: 'READY', progress: 100 })
    expect(
      await screen.findByText('The export is ready. Open Export Playbooks to download it.'),
    ).toBeVisible()
    expect(files).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Open again' }))
    const again = await theDialog('Export Playbooks')
    await user.click(await again.findByRole('button', { name: 'Download' }))
    await waitFor(() => expect(files.map(({ name }) => name)).toEqual(['Playbooks_Export.zip']))
  })

  test('of one playbook as Markdown is its source', async () => {
    const files = savedFiles()
    serveList('/playbook/templates', () => playbooks)
    server.use(http.get(`${API}/playbook/template/source/${breach}`, () => aFile('Data breach.md')))
    const { user, dialog } = await opened()
    await user.click(dialog.getByRole('checkbox', { name: /Data breach/ }))
    await user.click(dialog.getByRole('radio', { name: 'Markdown' }))
    await user.click(dialog.getByRole('button', { name: 'Export' }))
    await waitFor(() => expect(files.map(({ name }) => name)).toEqual(['Data breach.md']))
  })
})

describe('sharing', () => {
  const aChild = (displayName: string, changes: Partial<ChildOrganisation> = {}): ChildOrganisation => ({
    enterpriseId: crypto.randomUUID(),
    enterpriseCode: displayName.toLowerCase(),
    displayName,
    maxTemplates: 10,
    currentTemplates: 4,
    playbookEnabled: true,
    ...changes,
  })
  const east = aChild('East')
  const west = aChild('West', { currentTemplates: 9 })
  const off = aChild('North', { playbookEnabled: false })
  const aResult = (playbook: string, child: ChildOrganisation, changes: Partial<ShareResult> = {}) => ({
    playbookId: playbook,
    playbookName: playbooks.find(({ id }) => id === playbook)!.name,
    enterpriseId: child.enterpriseId,
    enterpriseName: child.displayName,
    outcome: 'SHARED' as const,
    message: null,
    ...changes,
  })
  const aShare = (changes: Partial<PlaybookShare>): PlaybookShare => ({
    id: '6a1f7b57-9d7e-4c39-8a3c-6f6f1f3b0c11',
    state: 'DONE',
    progress: 100,
    createTimestamp: '2026-03-01T09:00:00.000Z',
    results: [],
    ...changes,
  })
  const opened = async () => {
    serveList('/playbook/templates', () => playbooks)
    answer('get', '/crossEnterprises/enterprises', [east, west, off])
    const user = openDialog((props) => <ShareDialog {...props} />)
    const dialog = await theDialog('Share Playbooks')
    await dialog.findByRole('list', { name: 'Playbooks' })
    await dialog.findByRole('list', { name: 'Organizations' })
    return { user, dialog }
  }

  test('needs playbooks and organizations, and shows how many each can receive', async () => {
    const { user, dialog } = await opened()
    await expectAccessible()
    const share = dialog.getByRole('button', { name: 'Share' })
    expect(dialog.getByRole('checkbox', { name: 'East' })).toHaveAccessibleDescription('6 left')
    expect(dialog.getByRole('checkbox', { name: 'North' })).toBeDisabled()
    expect(dialog.getByRole('checkbox', { name: 'North' })).toHaveAccessibleDescription('Playbooks are off')
    expect(share).toBeDisabled()
    await user.click(dialog.getByRole('checkbox', { name: /Flood/ }))
    expect(share).toBeDisabled()
    await user.click(dialog.getByRole('checkbox', { name: 'East' }))
    expect(share).toBeEnabled()
    await user.click(dialog.getByRole('checkbox', { name: /Flood/ }))
    expect(share).toBeDisabled()
  })

  test('says before sending which organization cannot receive so many', async () => {
    const { user, dialog } = await opened()
    await user.click(dialog.getByRole('checkbox', { name: /Flood/ }))
    await user.click(dialog.getByRole('checkbox', { name: 'West' }))
    expect(dialog.getByRole('button', { name: 'Share' })).toBeEnabled()
    await user.click(dialog.getByRole('checkbox', { name: /Ransomware/ }))
    expect(dialog.getByText('The West organization cannot receive 2 playbooks.')).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Share' })).toBeDisabled()
  })

  test('shows the result of each playbook and organization, failures first', async () => {
    const { user, dialog } = await opened()
    const bodies = receive('post', '/crossEnterprises/playbook/share', () => ({
      ...aShare({
        state: 'FAILED',
        results: [
          aResult(breach, east),
          aResult(flood, east, { outcome: 'FAILED', message: 'A file could not be copied.' }),
        ],
      }),
    }))
    await user.click(dialog.getByRole('checkbox', { name: /Data breach/ }))
    await user.click(dialog.getByRole('checkbox', { name: /Flood/ }))
    await user.click(dialog.getByRole('checkbox', { name: 'East' }))
    await user.click(dialog.getByRole('button', { name: 'Share' }))
    const results = await screen.findByRole('list', { name: 'Results' })
    const rows = within(results)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
    expect(rows).toEqual(['FailedFlood → EastA file could not be copied.', 'SharedData breach → East'])
    expect(screen.getAllByText('Some errors occurred while sharing playbooks.')).not.toHaveLength(0)
    expect(bodies).toEqual([{ playbookIds: [breach, flood], childEnterpriseIds: [east.enterpriseId] }])
    await expectAccessible()
  })

  test('says that it failed where the server refuses it, and keeps what was chosen', async () => {
    const { user, dialog } = await opened()
    const message = 'The East organization cannot receive 1 playbooks.'
    answer('post', '/crossEnterprises/playbook/share', aProblem(message), 409)
    await user.click(dialog.getByRole('checkbox', { name: /Flood/ }))
    await user.click(dialog.getByRole('checkbox', { name: 'East' }))
    await user.click(dialog.getByRole('button', { name: 'Share' }))
    expect(await screen.findByText('Some errors occurred while sharing playbooks.')).toBeVisible()
    expect(await dialog.findByText(message)).toBeVisible()
    expect(dialog.getByRole('checkbox', { name: /Flood/ })).toBeChecked()
  })

  test('of many shows how far it is, and its end in a toast', async () => {
    const { user, dialog } = await opened()
    const running = aShare({
      state: 'SHARING',
      progress: 20,
      results: [aResult(flood, east, { outcome: 'WAITING' })],
    })
    receive('post', '/crossEnterprises/playbook/share', () => ({ ...running }))
    answer('get', `/crossEnterprises/playbook/shares/${running.id}`, { ...running, progress: 60 })
    await user.click(dialog.getByRole('checkbox', { name: /Flood/ }))
    await user.click(dialog.getByRole('checkbox', { name: 'East' }))
    await user.click(dialog.getByRole('button', { name: 'Share' }))
    const bar = await screen.findByRole('progressbar', { name: 'Progress of the sharing' })
    await waitFor(() => expect(bar).toHaveAttribute('aria-valuenow', '60'))
    answer('get', `/crossEnterprises/playbook/shares/${running.id}`, {
      ...aShare({ id: running.id, results: [aResult(flood, east)] }),
    })
    expect(await screen.findByText('Shared playbooks.')).toBeVisible()
    expect(screen.getByText('1 of 1 copies were made.')).toBeVisible()
  })
})

describe('the starter library', () => {
  const starter: StarterPlaybook = {
    id: 'ransomware',
    name: 'Ransomware',
    purpose: 'When files are encrypted.',
    description: 'Files are encrypted.',
    activities: [
      { ...anItem('First hour', { type: 'HEADING', description: '' }) },
      { ...anItem('Disconnect the network') },
    ],
  }
  test('shows what each holds, and hands over the chosen one', async () => {
    answer('get', '/playbook/starters', [starter])
    const onChoose = vi.fn()
    const user = openDialog((props) => <StartersDialog {...props} onChoose={onChoose} />)
    const dialog = await theDialog('Starter Library')
    expect(await dialog.findByText('When files are encrypted.')).toBeVisible()
    expect(dialog.getByText('1 heading · 1 task')).toBeVisible()
    expect(dialog.queryByText('Disconnect the network')).toBeNull()
    await user.click(dialog.getByRole('button', { name: 'Contents of Ransomware' }))
    expect(await dialog.findByText('Disconnect the network')).toBeVisible()
    await expectAccessible()
    await user.click(dialog.getByRole('button', { name: 'Use This Playbook: Ransomware' }))
    expect(onChoose).toHaveBeenCalledWith(expect.objectContaining({ id: 'ransomware' }))
  })
})

describe('the versions', () => {
  const [first, second] = [anItem('Call the team'), anItem('Tell the board')]
  const third = anItem('Write the report', { description: 'Send it to the board today.' })
  const current = aTemplate(
    'Ransomware',
    [second, { ...third, description: 'Send it to the board tomorrow.' }],
    {
      version: 3,
    },
  )
  const contentOf = (one: PlaybookTemplate): PlaybookContent =>
    pick(one, ['name', 'description', 'categoryId', 'activities', 'proposal', 'start'])
  const contents = [
    contentOf(aTemplate('Ransom', [first, second])),
    contentOf(aTemplate('Ransom', [third, first, second])),
    contentOf(current),
  ]
  const path = `/playbook/template/${current.id}/versions`
  const row = (version: number) => ({
    version,
    savedBy: 'Monitoring',
    savedTimestamp: '2026-03-01T09:00:00.000Z',
    restoredFrom: version === 2 ? 1 : null,
  })
  const opened = async (canRestore = true) => {
    serveList(path, () => [row(3), row(2), row(1)])
    for (const [index, content] of contents.entries())
      answer('get', `${path}/${index + 1}`, { ...row(index + 1), content, fileNames: {} })
    const user = openDialog((props) => (
      <VersionsDialog {...props} playbook={current} canRestore={canRestore} />
    ))
    return { user, dialog: await theDialog('Versions') }
  }
  const differences = async (dialog: Pick<typeof screen, 'findByRole'>) =>
    within(await dialog.findByRole('list', { name: 'Differences' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)

  test('show what each save changed, and what has changed since', async () => {
    const { user, dialog } = await opened()
    expect(await differences(dialog)).toEqual([
      'ChangedThe playbookNameremoved: Ransomadded: Ransomware',
      'MovedTell the boardTask · moved from place 3 to 1',
      'ChangedWrite the reportTaskDescriptionSend it to the board removed: todayadded: tomorrow.',
      'RemovedCall the teamTaskDo it at once.',
    ])
    await expectAccessible()
    await user.click(dialog.getByRole('button', { name: /Version 2.*Version 1 restored/ }))
    await waitFor(async () =>
      expect(await differences(dialog)).toEqual(['AddedWrite the reportTaskSend it to the board today.']),
    )
    await user.click(dialog.getByRole('button', { name: 'With the current version' }))
    await waitFor(async () => expect(await differences(dialog)).toHaveLength(4))
    await user.click(dialog.getByRole('button', { name: /^Version 3\b/ }))
    expect(await dialog.findByText('No differences.')).toBeVisible()
  })

  test('are restored after a question, with the version that was seen', async () => {
    const { user, dialog } = await opened()
    const bodies: unknown[] = []
    server.use(
      http.post(`${API}${path}/1/restore`, async ({ request }) => {
        const body = (await request.json()) as { version: number }
        bodies.push(body)
        return body.version === 3
          ? HttpResponse.json(aProblem('Somebody else changed the playbook.', 'stale'), { status: 409 })
          : HttpResponse.json({ ...current, people: [] })
      }),
    )
    answer('get', `/playbook/template/${current.id}`, { ...current, version: 4, people: [] })
    await dialog.findByRole('list', { name: 'Differences' })
    expect(dialog.queryByRole('button', { name: 'Restore' })).toBeNull()
    await user.click(dialog.getByRole('button', { name: /^Version 1\b/ }))
    await user.click(dialog.getByRole('button', { name: 'Restore' }))
    const question = await theDialog('Restore version 1?')
    await user.click(question.getByRole('button', { name: 'Restore' }))
    expect(
      await question.findByText(
        'Somebody else changed the playbook. Press Restore again to restore it all the same.',
      ),
    ).toBeVisible()
    await user.click(question.getByRole('button', { name: 'Restore' }))
    await gone()
    expect(bodies).toEqual([{ version: 3 }, { version: 4 }])
    expect(await screen.findByText('Saved changes.')).toBeVisible()
  })

  test('are only read by a person who may not save the playbook', async () => {
    const { user, dialog } = await opened(false)
    await user.click(await dialog.findByRole('button', { name: /^Version 1\b/ }))
    expect(dialog.queryByRole('button', { name: 'Restore' })).toBeNull()
  })

  test('are on a phone a list first, then one of them', async () => {
    onAPhone()
    const { user, dialog } = await opened()
    await user.click(await dialog.findByRole('button', { name: /Version 2/ }))
    expect(await differences(dialog)).toHaveLength(1)
    expect(dialog.queryByRole('list', { name: 'Versions' })).toBeNull()
    await user.click(dialog.getByRole('button', { name: 'Back' }))
    expect(dialog.getByRole('list', { name: 'Versions' })).toBeVisible()
  })
})
