import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'

import { signedIn } from '#tests/support/client.tsx'
import { aMessage, aRoom, uuidOf } from '#tests/support/client-chat.ts'
import { FakeEngine, ROOM } from '#tests/support/client-chat-engine.ts'

import { HttpProblem, NO_ANSWER } from '../problem.ts'
import { endSession, getSession } from '../session.ts'
import { Chat } from './chat.ts'
import { unread } from './unread.ts'

let engine: FakeEngine
let chat: Chat
let stop: () => void
beforeEach(() => {
  localStorage.clear()
  signedIn()
  engine = new FakeEngine()
  chat = new Chat()
  chat.provider = engine.provider
  stop = chat.start()
  return () => stop()
})
const sequences = () => chat.timeline(ROOM).messages.map(({ sequence }) => sequence)
const opened = async (count: number) => {
  engine.messages = Array.from({ length: count }, (_, n) => aMessage(ROOM, n + 1))
  engine.rooms = [aRoom(1, { sequence: count, membership: { ...aRoom(1).membership, readSequence: count } })]
  await chat.loadRoom(ROOM)
  await chat.open(ROOM)
}

test('a change that comes while a page is fetched is not undone by that page', async () => {
  engine.messages = [aMessage(ROOM, 1)]
  engine.rooms = [aRoom(1, { sequence: 1 })]
  await chat.loadRoom(ROOM)
  const { promise, resolve } = Promise.withResolvers<void>()
  engine.held = promise
  const asked = chat.open(ROOM)
  engine.says(aMessage(ROOM, 1, { text: '<p>Edited</p>', editedAt: '2026-01-01T00:01:00.000Z' }))
  engine.says(aMessage(ROOM, 2))
  resolve()
  await asked
  expect(chat.timeline(ROOM).messages.map(({ text }) => text)).toEqual(['<p>Edited</p>', '<p>Text 2</p>'])
})

test('what came between the first page and the connection is not missed', async () => {
  await opened(3)
  engine.saysToNobody(aMessage(ROOM, 4))
  engine.connects()
  await vi.waitFor(() => expect(sequences()).toEqual([1, 2, 3, 4]))
  expect(chat.room(ROOM)?.membership.unread).toBe(1)
})

test('what came meanwhile is not missed either where the engine did not say how far it was', async () => {
  stop()
  engine.provider.summary = () => Promise.reject(new TypeError('Failed to fetch'))
  stop = chat.start()
  await opened(3)
  engine.messages.push(aMessage(ROOM, 4))
  engine.connects()
  await vi.waitFor(() => expect(sequences()).toEqual([1, 2, 3, 4]))
})

test('older pages join those that are there, each message once', async () => {
  await opened(50)
  expect(sequences()).toEqual(Array.from({ length: 20 }, (_, n) => n + 31))
  await chat.loadOlder(ROOM)
  await chat.loadOlder(ROOM)
  await chat.loadOlder(ROOM)
  expect(sequences()).toEqual(Array.from({ length: 50 }, (_, n) => n + 1))
  expect(chat.timeline(ROOM).hasOlder).toBe(false)
})

test('a page that still shows the first message asks for older ones as soon as it is told of some', async () => {
  await opened(50)
  const { promise, resolve } = Promise.withResolvers<void>()
  onTestFinished(
    chat.watch(`timeline ${ROOM}`, () => {
      if (sequences()[0] === 1) resolve()
      else void chat.loadOlder(ROOM)
    }),
  )
  void chat.loadOlder(ROOM)
  await promise
})

test('a message that is heard of twice is there once', async () => {
  await opened(3)
  engine.says(aMessage(ROOM, 4))
  engine.says(aMessage(ROOM, 4))
  expect(sequences()).toEqual([1, 2, 3, 4])
})

test('messages are sent one after the other, in the order in which they were written', async () => {
  await opened(0)
  const { promise, resolve } = Promise.withResolvers<void>()
  engine.send = async (message) => {
    if (message.text === 'one') await promise
    return engine.stored(message)
  }
  for (const text of ['one', 'two', 'three']) chat.send(ROOM, { text, files: [], replyTo: null })
  expect(chat.pending(ROOM).map(({ status }) => status)).toEqual(['sending', 'sending', 'sending'])
  resolve()
  await vi.waitFor(() => expect(engine.sent.map(({ text }) => text)).toEqual(['one', 'two', 'three']))
  await vi.waitFor(() => expect(chat.pending(ROOM)).toEqual([]))
  expect(chat.timeline(ROOM).messages.map(({ text }) => text)).toEqual(['one', 'two', 'three'])
})

test('a message that fails is kept and sent again as the same one', async () => {
  await opened(0)
  const works = engine.send
  engine.send = () => Promise.reject(new TypeError('Failed to fetch'))
  chat.send(ROOM, { text: 'Nobody may miss this', files: [], replyTo: null })
  await vi.waitFor(() => expect(chat.pending(ROOM)[0]?.status).toBe('failed'))
  const { clientId } = chat.pending(ROOM)[0]!

  // The page is closed and opened again.
  stop()
  stop = chat.start()
  expect(chat.pending(ROOM)).toMatchObject([{ clientId, status: 'failed', text: 'Nobody may miss this' }])
  engine.send = works
  chat.retry(ROOM, clientId)
  await vi.waitFor(() => expect(chat.pending(ROOM)).toEqual([]))
  expect(engine.sent.map((one) => one.clientId)).toEqual([clientId])
  stop()
  stop = chat.start()
  expect(chat.pending(ROOM)).toEqual([])
})

test('what a lost connection held up is sent with the next one, in order and once; a refusal waits', async () => {
  await opened(0)
  const works = engine.send
  const asked: string[] = []
  engine.send = ({ text }) => {
    asked.push(text)
    return Promise.reject(
      text === 'refused'
        ? new HttpProblem('No.', 403, { code: 'forbidden', message: 'No.' })
        : new HttpProblem(NO_ANSWER, 0),
    )
  }
  for (const text of ['refused', 'one', 'two']) chat.send(ROOM, { text, files: [], replyTo: null })
  const states = () => chat.pending(ROOM).map(({ status }) => status)
  await vi.waitFor(() => expect(states()).toEqual(['failed', 'failed', 'failed']))
  // The second waits behind the first.
  expect(asked).toEqual(['refused', 'one'])

  engine.send = works
  engine.connects()
  chat.send(ROOM, { text: 'three', files: [], replyTo: null })
  await vi.waitFor(() => expect(states()).toEqual(['failed']))
  engine.connects()
  await Promise.resolve()
  expect(engine.sent.map(({ text }) => text)).toEqual(['one', 'two', 'three'])
  expect(chat.pending(ROOM)).toMatchObject([{ text: 'refused', problem: 'No.' }])
})

test('nothing unsent stays in the browser of somebody who signs out', async () => {
  await opened(0)
  engine.send = () => Promise.reject(new TypeError('Failed to fetch'))
  chat.send(ROOM, { text: 'Secret', files: [], replyTo: null })
  await vi.waitFor(() => expect(chat.pending(ROOM)[0]?.status).toBe('failed'))
  endSession('left')
  stop()
  expect(JSON.stringify(localStorage)).not.toContain('Secret')
  stop = chat.start()
})

test('a message whose answer was lost is not shown as failed once it is heard of', async () => {
  await opened(0)
  engine.send = (message) => {
    engine.says(engine.stored(message))
    return Promise.reject(new TypeError('Failed to fetch'))
  }
  chat.send(ROOM, { text: 'Once', files: [], replyTo: null })
  await vi.waitFor(() => expect(sequences()).toEqual([1]))
  await Promise.resolve()
  expect(chat.pending(ROOM)).toEqual([])
})

test('counts what is unread in the room and altogether, and forgets it when it is read', async () => {
  await opened(2)
  const total = vi.spyOn(unread, 'add')
  engine.says(aMessage(ROOM, 3))
  engine.says(aMessage(ROOM, 4))
  expect(chat.room(ROOM)?.membership.unread).toBe(2)
  expect(total.mock.calls.flat()).toEqual([1, 1])
  chat.read(ROOM, 4)
  expect(chat.room(ROOM)?.membership.unread).toBe(0)
  expect(total.mock.calls.flat()).toEqual([1, 1, -2])
  await vi.waitFor(() => expect(engine.reads).toEqual([4]))
  // Messages read on another device do not count as unread again.
  engine.tell({ type: 'chat-read', roomId: ROOM, userId: getSession().uuid!, sequence: 4 })
  expect(chat.room(ROOM)?.membership.unread).toBe(0)
})

test('what one has written oneself is not unread', async () => {
  await opened(1)
  engine.says(aMessage(ROOM, 2, { user: getSession().uuid! }))
  expect(chat.room(ROOM)?.membership).toMatchObject({ readSequence: 2, unread: 0 })
})

test('who is removed loses the room and its messages at once', async () => {
  await opened(3)
  engine.toldOf({
    type: 'chat',
    kind: 'members',
    roomId: ROOM,
    sequence: 0,
    members: [{ user_id: getSession().uuid!, channel_role: 'member', left: true }],
  })
  expect(chat.room(ROOM)).toBeNull()
  expect(sequences()).toEqual([])
})

test('a list has its newest rooms first, below Headquarters, and grows by pages', async () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 2, 0, minute)).toISOString()
  const hq = aRoom(900, { isHeadquarters: true, name: 'Headquarters' })
  engine.rooms = [hq, ...Array.from({ length: 24 }, (_, n) => aRoom(n + 1, { last_message_at: at(24 - n) }))]
  await chat.loadList('WAR_ROOM')
  expect(chat.list('WAR_ROOM').rooms).toHaveLength(20)
  expect(chat.list('WAR_ROOM').hasMore).toBe(true)
  // A room that was not loaded gets a message and moves up in the list.
  engine.rooms = engine.rooms.map((room) =>
    room.id === uuidOf(24) ? { ...room, sequence: 1, last_message_at: at(59) } : room,
  )
  engine.rooms.sort((a, b) =>
    a.isHeadquarters ? -1 : b.isHeadquarters ? 1 : b.last_message_at!.localeCompare(a.last_message_at!),
  )
  engine.says(aMessage(uuidOf(24), 1, { created_at: at(59) }))
  await vi.waitFor(() => expect(chat.list('WAR_ROOM').rooms[1]?.id).toBe(uuidOf(24)))
  expect(chat.list('WAR_ROOM').rooms[0]?.isHeadquarters).toBe(true)
  await chat.loadMore('WAR_ROOM')
  const ids = chat.list('WAR_ROOM').rooms.map(({ id }) => id)
  expect(new Set(ids).size).toBe(25)
  expect(ids).toHaveLength(25)
  expect(chat.list('WAR_ROOM').hasMore).toBe(false)
})

test('somebody who stops typing is no longer said to type', async () => {
  vi.useFakeTimers()
  try {
    engine.tell({ type: 'chat-typing', roomId: ROOM, userId: uuidOf(101) })
    expect(chat.typing(ROOM)).toEqual([uuidOf(101)])
    vi.advanceTimersByTime(6_000)
    expect(chat.typing(ROOM)).toEqual([])
    engine.tell({ type: 'chat-typing', roomId: ROOM, userId: uuidOf(101) })
    engine.says(aMessage(ROOM, 1))
    expect(chat.typing(ROOM)).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})

test('after a gap everything that is shown is asked for again', async () => {
  await opened(3)
  engine.messages.push(aMessage(ROOM, 4))
  engine.rooms = [aRoom(1, { sequence: 4 })]
  await chat.loadList('WAR_ROOM')
  engine.tell({ type: 'chat-gap' })
  await vi.waitFor(() => expect(sequences()).toEqual([1, 2, 3, 4]))
})
