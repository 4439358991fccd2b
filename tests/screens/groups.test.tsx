import { act, screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import type { Group, GroupSummary } from '#contract/groups/schema.ts'
import type { DirectoryUser } from '#contract/users/schema.ts'
import { answer, API, aProblem, FakeSocket, open, server, signedIn } from '#tests/support/client.tsx'
import { filterNow, linesOf, onAPhone, receive, savedFiles, serveList } from '#tests/support/client-lists.ts'
import { peopleAre } from '#tests/support/client-people.ts'
import { aListedUser, aSuppression } from '#tests/support/client-users.ts'

const PATH = '/useradmin/groups'
const person = (firstName: string, changes: Partial<DirectoryUser> = {}) =>
  aListedUser({ firstName, lastName: 'Silva', email: `${firstName.toLowerCase()}@demo.example`, ...changes })
const ana = person('Ana', { role: 'ADMIN', department: 'Legal' })
const bo = person('Bo', { active: false })
const cy = person('Cy', { type: 'EXTERNAL', email: 'cy@partner.example' })
const dee = person('Dee', { department: 'Finance' })
const team = [
  ana,
  bo,
  cy,
  dee,
  person('Banned', { banned: true }),
  person('Wall', { dashboard_user: true }),
  person('Nomail', { email: '' }),
]

function aGroup(name: string, changes: Partial<Group> = {}): Group {
  const userIds = changes.userIds ?? [ana.email]
  return {
    id: crypto.randomUUID(),
    name,
    description: null,
    isOrdered: false,
    userIds,
    userCount: userIds.length,
    createdBy: ana.email,
    createTimestamp: '2026-01-01T00:00:00.000Z',
    updateTimestamp: '2026-01-01T00:00:00.000Z',
    version: 1,
    ...changes,
  }
}
const crew = aGroup('Crew', {
  description: 'First line\nSecond line',
  userIds: [ana.email, bo.email, cy.email, 'gone@demo.example'],
})
const deck = aGroup('Deck')

afterEach(() => void vi.restoreAllMocks())
beforeEach(() => {
  signedIn()
  peopleAre(team)
})

function summaryOf(group: Group): GroupSummary {
  const { userIds: _, ...summary } = group
  return summary
}
/** Serves one group: whole, without its members, and its members. */
function serveGroup(group: Group) {
  const { userIds } = group
  const path = `/useradmin/group/${group.id}`
  answer('get', path, group)
  answer('get', `${path}/summary`, summaryOf(group))
  serveList(`${path}/members`, () => userIds.flatMap((email) => team.filter((one) => one.email === email)))
}
/** Pages of the list leave the members out. */
function serveGroups(groups: () => readonly Group[]) {
  const asked = serveList(PATH, () =>
    groups().map((group) => (asked.at(-1)?.range ? summaryOf(group) : group)),
  )
  return asked
}
function opened(path = '/groups', groups: () => readonly Group[] = () => [crew, deck]) {
  for (const group of groups()) serveGroup(group)
  return { asked: serveGroups(groups), user: open(path) }
}
const list = () => screen.findByRole('list', { name: 'Groups' })
const entry = (name: RegExp) => screen.findByRole('link', { name })
const detail = (name: string) => screen.findByRole('region', { name })
const button = (name: string) => screen.findByRole('button', { name })
const picker = () => screen.findByRole('combobox', { name: 'Add people by name, email or department' })
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

describe('groups', () => {
  test('stand in a list with their counts, and the first one beside it', async () => {
    const { asked } = opened()
    const entries = within(await list()).getAllByRole('link')
    expect(entries.map(({ textContent }) => textContent)).toEqual(['Crew4 members', 'Deck1 member'])
    expect(asked[0]).toEqual({ sort: ['name', 'ASC'], range: [0, 49], filter: {} })
    const shown = within(await detail('Crew'))
    expect(await entry(/^Crew/)).toHaveAttribute('aria-current', 'true')
    expect(shown.getByText(/First line/)).toBeVisible()
    await waitFor(() =>
      expect(shown.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
        'ASAna Silvaana@demo.exampleAdmin',
        'BSBo Silvabo@demo.exampleUserArchived',
        'CSCy Silvacy@partner.exampleUserExternal',
      ]),
    )
  })

  test('does not take the place of the form that somebody opened before it came', async () => {
    const { promise: lateAnswer, resolve: deliver } = Promise.withResolvers<void>()
    opened()
    server.use(
      http.get(`${API}${PATH}`, async () => {
        await lateAnswer
      }),
    )
    const create = await button('Create Group')
    const read = vi.spyOn(Response.prototype, 'json')
    // Both before the next rendering.
    await act(async () => {
      create.click()
      deliver()
      await vi.waitFor(() => expect(read).toHaveResolvedWith([crew, deck].map(summaryOf)))
      await new Promise((resolve) => setTimeout(resolve))
    })
    expect(await detail('Create Group')).toBeVisible()
  })

  test('are shown one after the other, each with an address of its own', async () => {
    const { user } = opened()
    await user.click(await entry(/^Deck/))
    expect(await detail('Deck')).toBeVisible()
    expect(new URLSearchParams(location.search).get('show')).toBe(deck.id)
    act(() => history.back())
    expect(await detail('Crew')).toBeVisible()
  })

  test('are found by typing', async () => {
    const { asked, user } = opened()
    await user.type(await screen.findByRole('searchbox', { name: 'Search groups' }), 'deck')
    await waitFor(() => expect(asked.at(-1)?.filter).toEqual({ q: 'deck' }))
    await waitFor(() => expect(screen.queryByRole('link', { name: /^Crew/ })).toBeNull())
    await user.type(screen.getByRole('searchbox'), 'hand')
    expect(await screen.findByText('Nothing matches these filters.')).toBeVisible()
  })

  test('none yet: says so, and offers to make one', async () => {
    const { user } = opened('/groups', () => [])
    expect(await screen.findByText(/^No groups yet/)).toBeVisible()
    await user.click(await button('Create Group'))
    expect(await screen.findByLabelText(/^Group Name/)).toBeVisible()
  })

  test('that somebody deletes meanwhile are gone here too', async () => {
    let groups: readonly Group[] = [crew, deck]
    opened(`/groups?show=${crew.id}`, () => groups)
    await detail('Crew')
    groups = [deck]
    answer(
      'get',
      `/useradmin/group/${crew.id}/summary`,
      aProblem('This group does not exist.', 'not_found'),
      404,
    )
    act(() => {
      FakeSocket.last!.say({ type: 'ready', sequence: 1 })
      FakeSocket.last!.say({
        type: 'event',
        sequence: 2,
        noun: 'groups',
        record: crew.id,
        verb: 'deleted',
        parent: null,
      })
    })
    expect(await screen.findByText('This does not exist any more.')).toBeVisible()
    expect(screen.queryByRole('link', { name: /^Crew/ })).toBeNull()
  })

  test('are for nobody without the permission', async () => {
    signedIn('USER')
    opened()
    await waitFor(() => expect(location.pathname).toBe('/'))
    expect(screen.queryByRole('link', { name: 'Groups' })).toBeNull()
  })
})

describe('a new group', () => {
  test('is not filled in by a link', async () => {
    const filling = encodeURIComponent(JSON.stringify({ name: 'Theirs', userIds: [bo.email] }))
    opened(`/groups?create=1&source=${filling}`)
    const form = within(await screen.findByRole('region', { name: 'Create Group' }))
    expect(await form.findByLabelText(/^Group Name/)).toHaveValue('')
    expect(location.search).toBe('?create=1')
    expect(screen.queryByText(bo.email)).toBeNull()
  })

  test('is made of a name and people, found by typing', async () => {
    const { user } = opened()
    const made = aGroup('Divers', { userIds: [dee.email, ana.email] })
    const bodies = receive('post', '/useradmin/group', () => ({ ...made }))
    serveGroup(made)
    await user.click(await button('Create Group'))
    await user.type(await screen.findByLabelText(/^Group Name/), ' Divers ')
    await user.type(await picker(), 'legal')
    await user.click(await screen.findByRole('option', { name: /Ana Silva/ }))
    expect(await picker()).toHaveValue('')
    await user.type(await picker(), 'dee')
    await screen.findByRole('option', { name: /Dee Silva/ })
    await user.keyboard('{Enter}')
    await user.click(
      within(await screen.findByRole('region', { name: 'Create Group' })).getByRole('button', {
        name: 'Create Group',
      }),
    )
    expect(await screen.findByText('Group created successfully.')).toBeVisible()
    expect(bodies).toEqual([
      { name: 'Divers', description: null, isOrdered: false, userIds: [dee.email, ana.email] },
    ])
    expect(await detail('Divers')).toBeVisible()
  })

  test('marks whose number is not tried, among those offered and those chosen', async () => {
    answer('post', '/suppression/find', [aSuppression({ owner: ana.email })])
    const { user } = opened('/groups?create=1')
    await user.click(await picker())
    const option = await screen.findByRole('option', { name: /Ana Silva/ })
    expect(await within(option).findByText(/^Unsubscribed/)).toBeVisible()
    expect(within(screen.getByRole('option', { name: /Dee Silva/ })).queryByText(/^Unsubscribed/)).toBeNull()
    await user.click(option)
    const chosen = await screen.findByRole('button', { name: 'Remove Ana Silva' })
    expect(within(chosen.closest('li')!).getByText(/^Unsubscribed/)).toBeVisible()
  })

  test('offers whom one can choose, people from outside once they are asked for', async () => {
    const { user } = opened('/groups?create=1')
    const offered = () => screen.getAllByRole('option').map(({ textContent }) => textContent)
    await user.click(await picker())
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2))
    expect(offered()).toEqual([expect.stringContaining('Ana Silva'), expect.stringContaining('Dee Silva')])
    await user.click(screen.getByRole('switch', { name: 'Show external people' }))
    await user.click(await picker())
    await waitFor(() => expect(offered()).toHaveLength(3))
    await user.type(await picker(), 'demo.example')
    expect(await screen.findByText('Nobody found.')).toBeVisible()
    await user.clear(await picker())
    await user.type(await picker(), '@partner')
    await waitFor(() => expect(offered()).toEqual([expect.stringContaining('Cy Silva')]))
  })

  test('says at each field what is wrong with it', async () => {
    const { user } = opened('/groups?create=1')
    const form = within(await screen.findByRole('region', { name: 'Create Group' }))
    await user.type(form.getByLabelText('Description'), 'x')
    await user.click(form.getByRole('button', { name: 'Create Group' }))
    expect(await form.findByText('Group name is required.')).toBeVisible()
    expect(form.getByText('At least one team member is required.')).toBeVisible()
    expect(form.getByLabelText(/^Group Name/)).toHaveFocus()
  })

  test('whose name is taken says so at the name', async () => {
    const { user } = opened('/groups?create=1')
    const taken = 'A group with this name already exists.'
    answer('post', '/useradmin/group', { ...aProblem(taken, 'conflict'), fields: { name: taken } }, 409)
    await user.type(await screen.findByLabelText(/^Group Name/), 'Crew')
    await user.type(await picker(), 'dee')
    await screen.findByRole('option', { name: /Dee Silva/ })
    await user.keyboard('{Enter}')
    await user.click(screen.getAllByRole('button', { name: 'Create Group' }).at(-1)!)
    expect(await screen.findByLabelText(/^Group Name/)).toHaveAccessibleDescription(taken)
  })
})

describe('editing', () => {
  const edited = async () => {
    const { user } = opened(`/groups?show=${crew.id}`)
    await user.click(await button('Edit'))
    const name = await screen.findByLabelText(/^Group Name/)
    return { user, name }
  }
  const UPDATE = `/useradmin/group/${crew.id}`

  test('keeps who is archived or from outside, until somebody removes them', async () => {
    const { user } = await edited()
    const bodies = receive('put', UPDATE, (body) => ({ ...crew, ...body, version: 2 }))
    await user.click(await button('Remove gone@demo.example'))
    await user.click(await button('Remove Bo Silva'))
    expect(await picker()).toHaveFocus()
    await user.click(await button('Save'))
    expect(await screen.findByText('Group updated successfully.')).toBeVisible()
    expect(bodies).toEqual([
      {
        name: 'Crew',
        description: crew.description,
        isOrdered: false,
        userIds: [ana.email, cy.email],
        version: 1,
      },
    ])
    await waitFor(() => expect(new URLSearchParams(location.search).get('edit')).toBeNull())
    expect(await detail('Crew')).toBeVisible()
  })

  test('asks before it throws away what was typed, whichever way one leaves', async () => {
    const { user, name } = await edited()
    await user.type(name, ' of two ships')
    // Waits until the question is gone, which has a button of the same name.
    const keep = async () => {
      await user.click((await dialog('Discard changes?')).getByRole('button', { name: 'Cancel' }))
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
      expect(name).toHaveValue('Crew of two ships')
    }
    await user.click(await entry(/^Deck/))
    await keep()
    await user.click(await button('Cancel'))
    await keep()
    await user.click(await entry(/^Deck/))
    await user.click((await dialog('Discard changes?')).getByRole('button', { name: 'Discard' }))
    expect(await detail('Deck')).toBeVisible()
  })

  test('does not ask when nothing was typed, nor for a search', async () => {
    const { user, name } = await edited()
    await user.type(name, '!')
    await user.type(screen.getByRole('searchbox'), 'crew')
    await waitFor(() => expect(filterNow()).toEqual({ q: 'crew' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.clear(name)
    await user.type(name, 'Crew')
    await user.click(await button('Cancel'))
    expect(await detail('Crew')).toBeVisible()
  })

  test('keeps what is typed of one that is deleted meanwhile', async () => {
    const { user, name } = await edited()
    await user.type(name, ' one')
    const gone = aProblem('This group does not exist.', 'not_found')
    answer('get', UPDATE, gone, 404)
    answer('put', UPDATE, gone, 404)
    serveList(PATH, () => [deck])
    act(() => {
      FakeSocket.last!.say({ type: 'ready', sequence: 1 })
      FakeSocket.last!.say({
        type: 'event',
        sequence: 2,
        noun: 'groups',
        record: crew.id,
        verb: 'deleted',
        parent: null,
      })
    })
    await waitFor(() => expect(screen.queryByRole('link', { name: /^Crew/ })).toBeNull())
    await user.click(await button('Save'))
    expect(await screen.findByText('This group does not exist.')).toBeVisible()
    expect(name).toHaveValue('Crew one')
  })

  test('says who was faster, and shows what they changed', async () => {
    const { user, name } = await edited()
    await user.type(name, ' one')
    const theirs: Group = { ...crew, description: 'Theirs', version: 2 }
    const refusal = 'Maya Lindqvist changed this meanwhile. Your changes were not saved.'
    answer('put', UPDATE, aProblem(refusal, 'stale'), 409)
    answer('get', UPDATE, theirs)
    await user.click(await button('Save'))
    expect(await screen.findByRole('alert')).toHaveTextContent(refusal)
    expect(name).toHaveValue('Crew one')
    expect(screen.getByLabelText('Description')).toHaveValue('Theirs')
    const bodies = receive('put', UPDATE, (body) => ({ ...theirs, ...body }))
    await user.click(await button('Save'))
    await waitFor(() => expect(bodies[0]).toMatchObject({ name: 'Crew one', version: 2 }))
  })
})

describe('deleting', () => {
  const asked = async () => {
    const { user } = opened(`/groups?show=${crew.id}`)
    await user.click(await button('Delete'))
    return { user, question: await dialog('Delete group?') }
  }

  test('asks by name, and shows another group afterwards', async () => {
    answer('delete', `/useradmin/group/${crew.id}`, undefined)
    const { user, question } = await asked()
    expect(question.getByText(/^Crew will be permanently deleted/)).toBeVisible()
    serveList(PATH, () => [deck])
    await user.click(question.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Crew has been deleted.')).toBeVisible()
    expect(await detail('Deck')).toBeVisible()
  })

  test.each([
    [
      400,
      aProblem('This group is targeted in an incident and cannot be deleted.', 'invalid'),
      'This group is targeted in an incident and cannot be deleted.',
    ],
    [500, {}, 'Crew could not be deleted.'],
  ])('that is refused with %i says why', async (status, body, words) => {
    const { user, question } = await asked()
    answer('delete', `/useradmin/group/${crew.id}`, body, status)
    await user.click(question.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText(words)).toBeVisible()
    expect(await detail('Crew')).toBeVisible()
  })
})

test('on a phone the list and a group follow one another', async () => {
  onAPhone()
  const { user } = opened()
  expect(await list()).toBeVisible()
  expect(screen.queryByRole('region', { name: 'Crew' })).toBeNull()
  await user.click(await entry(/^Crew/))
  expect(await detail('Crew')).toBeVisible()
  expect(screen.queryByRole('list', { name: 'Groups' })).toBeNull()
  await user.click(await button('Back'))
  expect(await list()).toBeVisible()
})

test('the list is asked for again, and saved as a file, by its own buttons', async () => {
  const files = savedFiles()
  const { asked, user } = opened()
  await entry(/^Crew/)
  const before = asked.length
  await user.click(await button('Refresh'))
  await waitFor(() => expect(asked.length).toBe(before + 1))
  await user.click(await button('Export CSV'))
  await waitFor(() => expect(files).toHaveLength(1))
  expect(files[0]!.name).toMatch(/^groups-\d{4}-\d\d-\d\d\.csv$/)
  const [heading, line] = await linesOf(files[0]!)
  expect(heading).toBe('Group Name,Description,Team Members,Members have an order,Created by,Last change')
  expect(line).toContain('"ana@demo.example, bo@demo.example, cy@partner.example, gone@demo.example"')
})
