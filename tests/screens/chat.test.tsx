import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { delay, http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import type { ChatChange, ChatSignal, LastMessage, Room } from '#contract/chat/schema.ts'
import { writeDraft } from '#providers/chat/drafts.ts'
import { keptKey } from '#providers/chat/kept.ts'
import { PRIVILEGED_HEADER } from '#src/kit/theme/palette.ts'
import { moveBetweenMessages } from '#src/chat/room/moveBetweenMessages.ts'
import { timelineItems } from '#src/chat/room/timelineValues.ts'
import {
  answer,
  API,
  aProblem,
  change,
  FakeSocket,
  laidOut,
  open,
  server,
  signedIn,
  windowIs,
} from '#tests/support/client.tsx'
import { aMessage, aPerson, aRoom, uuidOf } from '#tests/support/client-chat.ts'

const HOUR = 3_600_000
const asked: { kind: string; range: [number, number] }[] = []

/** Serves these rooms without messages. */
function has(rooms: readonly Room[]) {
  asked.length = 0
  server.use(
    http.get(`${API}/chat/rooms`, ({ request }) => {
      const { searchParams } = new URL(request.url)
      const { kind } = JSON.parse(searchParams.get('filter')!) as { kind: string }
      const range = JSON.parse(searchParams.get('range')!) as [number, number]
      asked.push({ kind, range })
      const mine = rooms.filter((room) => room.kind === kind)
      return HttpResponse.json(mine.slice(range[0], range[1] + 1), {
        headers: { 'Content-Range': `rooms ${range[0]}-${range[1]}/${mine.length}` },
      })
    }),
    http.get(`${API}/chat/rooms/:id`, ({ params }) => {
      const room = rooms.find(({ id }) => id === params['id'])
      return room ? HttpResponse.json(room) : HttpResponse.json(aProblem('No.'), { status: 404 })
    }),
    http.get(`${API}/chat/rooms/:id/messages`, () =>
      HttpResponse.json({ messages: [], people: [], hasOlder: false, hasNewer: false }),
    ),
    http.get(`${API}/chat/rooms/:id/members`, () => HttpResponse.json([])),
  )
}
const list = (name: string) => screen.getByRole('region', { name })
const unreadRoom = (n: number, unread: number): Room =>
  aRoom(n, { sequence: unread, membership: { ...aRoom(n).membership, unread } })
const socketSays = (frame: ChatChange | ChatSignal) => act(() => FakeSocket.last!.say(frame as never))

beforeEach(laidOut)

describe('the room of an incident that is open to the person', () => {
  const incidentId = uuidOf(77)
  /** Counts requests for the room, which is closed to the person until they enter it. */
  const closedUntilEntered = (answer: () => Response) => {
    const asked: string[] = []
    server.use(
      http.get(`${API}/chat/rooms/${uuidOf(5)}`, () => {
        asked.push('read')
        return HttpResponse.json(aProblem('No.'), { status: 404 })
      }),
      http.post(`${API}/incident/${incidentId}/room`, () => {
        asked.push('entered')
        return answer()
      }),
    )
    return asked
  }

  test('is entered with the first visit', async () => {
    signedIn('USER')
    has([])
    const asked = closedUntilEntered(() => HttpResponse.json(aRoom(5, { name: 'Flood in the hall' })))
    open(`/chat/${uuidOf(5)}?incident=${incidentId}`)
    expect(await screen.findByRole('link', { name: 'Flood in the hall' })).toBeVisible()
    expect(await screen.findByRole('textbox', { name: 'Message' })).toBeVisible()
    expect(asked).toEqual(['entered'])
  })

  test('is not there once the server keeps it closed', async () => {
    signedIn('USER')
    has([])
    closedUntilEntered(() => HttpResponse.json(aProblem('You left it.'), { status: 403 }))
    open(`/chat/${uuidOf(5)}?incident=${incidentId}`)
    expect(await screen.findByText('This chat does not exist, or you are no longer in it.')).toBeVisible()
  })
})

describe('the lists', () => {
  test('have each room in its place, Headquarters first', async () => {
    signedIn('USER')
    has([
      aRoom(9, { name: 'Headquarters', isHeadquarters: true }),
      aRoom(1, { name: 'Ransomware', last_message_at: '2026-01-03T00:00:00.000Z' }),
      aRoom(2, { name: 'Payroll', kind: 'BREAKOUT_ROOM', isWarRoom: false }),
      aRoom(3, {
        kind: 'DIRECT_MESSAGE',
        type: 'messaging',
        name: null,
        isWarRoom: false,
        member_count: 7,
        people: [1, 2, 3, 4, 5, 6].map((n) => aPerson(n, { firstName: `P${n}`, lastName: '' })),
      }),
    ])
    open('/chat')
    await screen.findByRole('link', { name: 'Ransomware' })
    const names = (name: string) =>
      within(list(name))
        .getAllByRole('link')
        .map(({ textContent }) => textContent)
    expect(names('War Rooms')).toEqual(['Headquarters', 'Ransomware'])
    expect(names('Breakout Rooms')).toEqual(['Payroll'])
    expect(names('Direct Messages')).toEqual(['P1, P2, P3, P4 +2'])
  })

  test('show the newest message behind its author, with the time, the weekday or the date', async () => {
    const { uuid } = signedIn('USER')
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 2, 12, 14, 5).getTime() })
    const last = (at: Date, changes: Partial<LastMessage> = {}): LastMessage => ({
      user: aPerson(1).uuid,
      text: 'Water',
      deleted: false,
      hasAttachments: false,
      isCall: false,
      created_at: at.toISOString(),
      author: aPerson(1),
      ...changes,
    })
    const at = (n: number, lastMessage: LastMessage, changes: Partial<Room> = {}) =>
      aRoom(n, { lastMessage, last_message_at: lastMessage.created_at, ...changes })
    has([
      at(1, last(new Date(2026, 2, 12, 9, 30))),
      at(2, last(new Date(2026, 2, 11, 23, 59), { user: uuid, text: 'at <b>' })),
      at(3, last(new Date(2026, 2, 5, 9), { text: '', hasAttachments: true })),
      at(4, last(new Date(2025, 2, 5, 9), { text: '', deleted: true })),
    ])
    open('/chat')
    const row = (name: RegExp) => screen.findByRole('link', { name })
    expect(await row(/Room 1/)).toHaveTextContent(/Grace: Water.*09:30\sAM/)
    expect(await row(/Room 2/)).toHaveTextContent(/You: at <b>.*Wed/)
    expect(await row(/Room 3/)).toHaveTextContent(/Grace: sent a file.*Mar 5$/)
    expect(await row(/Room 4/)).toHaveTextContent(/This message was deleted\..*Mar 5, 2025/)
    vi.useRealTimers()
  })

  test('mark mentions apart from unread messages, which a muted room hides', async () => {
    signedIn('USER')
    const my = (n: number, changes: Partial<Room['membership']>) =>
      aRoom(n, { sequence: 5, membership: { ...aRoom(n).membership, unread: 5, ...changes } })
    has([my(1, { mentions: 2 }), my(2, { isMuted: true }), my(3, { isMuted: true, mentions: 1 })])
    open('/chat')
    const lists = within(await screen.findByRole('navigation', { name: 'Chats' }))
    const row = (name: RegExp) => lists.findByRole('link', { name })
    expect(await row(/Room 1/)).toHaveAccessibleName(/2 unread mentions.*5 unread messages/)
    expect(await row(/Room 2/)).not.toHaveAccessibleName(/unread/)
    expect(await row(/Room 3/)).toHaveAccessibleName(/Muted.*1 unread mention$/)
  })

  test('mark rooms with a draft as soon as there is one, and no longer once it is gone', async () => {
    const { uuid } = signedIn('USER')
    has([aRoom(1), aRoom(2)])
    open('/chat')
    const row = (name: RegExp) => screen.findByRole('link', { name })
    expect(await row(/Room 1/)).not.toHaveTextContent('Draft')
    const key = keptKey('draft', uuid, uuidOf(1))
    act(() => writeDraft(key, '{}'))
    expect(await row(/Room 1/)).toHaveTextContent('Draft')
    expect(await row(/Room 2/)).not.toHaveTextContent('Draft')
    act(() => writeDraft(key, null))
    expect(await row(/Room 1/)).not.toHaveTextContent('Draft')
  })

  test.each(['button', 'right button', 'long press'])(
    'open the settings of a room by its %s, and put a favourite first',
    async (way) => {
      signedIn('USER')
      const rooms = [
        aRoom(1, { last_message_at: '2026-01-03T00:00:00.000Z' }),
        aRoom(2, { last_message_at: '2026-01-02T00:00:00.000Z' }),
      ]
      has(rooms)
      const changes: unknown[] = []
      server.use(
        http.patch(`${API}/chat/rooms/${uuidOf(2)}/membership`, async ({ request }) => {
          const body = (await request.json()) as object
          changes.push(body)
          return HttpResponse.json({ ...rooms[1], membership: { ...rooms[1]!.membership, ...body } })
        }),
      )
      open('/chat')
      const link = await screen.findByRole('link', { name: 'Room 2' })
      if (way === 'button') await userEvent.click(screen.getByRole('button', { name: 'Settings of Room 2' }))
      else if (way === 'right button') fireEvent.contextMenu(link, { clientX: 10, clientY: 10 })
      else {
        fireEvent.touchStart(link, { touches: [{ clientX: 10, clientY: 10 }] })
        await screen.findByRole('menu')
        fireEvent.touchEnd(link)
        // The finger's click does not follow the link.
        expect(fireEvent.click(link)).toBe(false)
      }
      await userEvent.click(await screen.findByRole('menuitem', { name: 'Add to favorites' }))
      await waitFor(() => expect(changes).toEqual([{ isFavourite: true }]))
      await waitFor(() =>
        expect(
          within(list('War Rooms'))
            .getAllByRole('link')
            .map(({ textContent }) => textContent),
        ).toEqual(['Room 2Favorite', 'Room 1']),
      )
    },
  )

  test('load twenty rooms, and the rest when asked', async () => {
    signedIn('USER')
    has(Array.from({ length: 25 }, (_, n) => aRoom(n + 1)))
    open('/chat')
    await screen.findByRole('link', { name: 'Room 1' })
    expect(within(list('War Rooms')).getAllByRole('link')).toHaveLength(20)
    await userEvent.click(within(list('War Rooms')).getByRole('button', { name: 'Load More' }))
    await waitFor(() => expect(within(list('War Rooms')).getAllByRole('link')).toHaveLength(25))
    expect(within(list('War Rooms')).queryByRole('button', { name: 'Load More' })).toBeNull()
    expect(asked.at(-1)).toEqual({ kind: 'WAR_ROOM', range: [20, 39] })
  })

  test('say how much is unread, up to 99', async () => {
    signedIn('USER')
    has([unreadRoom(1, 99), unreadRoom(2, 101)])
    open('/chat')
    const lists = within(await screen.findByRole('navigation', { name: 'Chats' }))
    expect(await lists.findByRole('link', { name: /Room 1.*99 unread messages/ })).toHaveTextContent(/1?99/)
    expect(lists.getByRole('link', { name: /Room 2/ })).toHaveTextContent('99+')
  })

  test('have those with something unread beside them while none is open, and ways to begin', async () => {
    signedIn('USER')
    has([unreadRoom(1, 3), aRoom(2)])
    open('/chat')
    const unread = within(await screen.findByRole('region', { name: 'Unread' }))
    expect(unread.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('Room 1'),
    ])
    expect(screen.getByRole('link', { name: 'Write a direct message' })).toHaveAttribute(
      'href',
      '/chat?new=DIRECT_MESSAGE',
    )
    cleanup()
    has([aRoom(1)])
    open('/chat')
    expect(await screen.findByText(/^You have read everything/)).toBeVisible()
    expect(screen.queryByRole('region', { name: 'Unread' })).toBeNull()
  })

  test('are folded, and stay so', async () => {
    signedIn('USER')
    has([aRoom(1)])
    open('/chat')
    const fold = () => screen.getByRole('button', { name: 'War Rooms' })
    await screen.findByRole('link', { name: 'Room 1' })
    await userEvent.click(fold())
    expect(fold()).toHaveAttribute('aria-expanded', 'false')
    expect(screen.queryByRole('link', { name: 'Room 1' })).toBeNull()
    cleanup()
    open('/chat')
    await waitFor(() => expect(fold()).toHaveAttribute('aria-expanded', 'false'))
  })

  test('say so when there is nothing', async () => {
    signedIn('USER')
    has([])
    open('/chat')
    await waitFor(() => expect(screen.getAllByText('No channels to show.')).toHaveLength(3))
  })

  test('offer to load the page again when they cannot be loaded', async () => {
    signedIn('USER')
    has([])
    answer('get', '/chat/rooms', aProblem('No.'), 500)
    open('/chat')
    expect(await screen.findByText('An error occurred loading channels.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Reload Page' })).toBeVisible()
  })

  test('give up after thirty seconds', async () => {
    signedIn('USER')
    has([])
    server.use(http.get(`${API}/chat/rooms`, () => delay('infinite')))
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    open('/chat')
    await waitFor(() => expect(timeout).toHaveBeenCalledWith(30_000))
    timeout.mockRestore()
  })

  test('offer no rooms to external people, only direct messages', async () => {
    const { user, permissions } = signedIn('USER')
    const external = { ...user, type: 'EXTERNAL' as const }
    change({ user: external })
    answer('get', '/me', { user: external, userPermissions: permissions })
    has([])
    open('/chat')
    expect(await screen.findByRole('button', { name: 'Write a direct message' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Create a war room' })).toBeNull()
  })
})

describe('a room', () => {
  test('that does not exist leads back', async () => {
    signedIn('USER')
    has([])
    open(`/chat/${uuidOf(404)}`)
    expect(await screen.findByText('This chat does not exist, or you are no longer in it.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'All chats' })).toHaveAttribute('href', '/chat')
  })

  test('says who is typing: two names, then others', async () => {
    signedIn('USER')
    const [grace, alan, edsger] = [1, 2, 3].map((n) => aPerson(n, { firstName: `P${n}`, lastName: 'Known' }))
    has([aRoom(1)])
    answer('get', '/chat/rooms/:id/messages', {
      messages: [],
      people: [grace, alan, edsger] as never,
      hasOlder: false,
      hasNewer: false,
    })
    open(`/chat/${uuidOf(1)}`)
    await screen.findByText('No messages yet. Write the first one.')
    const types = (userId: string) => socketSays({ type: 'chat-typing', roomId: uuidOf(1), userId })
    types(grace!.uuid)
    expect(await screen.findByText('P1 Known is typing…')).toBeVisible()
    types(alan!.uuid)
    expect(await screen.findByText('P1 Known and P2 Known are typing…')).toBeVisible()
    types(edsger!.uuid)
    expect(await screen.findByText('P1 Known, P2 Known and others are typing…')).toBeVisible()
  })

  test('whose other people are archived can be read, not written in', async () => {
    signedIn('USER')
    has([
      aRoom(1, {
        isArchived: true,
        kind: 'DIRECT_MESSAGE',
        name: null,
        people: [aPerson(1, { active: false })],
      }),
    ])
    open(`/chat/${uuidOf(1)}`)
    expect(
      await screen.findByText(
        'You are viewing an archive of this chat. You cannot send messages in archived chats.',
      ),
    ).toBeVisible()
    expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull()
  })

  test('is left at once by who is removed', async () => {
    const { uuid } = signedIn('USER')
    has([aRoom(1, { name: 'Ransomware' })])
    open(`/chat/${uuidOf(1)}`)
    expect(await screen.findByRole('heading', { name: 'Ransomware' })).toBeVisible()
    has([])
    socketSays({
      type: 'chat',
      kind: 'members',
      roomId: uuidOf(1),
      sequence: 5,
      members: [{ user_id: uuid, channel_role: 'member', left: true }],
    })
    expect(await screen.findByText('This chat does not exist, or you are no longer in it.')).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Ransomware' })).toBeNull()
  })

  test('is found by its name', async () => {
    signedIn('USER')
    has([aRoom(1), aRoom(2, { name: 'Payroll' })])
    server.use(
      http.get(`${API}/chat/rooms`, ({ request }) => {
        const { q } = JSON.parse(new URL(request.url).searchParams.get('filter')!) as { q?: string }
        return HttpResponse.json(q === 'pay' ? [aRoom(2, { name: 'Payroll' })] : [])
      }),
    )
    open('/chat')
    await screen.findAllByText('No channels to show.')
    await userEvent.click(screen.getByRole('button', { name: 'Find a chat' }))
    await userEvent.type(await screen.findByRole('combobox', { name: 'Find a chat' }), 'pay')
    await userEvent.click(await screen.findByRole('option', { name: 'Payroll' }))
    expect(await screen.findByRole('heading', { name: 'Payroll' })).toBeVisible()
  })
})

describe('the search of messages', () => {
  function searching(rooms: readonly Room[]) {
    const searches: Record<string, unknown>[] = []
    has(rooms)
    server.use(
      http.get(`${API}/chat/rooms`, ({ request }) => {
        const { q } = JSON.parse(new URL(request.url).searchParams.get('filter')!) as { q?: string }
        return HttpResponse.json(rooms.filter(({ name }) => !q || name!.toLowerCase().includes(q)))
      }),
      http.get(`${API}/chat/search`, ({ request }) => {
        searches.push(Object.fromEntries(new URL(request.url).searchParams))
        return HttpResponse.json({ messages: [], people: [], next: null })
      }),
      http.get(`${API}/authentication/users/search`, () =>
        HttpResponse.json({ users: [aPerson(4, { firstName: 'Zoe' })], hasExternals: false }),
      ),
    )
    return searches
  }

  test('needs no open room, and finds authors of all rooms and any room', async () => {
    signedIn('USER')
    const searches = searching([aRoom(1), aRoom(2, { name: 'Payroll' })])
    open('/chat')
    await userEvent.click(await screen.findByRole('link', { name: 'Search messages of all chats' }))
    await userEvent.type(await screen.findByRole('combobox', { name: 'Written by' }), 'zo')
    await userEvent.click(await screen.findByRole('option', { name: 'Zoe Hopper 4' }))
    await userEvent.type(screen.getByRole('searchbox'), 'pump')
    await waitFor(() => expect(searches).toMatchObject([{ q: 'pump', userId: uuidOf(104) }]))
    await userEvent.type(screen.getByRole('combobox', { name: 'Chat' }), 'pay')
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1))
    await userEvent.click(screen.getByRole('option', { name: 'Payroll' }))
    await waitFor(() => expect(searches.at(-1)).toMatchObject({ q: 'pump', roomId: uuidOf(2) }))
    expect(searches.at(-1)).not.toHaveProperty('userId')
  })
})

describe('the header of a room', () => {
  test('is crimson while a war room is privileged', async () => {
    signedIn('USER')
    has([aRoom(1, { privileged: true })])
    open(`/chat/${uuidOf(1)}`)
    const heading = await screen.findByRole('heading', { name: 'Room 1' })
    expect(heading.closest('header')).toHaveStyle({ backgroundColor: PRIVILEGED_HEADER })
    expect(await screen.findByText(/^Privileged · /)).toBeVisible()
  })

  test('names fifteen people of a direct message and counts the others', async () => {
    signedIn('USER')
    const people = Array.from({ length: 15 }, (_, n) => aPerson(n + 1))
    has([aRoom(1, { kind: 'DIRECT_MESSAGE', name: null, isWarRoom: false, people, member_count: 19 })])
    open(`/chat/${uuidOf(1)}`)
    const names = people.map(({ firstName, lastName }) => `${firstName} ${lastName}`).join(', ')
    expect(await screen.findByRole('heading', { name: `${names} +3` })).toBeVisible()
  })

  test('opens a panel of 275 pixels beside the room', async () => {
    windowIs('wide')
    signedIn('USER')
    has([aRoom(1)])
    open(`/chat/${uuidOf(1)}`)
    await userEvent.click(await screen.findByRole('button', { name: 'Search' }))
    const field = await screen.findByRole('searchbox')
    expect(field.closest('aside')).toHaveStyle({ width: '275px' })
    vi.unstubAllGlobals()
  })
})

test('Alt+Shift+ArrowDown opens the next unread room, and the first one after the last', async () => {
  signedIn('USER')
  has([unreadRoom(1, 2), aRoom(2), unreadRoom(3, 1)])
  open('/chat')
  await screen.findByRole('link', { name: /^Room 3/ })
  const next = () => userEvent.keyboard('{Alt>}{Shift>}{ArrowDown}{/Shift}{/Alt}')
  await next()
  expect(await screen.findByRole('heading', { name: 'Room 1' })).toBeVisible()
  await next()
  expect(await screen.findByRole('heading', { name: 'Room 3' })).toBeVisible()
})

test('the switcher begins with unread rooms, also those beyond the first page', async () => {
  signedIn('USER')
  has([])
  server.use(
    http.get(`${API}/chat/rooms`, ({ request }) => {
      const { isUnread } = JSON.parse(new URL(request.url).searchParams.get('filter')!) as {
        isUnread?: boolean
      }
      return HttpResponse.json(isUnread ? [unreadRoom(30, 2)] : [aRoom(1), aRoom(2)])
    }),
  )
  open('/chat')
  await screen.findByRole('navigation', { name: 'Chats' })
  await userEvent.click(screen.getByRole('button', { name: 'Find a chat' }))
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(3))
  expect(screen.getAllByRole('option')[0]!).toHaveTextContent('Room 30')
})

test('unread messages are counted in the menu, wherever one is', async () => {
  signedIn('USER')
  has([])
  answer('get', '/chat/summary', { sequence: 4, unreadRooms: 1, unreadMessages: 3, warRooms: 1 })
  const icon = document.head.appendChild(document.createElement('link'))
  icon.rel = 'icon'
  icon.setAttribute('href', '/icon.svg')
  open('/')
  expect(await screen.findByRole('link', { name: 'Messaging 3' })).toBeVisible()
  const message = aMessage(uuidOf(1), 1)
  socketSays({ type: 'chat', kind: 'message', sequence: 5, roomId: uuidOf(1), message, people: [aPerson(1)] })
  expect(await screen.findByRole('link', { name: 'Messaging 4' })).toBeVisible()
  expect(icon).toHaveAttribute('href', expect.stringMatching(/^data:image\/svg|icon-dot\.svg/))
  icon.remove()
})

describe('the messages of a room', () => {
  const at = (ms: number) => new Date(Date.UTC(2026, 0, 5, 6) + ms).toISOString()
  const rows = (times: readonly number[], newAfter: number | null = null, hasOlder = false) =>
    timelineItems(
      {
        messages: times.map((ms, n) => aMessage(uuidOf(1), n + 11, { created_at: at(ms) })),
        hasOlder,
        hasNewer: false,
      },
      { pending: [], me: uuidOf(999), newAfter },
    )
  const kinds = (items: ReturnType<typeof rows>) =>
    items.map((item) => (item.kind === 'message' ? (item.startsGroup ? 'author' : 'text') : item.kind))

  test('of one author within six hours stand below one name', () => {
    const minute = HOUR / 60
    expect(kinds(rows([0, 6 * HOUR - minute]))).toEqual(['day', 'author', 'text'])
    expect(kinds(rows([0, 6 * HOUR + minute]))).toEqual(['day', 'author', 'author'])
  })

  test('have a line above those that are new, once what was read before them is loaded', () => {
    expect(kinds(rows([0, 1, 2], 11))).toEqual(['day', 'author', 'new', 'author', 'text'])
    expect(kinds(rows([0, 1, 2], 3, true))).toEqual(['author', 'text', 'text'])
    expect(kinds(rows([0, 1], 10))).toEqual(['day', 'new', 'author', 'text'])
  })

  test('have the date above the first of a day, once it is known that it is the first', () => {
    expect(kinds(rows([0, 24 * HOUR], null, true))).toEqual(['author', 'day', 'author'])
    expect(kinds(rows([0, 24 * HOUR]))).toEqual(['day', 'author', 'day', 'author'])
  })
})

test('the list of saved messages has their reminders, and lets one go', async () => {
  signedIn('USER')
  has([aRoom(1)])
  let ids = [5, 4]
  server.use(
    http.get(`${API}/chat/saved`, () =>
      HttpResponse.json({
        messages: ids.map((n) => aMessage(uuidOf(1), n)),
        people: [aPerson(1)],
        next: null,
        saved: ids.map((n) => ({
          messageId: aMessage(uuidOf(1), n).id,
          savedAt: '2026-01-01T00:00:00.000Z',
          remindAt: n === 5 ? '2030-03-12T09:00:00.000Z' : null,
        })),
      }),
    ),
    http.delete(`${API}/chat/messages/${aMessage(uuidOf(1), 5).id}/saved`, () => {
      ids = [4]
      return new HttpResponse(null, { status: 204 })
    }),
  )
  open('/chat')
  await userEvent.click(await screen.findByRole('link', { name: 'Saved' }))
  const panel = await screen.findByRole('region', { name: 'Saved' })
  expect(await within(panel).findByRole('button', { name: /Reminder .*2030.*Text 5/ })).toBeVisible()
  expect(within(panel).getByRole('button', { name: /Text 4/ })).not.toHaveTextContent('Reminder')
  await userEvent.click(within(panel).getAllByRole('button', { name: 'Remove from saved' })[0]!)
  await waitFor(() => expect(within(panel).queryByRole('button', { name: /Text 5/ })).toBeNull())
  expect(within(panel).getByRole('button', { name: /Text 4/ })).toBeVisible()
})

test('arrow keys move between the messages, from the list to the last one, and stay in a field', async () => {
  const message = (n: number) => (
    <article key={n} aria-label={`Message ${n}`}>
      <input aria-label={`Field ${n}`} />
      <div className="acts">
        <button type="button">Reply</button>
        <button type="button">More of {n}</button>
      </div>
    </article>
  )
  render(
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex
    <section aria-label="Messages" tabIndex={0} onKeyDown={moveBetweenMessages}>
      {[1, 2, 3].map(message)}
    </section>,
  )
  const focused = () => document.activeElement?.textContent
  act(() => screen.getByRole('region', { name: 'Messages' }).focus())
  await userEvent.keyboard('{ArrowUp}')
  expect(focused()).toBe('More of 3')
  await userEvent.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}')
  expect(focused()).toBe('More of 1')
  await userEvent.keyboard('{ArrowDown}')
  expect(focused()).toBe('More of 2')
  await userEvent.click(screen.getByRole('textbox', { name: 'Field 1' }))
  await userEvent.keyboard('{ArrowDown}')
  expect(screen.getByRole('textbox', { name: 'Field 1' })).toHaveFocus()
})

describe('the list of mentions', () => {
  const mentionOf = (n: number) => aMessage(uuidOf(1), n, { text: `<p>Mention ${n}</p>` })

  test('has all of them a page at a time, marks unread ones, and opens each in its room', async () => {
    signedIn('USER')
    const cursors: (string | null)[] = []
    has([aRoom(1, { sequence: 9, membership: { ...aRoom(1).membership, readSequence: 8, unread: 1 } })])
    server.use(
      http.get(`${API}/chat/mentions`, ({ request }) => {
        const cursor = new URL(request.url).searchParams.get('cursor')
        cursors.push(cursor)
        const messages = cursor === null ? [mentionOf(9), mentionOf(8)] : [mentionOf(3)]
        return HttpResponse.json({ messages, people: [aPerson(1)], next: cursor === null ? uuidOf(8) : null })
      }),
      http.get(`${API}/chat/messages/:id`, () =>
        HttpResponse.json({ message: mentionOf(3), people: [aPerson(1)] }),
      ),
    )
    open('/chat')
    await userEvent.click(await screen.findByRole('link', { name: 'Mentions' }))
    const panel = await screen.findByRole('region', { name: 'Mentions' })
    expect(await within(panel).findByRole('button', { name: /Unread.*Mention 9/ })).toBeVisible()
    expect(within(panel).getByRole('button', { name: /Mention 8/ })).not.toHaveTextContent('Unread')
    await userEvent.click(within(panel).getByRole('button', { name: 'Load More' }))
    await userEvent.click(await within(panel).findByRole('button', { name: /Room 1.*Mention 3/ }))
    expect(cursors).toEqual([null, uuidOf(8)])
    await waitFor(() =>
      expect(location.pathname + location.search).toBe(`/chat/${uuidOf(1)}?message=${uuidOf(1_003)}`),
    )
  })

  test('says what it is for while it is empty, and offers to try again when it fails', async () => {
    signedIn('USER')
    has([])
    let isBroken = true
    server.use(
      http.get(`${API}/chat/mentions`, () =>
        isBroken
          ? HttpResponse.json(aProblem('No.'), { status: 500 })
          : HttpResponse.json({ messages: [], people: [], next: null }),
      ),
    )
    open('/chat?mentions')
    const retry = await screen.findByRole('button', { name: /Try again|Retry/ }, { timeout: 9_000 })
    isBroken = false
    await userEvent.click(retry)
    expect(await screen.findByText('Messages that mention you are listed here.')).toBeVisible()
  })
})
