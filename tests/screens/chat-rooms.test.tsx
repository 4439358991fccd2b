import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { MEMBERS_AT_ONCE, type Room, type RoomKind } from '#contract/chat/schema.ts'
import type { RoomExport } from '#contract/room-exports/schema.ts'
import type { NamedPerson } from '#contract/users/schema.ts'
import { chat } from '#providers/chat/chat.ts'
import { embedded } from '#providers/chat/embedded.ts'
import * as saving from '#src/kit/browser/saveFile.ts'
import { answer, API, aProblem, FakeSocket, pageReloads, server, signedIn } from '#tests/support/client.tsx'
import { onAPhone } from '#tests/support/client-lists.ts'
import {
  aFile,
  aMember,
  aPerson,
  aRoom,
  me,
  myself,
  openPart,
  type RoomScript,
  serveRoom,
  tell,
} from '#tests/support/client-rooms.tsx'

const WAIT = 600
const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const dialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }))
const button = (name: string | RegExp) => screen.findByRole('button', { name })

beforeEach(() => {
  signedIn('USER')
  answer('get', '/chat/summary', { sequence: 1, unreadRooms: 0, unreadMessages: 0, warRooms: 0 })
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Lets the server find these people by name, and records the searches. */
function peopleAre(...people: readonly NamedPerson[]): string[] {
  const searches: string[] = []
  server.use(
    http.get(`${API}/authentication/users/search`, ({ request }) => {
      const words = new URL(request.url).searchParams.get('searchString') ?? ''
      searches.push(words)
      const users = people.filter(({ firstName, lastName }) =>
        `${firstName} ${lastName}`.toLowerCase().includes(words.toLowerCase()),
      )
      return HttpResponse.json({ users, hasExternals: false })
    }),
  )
  return searches
}
/** Accepts new rooms, or refuses them. */
function taking(refusal?: { status: number; body: object }) {
  const bodies: unknown[] = []
  server.use(
    http.post(`${API}/chat/rooms`, async ({ request }) => {
      const body = (await request.json()) as { kind: RoomKind; name?: string }
      bodies.push(body)
      if (refusal) return HttpResponse.json(refusal.body, { status: refusal.status })
      return HttpResponse.json(aRoom({ kind: body.kind, name: body.name ?? null }), { status: 201 })
    }),
  )
  return bodies
}

describe('a new room', () => {
  test('needs a name of three letters, and no members', async () => {
    const bodies = taking()
    const user = openPart('/new?kind=WAR_ROOM')
    await user.click(await button('Create'))
    expect(await screen.findByText('Please enter a name.')).toBeVisible()
    await user.type(screen.getByLabelText('Name'), 'ab')
    expect(await screen.findByText('The name must be at least 3 characters long.')).toBeVisible()
    await user.click(screen.getByLabelText('Name'))
    await user.paste('x'.repeat(254))
    expect(await screen.findByText('Maximum length of 255 characters exceeded.')).toBeVisible()
    await user.click(screen.getByLabelText(/^Description/))
    await user.paste('x'.repeat(1_001))
    expect(await screen.findByText('Maximum length of 1000 characters exceeded.')).toBeVisible()
    await user.clear(screen.getByLabelText(/^Description/))
    await user.clear(screen.getByLabelText('Name'))
    await user.type(screen.getByLabelText('Name'), 'Pumps')
    await user.click(screen.getByRole('button', { name: 'Create' }))
    expect(await screen.findByText('Made Pumps')).toBeVisible()
    expect(bodies).toEqual([{ kind: 'WAR_ROOM', name: 'Pumps', description: null, userIds: [] }])
  })

  test('of a name that is in use is refused at the name, and everything typed stays', async () => {
    peopleAre(aPerson({ firstName: 'Ben' }))
    taking({
      status: 409,
      body: aProblem('A chat with this name already exists.'),
    })
    const user = openPart('/new?kind=BREAKOUT_ROOM')
    await user.type(await screen.findByLabelText('Name'), 'Pumps')
    await user.type(screen.getByLabelText(/^Description/), 'Hall 3')
    await user.type(screen.getByRole('combobox'), 'be')
    await user.click(await screen.findByRole('option', { name: /Ben/ }))
    await user.click(screen.getByRole('button', { name: 'Create' }))
    expect(await screen.findByText('A chat with this name already exists.')).toBeVisible()
    expect(screen.getByLabelText('Name')).toHaveValue('Pumps')
    expect(screen.getByLabelText('Name')).toHaveFocus()
    expect(screen.getByLabelText(/^Description/)).toHaveValue('Hall 3')
    expect(screen.getByText('Ben Known')).toBeVisible()
  })

  test('is left after a warning only', async () => {
    const user = openPart('/new?kind=WAR_ROOM')
    await user.type(await screen.findByLabelText('Name'), 'Pumps')
    await user.click(screen.getByRole('link', { name: 'Another chat' }))
    await user.click((await dialog('Discard changes?')).getByRole('button', { name: 'Keep editing' }))
    expect(screen.getByLabelText('Name')).toHaveValue('Pumps')
    await user.click(await screen.findByRole('link', { name: 'Another chat' }))
    await user.click((await dialog('Discard changes?')).getByRole('button', { name: 'Discard' }))
    expect(await screen.findByText('Another page')).toBeVisible()
  })

  test('without anything typed is left at once', async () => {
    const user = openPart('/new?kind=WAR_ROOM')
    await user.click(await button('Cancel'))
    expect(await screen.findByText('Another page')).toBeVisible()
  })
})

describe('a direct message', () => {
  test('needs a recipient', async () => {
    const ben = aPerson({ firstName: 'Ben' })
    peopleAre(ben)
    const bodies = taking()
    const user = openPart('/new?kind=DIRECT_MESSAGE')
    await user.click(await button('Create'))
    expect(await screen.findByText('At least one recipient is required.')).toBeVisible()
    await user.type(screen.getByRole('combobox'), 'ben')
    await screen.findByRole('option', { name: /Ben/ })
    await user.keyboard('{Enter}')
    await user.click(screen.getByRole('button', { name: 'Create' }))
    expect(await screen.findByText('Made a chat')).toBeVisible()
    expect(bodies).toEqual([{ kind: 'DIRECT_MESSAGE', userIds: [ben.uuid] }])
  })
})

describe('the picker of people', () => {
  test('searches from two letters on, once typing stops, and says when nobody is found', async () => {
    const searches = peopleAre(aPerson({ firstName: 'Ben' }))
    const user = openPart('/new?kind=DIRECT_MESSAGE')
    const box = await screen.findByRole('combobox')
    await user.type(box, 'b')
    await rest(WAIT)
    expect(searches).toEqual([])
    await user.type(box, 'exx')
    expect(await screen.findByText('No team members to show.')).toBeVisible()
    expect(searches).toEqual(['bexx'])
  })

  test('offers neither oneself nor who is in the room already, and marks external people', async () => {
    const [ben, cleo] = [aMember({ firstName: 'Bensen' }), aPerson({ firstName: 'Benson', type: 'EXTERNAL' })]
    peopleAre(aPerson({ uuid: me.uuid, firstName: 'Benno' }), ben, cleo)
    const room = aRoom()
    serveRoom(room, { members: [myself('owner'), ben] })
    const user = openPart(`/room/${room.id}`)
    await user.type(await screen.findByRole('combobox', { name: 'Add Users' }), 'ben')
    const option = await screen.findByRole('option')
    expect(option).toHaveTextContent(/Benson/)
    expect(within(option).getByText('External')).toBeVisible()
  })

  test('says that a search failed', async () => {
    answer('get', '/authentication/users/search', aProblem('x'), 500)
    const user = openPart('/new?kind=DIRECT_MESSAGE')
    await user.type(await screen.findByRole('combobox'), 'ben')
    expect(await screen.findByText('Team members could not be searched.')).toBeVisible()
  })
})

function opened(room: Room, given: Parameters<typeof serveRoom>[1] = {}) {
  const script = serveRoom(room, given)
  return { script, user: openPart(`/room/${room.id}`) }
}
const members = async () => within(await screen.findByRole('list', { name: 'Members' }))

describe('the panel', () => {
  test('names the room, its description and its members with their roles', async () => {
    opened(aRoom({ name: 'Flood', description: 'Hall 3 stands under water.' }), {
      members: [
        myself('owner'),
        aMember({ firstName: 'Ben', role_in_room: 'channel_moderator' }),
        aMember({ firstName: 'Cleo', type: 'EXTERNAL' }),
        aMember({ firstName: 'Dora', active: false }),
      ],
    })
    const panel = within(await screen.findByRole('complementary', { name: 'Info' }))
    expect(panel.getByRole('heading', { name: 'Flood' })).toBeVisible()
    expect(panel.getByText('Hall 3 stands under water.')).toBeVisible()
    const rows = (await members()).getAllByRole('listitem').map((row) => row.textContent)
    expect(rows[0]).toMatch(/Ada Lovelace.*Owner/)
    await waitFor(() => expect(screen.getByText('Online', { exact: false })).toBeInTheDocument())
    expect(rows[1]).toMatch(/Ben.*Admin/)
    expect(rows[2]).toMatch(/Cleo.*External/)
    expect(rows[3]).toMatch(/Dora.*Archived/)
  })

  test('has no description where there is none, and no link to all of ten members', async () => {
    opened(aRoom({ description: null, member_count: 10 }), {
      members: [myself('owner'), ...Array.from({ length: 9 }, () => aMember())],
    })
    expect((await members()).getAllByRole('listitem')).toHaveLength(10)
    expect(screen.queryByRole('button', { name: 'Description' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'View All Members' })).toBeNull()
  })

  test('shows ten members and leads to the others', async () => {
    const { user } = opened(aRoom({ member_count: 11 }), {
      members: [myself('member'), ...Array.from({ length: 10 }, () => aMember())],
    })
    expect((await members()).getAllByRole('listitem')).toHaveLength(10)
    await user.click(screen.getByRole('button', { name: 'View All Members' }))
    const table = within((await dialog('Manage Flood')).getByRole('table', { name: 'Member List' }))
    expect(table.getAllByRole('row')).toHaveLength(12)
  })

  test('remembers which of its sections are collapsed', async () => {
    const { user } = opened(aRoom())
    const heading = await button(/^Members/)
    expect(heading).toHaveAttribute('aria-expanded', 'true')
    await user.click(heading)
    expect(heading).toHaveAttribute('aria-expanded', 'false')
    expect(screen.queryByRole('list', { name: 'Members' })).toBeNull()
  })

  test('follows those who enter and leave', async () => {
    const room = aRoom()
    const { script } = opened(room)
    await members()
    await waitFor(() => expect(FakeSocket.last?.sent).toHaveLength(1))
    script.members = [...script.members, aMember({ firstName: 'Zoe' })]
    act(() => tell({ kind: 'members', roomId: room.id, members: [] }))
    expect(await screen.findByText(/^Zoe/)).toBeVisible()
  })

  test('goes on without members and files that cannot be loaded', async () => {
    const room = aRoom()
    serveRoom(room)
    answer('get', `/chat/rooms/${room.id}/members`, aProblem('x'), 403)
    answer('get', `/chat/rooms/${room.id}/files`, aProblem('x'), 403)
    openPart(`/room/${room.id}`)
    expect(await screen.findByText('The members could not be loaded.')).toBeVisible()
    expect(await screen.findByText('The files could not be loaded.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Leave' })).toBeVisible()
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('what is offered', () => {
  const offered = ['Add Users', 'Make War Room', 'Export', 'Leave', 'Delete', 'Edit name and description']
  const offers = async () => {
    await members()
    return offered.filter((name) => screen.queryByRole('button', { name }) !== null)
  }
  test.each([
    ['an owner of a breakout room', aRoom({ kind: 'BREAKOUT_ROOM' }), offered],
    [
      'a moderator of a war room',
      aRoom({ my: { role: 'channel_moderator' } }),
      ['Add Users', 'Export', 'Leave', 'Edit name and description'],
    ],
    ['a member', aRoom({ kind: 'BREAKOUT_ROOM', my: { role: 'member' } }), ['Leave']],
    ['a member of Headquarters', aRoom({ isHeadquarters: true, my: { role: 'member' } }), []],
    [
      'who began a direct message',
      aRoom({ kind: 'DIRECT_MESSAGE' }),
      ['Add Users', 'Export', 'Leave', 'Delete'],
    ],
  ])('to %s', async (_, room, expected) => {
    opened(room)
    expect(await offers()).toEqual(expected)
  })

  test('to who administers the chat, in Headquarters', async () => {
    signedIn('ADMIN')
    opened(aRoom({ isHeadquarters: true, my: { role: 'member' } }))
    expect(await offers()).toEqual(['Export'])
  })

  test('without exports where the chat service has none', async () => {
    vi.spyOn(chat, 'provider', 'get').mockReturnValue({ ...embedded, lacks: new Set(['export']) })
    opened(aRoom({ my: { role: 'channel_moderator' } }))
    expect(await offers()).toEqual(['Add Users', 'Leave', 'Edit name and description'])
  })
})

describe('the mark of privilege', () => {
  const CONFIG = { markAsPrivilegedEnabled: true, statementOfPrivilege: 'Privileged and confidential.' }

  test('is set and taken away by admins of a war room', async () => {
    answer('get', '/config', CONFIG)
    const room = aRoom()
    const { user } = opened(room)
    answer('post', `/privilege/${room.id}/true`, { ...room, privileged: true })
    const toggle = await screen.findByRole('switch', { name: 'Mark as Privileged' })
    expect(toggle).not.toBeChecked()
    await user.click(toggle)
    await waitFor(() => expect(toggle).toBeChecked())
    expect(await screen.findByText('Privileged')).toBeVisible()
    answer('post', `/privilege/${room.id}/false`, aProblem('Not now.'), 403)
    await user.click(toggle)
    expect(await screen.findByText('Not now.')).toBeVisible()
    expect(toggle).toBeChecked()
  })

  test.each([
    ['a member', aRoom({ my: { role: 'member' } }), CONFIG],
    ['a breakout room', aRoom({ kind: 'BREAKOUT_ROOM' }), CONFIG],
    ['an organisation without it', aRoom(), { ...CONFIG, markAsPrivilegedEnabled: false }],
    ['an organisation without a statement', aRoom(), { ...CONFIG, statementOfPrivilege: '' }],
  ])('is not offered to %s', async (_, room, config) => {
    answer('get', '/config', config)
    opened(room)
    await members()
    await rest(100)
    expect(screen.queryByRole('switch')).toBeNull()
  })
})

describe('adding people', () => {
  test('needs somebody, and says how many were added', async () => {
    const ben = aPerson({ firstName: 'Ben' })
    peopleAre(ben)
    const room = aRoom()
    const { user, script } = opened(room)
    const form = within(await screen.findByRole('form', { name: 'Add Users' }))
    await user.click(form.getByRole('button', { name: 'Add' }))
    expect(await form.findByText('Please select at least one team member.')).toBeVisible()
    let body: unknown
    server.use(
      http.post(`${API}/chat/rooms/${room.id}/members`, async ({ request }) => {
        body = await request.json()
        script.members = [...script.members, aMember(ben)]
        return HttpResponse.json({ ...room, member_count: 3 })
      }),
    )
    await user.type(form.getByRole('combobox'), 'ben')
    await user.click(await screen.findByRole('option', { name: /Ben/ }))
    await user.click(form.getByRole('button', { name: 'Add' }))
    expect(await screen.findByText('1 team member was added.')).toBeVisible()
    expect(body).toEqual({ userIds: [ben.uuid] })
    expect(await (await members()).findByText(/^Ben/)).toBeVisible()
  })

  test('takes a hundred at once at most, and says so at the field', async () => {
    // Ten per search, because rendering all of them a hundred times would be slow.
    const named = (n: number) => `Ben ${String.fromCodePoint(97 + Math.floor(n / 10)).repeat(3)}`
    peopleAre(...Array.from({ length: MEMBERS_AT_ONCE + 1 }, (_, n) => aPerson({ firstName: named(n) })))
    const room = aRoom()
    opened(room)
    let isSent = false
    server.use(
      http.post(`${API}/chat/rooms/${room.id}/members`, () => {
        isSent = true
        return HttpResponse.json(room)
      }),
    )
    const form = within(await screen.findByRole('form', { name: 'Add Users' }))
    const field = form.getByRole('combobox')
    const tooMany = 'A maximum of 100 team members can be added at once.'
    for (let count = 0; count <= MEMBERS_AT_ONCE; count++) {
      expect(form.queryByText(tooMany)).toBeNull()
      fireEvent.change(field, { target: { value: named(count) } })
      // oxlint-disable-next-line no-await-in-loop -- one search after the other
      await waitFor(() => expect(document.querySelector('[role="option"]')).toHaveTextContent(named(count)))
      fireEvent.keyDown(field, { key: 'Enter' })
    }
    expect(form.getByText(tooMany)).toBeVisible()
    fireEvent.click(form.getByRole('button', { name: 'Add' }))
    expect(field).toHaveFocus()
    expect(isSent).toBe(false)
    // Removes the last one again.
    fireEvent.keyDown(field, { key: 'Backspace' })
    expect(form.queryByText(tooMany)).toBeNull()
  })
})

describe('managing members', () => {
  async function managed(script: Partial<RoomScript> = {}, room = aRoom()) {
    const ben = aMember({ firstName: 'Ben', lastName: 'Baker' })
    const { user, script: served } = opened(room, { members: [myself('owner'), ben], ...script })
    await user.click(await button('Manage Members'))
    const view = await dialog(room.name === null ? 'Manage Chat' : 'Manage Flood')
    await view.findByRole('table', { name: 'Member List' })
    return { user, served, room, ben, view }
  }

  test('shows everybody with what is known of them', async () => {
    const { view } = await managed({
      members: [
        myself('owner'),
        aMember({
          firstName: 'Ben',
          lastName: 'Baker',
          email: 'ben@demo.example',
          role_in_room: 'channel_admin',
        }),
        aMember({ firstName: 'Cleo', lastName: 'Cook', active: false }),
      ],
    })
    const cells = view.getAllByRole('row').map((row) =>
      within(row)
        .getAllByRole(row.querySelector('th') ? 'columnheader' : 'cell')
        .slice(1, 6)
        .map(({ textContent }) => textContent),
    )
    expect(cells[0]).toEqual(['First Name', 'Last Name', 'Email', 'Active', 'Role'])
    expect(cells[1]).toEqual(['Ada', 'Lovelace', me.email, 'Yes', 'Owner'])
    expect(cells[2]).toEqual(['Ben', 'Baker', 'ben@demo.example', 'Yes', 'Admin'])
    expect(cells[3]!.slice(3)).toEqual(['No', 'Member'])
    // Nobody can change themselves, and archived people are not promoted.
    const names = view.getAllByRole('button').map((one) => one.getAttribute('aria-label') ?? one.textContent)
    expect(names.filter((name) => / (an admin|Cook|Lovelace)/.test(name ?? ''))).toEqual([
      'Remove Ben Baker as an admin',
      'Remove Cleo Cook',
    ])
  })

  test('makes somebody an admin after a question, whose failure is shown in it', async () => {
    const { user, served, room, ben, view } = await managed()
    const path = `/chat/rooms/${room.id}/members/${ben.user_id}`
    answer('patch', path, aProblem('Ben has just left.'), 409)
    await user.click(view.getByRole('button', { name: 'Make Ben Baker an admin' }))
    const question = await dialog('Make Admin')
    await user.click(question.getByRole('button', { name: 'Make Admin' }))
    expect(await question.findByText('Ben has just left.')).toBeVisible()
    server.use(
      http.patch(`${API}${path}`, async ({ request }) => {
        expect(await request.json()).toEqual({ role: 'channel_admin' })
        const [owner] = served.members
        const promoted = { ...ben, channel_role: 'channel_admin' as const, isAdmin: true }
        served.members = [owner!, promoted]
        return HttpResponse.json(promoted)
      }),
    )
    await user.click(question.getByRole('button', { name: 'Make Admin' }))
    expect(await view.findByRole('button', { name: 'Remove Ben Baker as an admin' })).toBeVisible()
  })

  test('removes somebody after a question; cancelling changes nothing', async () => {
    const { user, served, room, ben, view } = await managed()
    await user.click(view.getByRole('button', { name: 'Remove Ben Baker' }))
    await user.click((await dialog('Remove Member')).getByRole('button', { name: 'Cancel' }))
    expect(view.getByText('Ben')).toBeVisible()
    server.use(
      http.delete(`${API}/chat/rooms/${room.id}/members/${ben.user_id}`, () => {
        served.members = served.members.slice(0, 1)
        return new HttpResponse(null, { status: 204 })
      }),
    )
    await user.click(await view.findByRole('button', { name: 'Remove Ben Baker' }))
    await user.click((await dialog('Remove Member')).getByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(view.queryByText('Ben')).toBeNull())
  })

  test('filters half a second after the last letter, on the server', async () => {
    const { user, served, view } = await managed()
    const before = served.asked.members.length
    await user.type(view.getByRole('searchbox', { name: 'Filter members' }), 'bak')
    await waitFor(() => expect(view.queryByText('Lovelace')).toBeNull())
    const filters = served.asked.members.slice(before).map((query) => query.get('filter'))
    expect(filters).toEqual(['{"q":"bak"}'])
  })

  test('is a list to read for a member, and for everybody in Headquarters', async () => {
    const { user } = opened(aRoom({ my: { role: 'member' } }))
    await user.click(await button('Member List'))
    const view = await dialog('Member List')
    await view.findByRole('table', { name: 'Member List' })
    expect(view.queryByRole('form')).toBeNull()
    expect(view.queryByRole('columnheader', { name: 'Actions' })).toBeNull()
  })

  test('says when nobody is there, and has no name for a direct message', async () => {
    const { user } = opened(aRoom({ kind: 'DIRECT_MESSAGE' }), { members: [] })
    await user.click(await button('Manage Members'))
    expect(await (await dialog('Manage Chat')).findByText('No members added yet.')).toBeVisible()
  })

  test('shows cards on a phone', async () => {
    onAPhone()
    const { user } = opened(aRoom())
    await user.click(await button('Manage Members'))
    const view = await dialog('Manage Flood')
    expect(await view.findByRole('list', { name: 'Member List' })).toBeVisible()
    expect(view.queryByRole('table')).toBeNull()
  })
})

describe('files', () => {
  const seven = () => Array.from({ length: 7 }, (_, n) => aFile(`Plan ${n}.pdf`, n + 1))

  test('are counted, the newest are shown, and one leads to its message', async () => {
    const { user } = opened(aRoom(), { files: seven() })
    const list = within(await screen.findByRole('list', { name: 'Files' }))
    expect(list.getAllByRole('listitem')).toHaveLength(5)
    expect(screen.getByRole('button', { name: /^Files/ })).toHaveTextContent('7')
    await user.click(list.getByText('Plan 2.pdf'))
    expect(await screen.findByLabelText('Jumped to')).toHaveTextContent('3')
  })

  test('are shown without being downloaded, those of a format that can be shown', async () => {
    const files = [aFile('Steps.txt', 1), aFile('Plans.zip', 2)]
    const { user } = opened(aRoom(), { files })
    answer('get', `/fe/${files[0]!.id}`, 'Close the gates.')
    const list = within(await screen.findByRole('list', { name: 'Files' }))
    expect(list.queryByRole('button', { name: 'Open “Plans.zip”' })).toBeNull()
    await user.click(list.getByRole('button', { name: 'Open “Steps.txt”' }))
    const shown = await dialog('Steps.txt')
    expect(await shown.findByText(/Close the gates\./)).toBeVisible()
    await user.click(shown.getByRole('button', { name: 'Close the preview' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('are asked for again, which then rests for a minute', async () => {
    const { user, script } = opened(aRoom())
    expect(await screen.findByText('No files sent in this chat yet.')).toBeVisible()
    script.files = [aFile('Plan.pdf')]
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    expect(await screen.findByText('Plan.pdf')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Refresh' })).toBeDisabled()
    await user.hover(screen.getByRole('button', { name: 'Refresh' }).parentElement!)
    expect(await screen.findByText('Please wait before refreshing again.')).toBeVisible()
  })

  test('are asked for again at the earliest sixty seconds after the last time', async () => {
    const { script } = opened(aRoom())
    await screen.findByText('No files sent in this chat yet.')
    const refresh = screen.getByRole('button', { name: 'Refresh' })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const end = Date.now() + 60_000
    fireEvent.click(refresh)
    await vi.waitFor(() => expect(script.asked.files).toHaveLength(2))
    act(() => void vi.advanceTimersByTime(end - 1 - Date.now()))
    expect(refresh).toBeDisabled()
    act(() => void vi.advanceTimersByTime(1))
    expect(refresh).toBeEnabled()
  })

  test('are all in a dialog that filters, downloads and leads to the message', async () => {
    const saved = vi.spyOn(saving, 'saveFrom').mockReturnValue()
    const files = seven()
    const { user } = opened(aRoom(), { files })
    await user.click(await button('View All Files'))
    const view = await dialog('Files of Flood')
    const table = within(await view.findByRole('table', { name: 'Files of Flood' }))
    expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Thumbnail',
      'Name',
      'Sent At',
      'Download',
    ])
    expect(table.getAllByRole('row')).toHaveLength(8)
    answer('post', `/fe/${files[4]!.id}/download`, {
      path: '/fe/content/ticket',
      expireTimestamp: '2026-01-01T00:01:00.000Z',
    })
    await user.click(table.getByRole('button', { name: 'Download “Plan 4.pdf”' }))
    await waitFor(() => expect(saved).toHaveBeenCalledExactlyOnceWith(`${API}/fe/content/ticket`))
    answer('post', `/fe/${files[3]!.id}/download`, aProblem('It is gone.'), 404)
    await user.click(table.getByRole('button', { name: 'Download “Plan 3.pdf”' }))
    expect(await view.findByText('There was an issue downloading the file: It is gone.')).toBeVisible()
    await user.type(view.getByRole('searchbox', { name: 'Filter files' }), 'n 6')
    await waitFor(() => expect(view.queryByText('Plan 4.pdf')).toBeNull())
    await user.click(view.getByText('Plan 6.pdf'))
    expect(await screen.findByLabelText('Jumped to')).toHaveTextContent('7')
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('changing a room', () => {
  test('goes on where it was after a reload', async () => {
    const room = aRoom()
    const { user } = opened(room)
    await user.click(await button('Edit name and description'))
    await user.type((await dialog('Edit Flood')).getByLabelText(/^Description/), 'Hall 3')
    await pageReloads()
    opened(room)
    const form = await dialog('Edit Flood')
    await waitFor(() => expect(form.getByLabelText(/^Description/)).toHaveValue('Hall 3'))
    expect(form.getByLabelText('Name')).toHaveValue('Flood')
  })

  test('gives it another name; one that is in use is refused at the field', async () => {
    const room = aRoom()
    const { user } = opened(room)
    await user.click(await button('Edit name and description'))
    const form = await dialog('Edit Flood')
    answer(
      'patch',
      `/chat/rooms/${room.id}`,
      {
        ...aProblem('A chat with this name already exists.'),
        fields: { name: 'A chat with this name already exists.' },
      },
      409,
    )
    await user.clear(form.getByLabelText('Name'))
    await user.type(form.getByLabelText('Name'), 'Storm')
    await user.click(form.getByRole('button', { name: 'Save' }))
    expect(await form.findByText('A chat with this name already exists.')).toBeVisible()
    let body: unknown
    server.use(
      http.patch(`${API}/chat/rooms/${room.id}`, async ({ request }) => {
        body = await request.json()
        return HttpResponse.json({ ...room, name: 'Storms', version: 2 })
      }),
    )
    await user.type(form.getByLabelText('Name'), 's')
    await user.click(form.getByRole('button', { name: 'Save' }))
    expect(await screen.findByRole('heading', { name: 'Storms' })).toBeVisible()
    expect(body).toEqual({ name: 'Storms', description: null, version: 1 })
  })

  test('that somebody else changed meanwhile shows theirs and keeps what was typed', async () => {
    const room = aRoom()
    const { user, script } = opened(room)
    await user.click(await button('Edit name and description'))
    const form = await dialog('Edit Flood')
    await user.type(form.getByLabelText('Description'), 'Mine')
    script.room = { ...room, name: 'Flood in hall 3', version: 5 }
    answer('patch', `/chat/rooms/${room.id}`, aProblem('Somebody else changed this meanwhile.', 'stale'), 409)
    await user.click(form.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText(/^Somebody else changed this meanwhile\./)).toBeVisible()
    const now = await dialog('Edit Flood in hall 3')
    expect(now.getByLabelText('Name')).toHaveValue('Flood in hall 3')
    expect(now.getByLabelText('Description')).toHaveValue('Mine')
  })

  test('makes a breakout room a war room after a question', async () => {
    const room = aRoom({ kind: 'BREAKOUT_ROOM' })
    const { user } = opened(room)
    await user.click(await button('Make War Room'))
    answer('patch', `/chat/rooms/${room.id}`, { ...room, kind: 'WAR_ROOM', isWarRoom: true })
    await user.click((await dialog('Make War Room')).getByRole('button', { name: 'Make War Room' }))
    expect(await screen.findByText('“Flood” is a war room now.')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Make War Room' })).toBeNull())
  })
})

describe('leaving, deleting and hiding', () => {
  test('the only admin stays, and is told what to do', async () => {
    const room = aRoom()
    const { user } = opened(room)
    const sentence = `You cannot leave the Flood because you are the only admin.`
    answer(
      'post',
      `/chat/rooms/${room.id}/leave`,
      aProblem(`${sentence} Please make somebody else an admin.`),
      409,
    )
    await user.click(await button('Leave'))
    const question = await dialog('Leave Flood?')
    await user.click(question.getByRole('button', { name: 'Leave' }))
    expect(await question.findByText(new RegExp(sentence))).toHaveTextContent(/make somebody else an admin/)
    answer('post', `/chat/rooms/${room.id}/leave`, undefined)
    await user.click(question.getByRole('button', { name: 'Leave' }))
    expect(await screen.findByText('You left “Flood”.')).toBeVisible()
    expect(await screen.findByText('Another page')).toBeVisible()
  })

  test('a room is deleted by typing its name', async () => {
    const room = aRoom()
    const { user } = opened(room)
    await user.click(await button('Delete'))
    const question = await dialog('Delete Flood?')
    expect(question.getByRole('button', { name: 'Delete' })).toBeDisabled()
    await user.type(question.getByRole('textbox'), 'Flood')
    answer('delete', `/chat/rooms/${room.id}`, undefined)
    await user.click(question.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('“Flood” was deleted.')).toBeVisible()
  })

  test.each([
    ['at once', true],
    ['after a warning where somebody in it is archived', false],
  ])('an empty direct message is hidden %s', async (_, active) => {
    const ben = aPerson({ firstName: 'Ben', active })
    const room = aRoom({ kind: 'DIRECT_MESSAGE', sequence: 0, people: [aPerson({ uuid: me.uuid }), ben] })
    const { user } = opened(room)
    answer('post', `/chat/rooms/${room.id}/hide`, undefined)
    await user.click(await button('Hide'))
    if (!active) await user.click((await dialog(/^Hide Ben/)).getByRole('button', { name: 'Hide' }))
    expect(await screen.findByText(/^“Ben Known.*was hidden\.$/)).toBeVisible()
  })

  test('one with messages is not hidden', async () => {
    opened(aRoom({ kind: 'DIRECT_MESSAGE' }))
    await members()
    expect(screen.queryByRole('button', { name: 'Hide' })).toBeNull()
  })
})

describe('an export', () => {
  const anExport = (room: Room, changes: Partial<RoomExport> = {}): RoomExport => ({
    id: '6a0f6f6e-3a1e-4d53-8a0d-6f9d64a1a001',
    roomId: room.id,
    state: 'MAKING',
    progress: 0,
    createTimestamp: new Date().toISOString(),
    expireTimestamp: new Date().toISOString(),
    ...changes,
  })
  const localDay = (at: Date) =>
    `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}`
  async function exporting(room = aRoom()) {
    const { user } = opened(room)
    await user.click(await button('Export'))
    const view = await dialog('Export Flood')
    const type = async (label: string, day: string) => {
      const field = view.getByLabelText(label)
      await user.clear(field)
      if (day) await user.type(field, day)
    }
    return { user, room, view, type }
  }

  test('is of the month up to the last message', async () => {
    const last = new Date(Date.now() - 7 * 86_400_000)
    const { view } = await exporting(aRoom({ last_message_at: last.toISOString() }))
    const shown = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' }).format(last)
    expect(view.getByLabelText('End Date')).toHaveValue(shown)
    const start = new Date(view.getByLabelText<HTMLInputElement>('Start Date').value)
    const days = (last.getTime() - start.getTime()) / 86_400_000
    expect(days).toBeGreaterThan(27)
    expect(days).toBeLessThan(33)
  })

  test('needs days that are in order and not to come', async () => {
    const { view, type, user } = await exporting()
    await type('Start Date', '')
    expect(await view.findByText('Start date is required.')).toBeVisible()
    await type('End Date', '')
    expect(await view.findByText('End date is required.')).toBeVisible()
    await type('Start Date', '2026-02-02')
    await type('End Date', '2026-02-01')
    expect(await view.findByText('The start date must match or precede the end date.')).toBeVisible()
    expect(view.getByText('The end date must match or be after the start date.')).toBeVisible()
    await type('End Date', localDay(new Date(Date.now() + 2 * 86_400_000)))
    expect(await view.findByText('The dates of an export cannot be in the future.')).toBeVisible()
    await user.click(view.getByRole('button', { name: 'Export' }))
    expect(view.getByLabelText('Start Date')).toBeVisible()
  })

  test('is made while it is watched or not, and downloaded', async () => {
    const saved = vi.spyOn(saving, 'saveFile').mockReturnValue()
    const { user, room, view, type } = await exporting()
    let body: Record<string, string> = {}
    let state: Partial<RoomExport> = { progress: 40 }
    server.use(
      http.post(`${API}/stream/exportChannel`, async ({ request }) => {
        body = (await request.json()) as Record<string, string>
        return HttpResponse.json(anExport(room), { status: 201 })
      }),
      http.get(`${API}/chat/exports/:id`, () => HttpResponse.json(anExport(room, state))),
      http.get(`${API}/chat/exports/:id/file`, () =>
        HttpResponse.text('zip', { headers: { 'Content-Disposition': 'attachment; filename="Flood.zip"' } }),
      ),
    )
    await type('Start Date', '2026-02-01')
    await type('End Date', '2026-02-03')
    await user.click(view.getByRole('button', { name: 'Export' }))
    const bar = await screen.findByRole('progressbar')
    await waitFor(() => expect(bar).toHaveAttribute('aria-valuenow', '40'))
    expect(body).toEqual({
      id: room.id,
      type: 'team',
      messagesSince: new Date('2026-02-01T00:00:00').toISOString(),
      messagesUntil: new Date('2026-02-03T23:59:59.999').toISOString(),
    })
    await user.click((await dialog('Export Flood')).getByRole('button', { name: 'Close' }))
    state = { state: 'READY', progress: 100 }
    await user.click(await button('Export'))
    const again = await dialog('Export Flood')
    await user.click(await again.findByRole('button', { name: 'Download' }))
    await waitFor(() => expect(saved).toHaveBeenCalledWith(expect.anything(), 'Flood.zip'))
  })
})
