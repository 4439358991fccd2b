import { beforeEach, describe, expect, test, vi } from 'vitest'

import { signedIn } from '#tests/support/client.tsx'
import { aMessage, aPerson, aRoom } from '#tests/support/client-chat.ts'
import { FakeEngine, ROOM } from '#tests/support/client-chat-engine.ts'

import { getSession } from '../session.ts'
import { Chat } from './chat.ts'
import { unread } from './unread.ts'

let engine: FakeEngine
let chat: Chat
let me: string
let first: string
/** The number beside the chat in the menu. */
let total = 0
beforeEach(() => {
  localStorage.clear()
  signedIn()
  me = getSession().uuid!
  vi.spyOn(unread, 'set').mockImplementation((value) => void (total = value))
  vi.spyOn(unread, 'add').mockImplementation((difference) => void (total += difference))
  engine = new FakeEngine()
  engine.messages = [aMessage(ROOM, 1), aMessage(ROOM, 2)]
  engine.rooms = [
    aRoom(1, { sequence: 2, membership: { ...aRoom(1).membership, readSequence: 2, unread: 0 } }),
  ]
  first = engine.messages[0]!.id
  chat = new Chat()
  chat.provider = engine.provider
  const stop = chat.start()
  return () => {
    stop()
    vi.restoreAllMocks()
  }
})
async function opened(answers = 2) {
  engine.answers = Array.from({ length: answers }, (_, n) => engine.anAnswer(n + 1))
  await chat.loadRoom(ROOM)
  await chat.open(ROOM)
  await chat.openThread(first, ROOM)
  total = 0
}
const numbers = (id: string) => chat.timeline(id).messages.map(({ sequence }) => sequence)

describe('a thread', () => {
  test('begins with its first message, and pages join below it', async () => {
    await opened(45)
    expect(numbers(first)[0]).toBe(26)
    await chat.loadOlder(first)
    await chat.loadOlder(first)
    expect(numbers(first)).toEqual(Array.from({ length: 46 }, (_, n) => n))
    expect(chat.timeline(first).messages[0]!.id).toBe(first)
    expect(chat.timeline(first).hasOlder).toBe(false)
  })

  test('takes an answer that the room does not show, and the room takes none', async () => {
    await opened()
    engine.says(engine.anAnswer(3))
    expect([numbers(first), numbers(ROOM)]).toEqual([
      [0, 1, 2, 3],
      [1, 2],
    ])
    expect(chat.room(ROOM)).toMatchObject({ sequence: 2, membership: { unread: 0 } })
  })

  test('and the room both show an answer that was also sent to the room', async () => {
    await opened()
    engine.says(engine.anAnswer(3, { sequence: 3 }))
    expect([numbers(first), numbers(ROOM)]).toEqual([
      [0, 1, 2, 3],
      [1, 2, 3],
    ])
    expect(chat.room(ROOM)!.membership.unread).toBe(1)
  })

  test('shows the newest state of its first message and of its answers', async () => {
    await opened()
    engine.says({ ...engine.messages[0]!, text: '', deletedAt: '2026-01-01T00:01:00.000Z' })
    engine.says(engine.anAnswer(1, { text: '<p>Changed</p>' }))
    expect(chat.timeline(first).messages.map(({ text }) => text)).toEqual([
      '',
      '<p>Changed</p>',
      expect.any(String),
    ])
    expect(chat.timeline(ROOM).messages[0]!.deletedAt).not.toBeNull()
  })

  test('that misses an answer says that there are newer ones', async () => {
    await opened()
    engine.says(engine.anAnswer(5))
    expect([numbers(first), chat.timeline(first).hasNewer]).toEqual([[0, 1, 2], true])
  })

  test('is counted at its first message in the room', async () => {
    await opened()
    const answers = { count: 3, last_at: '2026-01-01T00:05:00.000Z', users: [aPerson(1).uuid] }
    engine.toldOf({
      type: 'chat',
      kind: 'thread',
      sequence: 0,
      roomId: ROOM,
      threadId: first,
      answers,
      people: [aPerson(1)],
    })
    expect(chat.timeline(ROOM).messages[0]!.answers).toEqual(answers)
    expect(chat.room(ROOM)).toBeDefined()
  })

  test('is asked for again after a gap, as a thread and not as a room', async () => {
    await opened()
    engine.answers.push(engine.anAnswer(3))
    engine.tell({ type: 'chat-gap' })
    await vi.waitFor(() => expect(numbers(first)).toEqual([0, 1, 2, 3]))
    expect(chat.room(first)).toBeUndefined()
  })

  test('goes with its room', async () => {
    await opened()
    engine.toldOf({ type: 'chat', kind: 'removed', sequence: 0, roomId: ROOM })
    expect([numbers(first), chat.room(ROOM)]).toEqual([[], null])
  })
})

describe('an own answer', () => {
  test('is shown in its thread while it is sent, and is sent to it', async () => {
    await opened()
    const { promise, resolve } = Promise.withResolvers<void>()
    const answer = engine.anAnswer(3, { user: me })
    engine.send = async (message) => {
      engine.sent.push(message)
      await promise
      return { ...answer, clientId: message.clientId }
    }
    chat.send(ROOM, { text: '<p>Mine</p>', files: [], replyTo: null, threadId: first, isAlsoInRoom: true })
    expect([chat.pending(first).length, chat.pending(ROOM).length]).toEqual([1, 0])
    resolve()
    await vi.waitFor(() => expect(numbers(first)).toEqual([0, 1, 2, 3]))
    expect(engine.sent).toMatchObject([{ threadId: first, isAlsoInRoom: true, text: '<p>Mine</p>' }])
    expect(chat.pending(first)).toEqual([])
  })

  test('that failed is tried again in its thread, and found there after a reload', async () => {
    await opened()
    engine.send = () => Promise.reject(Object.assign(new Error('No'), { status: 400 }))
    chat.send(ROOM, { text: '<p>Mine</p>', files: [], replyTo: null, threadId: first })
    await vi.waitFor(() => expect(chat.pending(first)[0]?.status).toBe('failed'))
    const later = new Chat()
    later.provider = engine.provider
    const stop = later.start()
    const [kept] = later.pending(first)
    expect(kept).toMatchObject({ status: 'failed', thread: { id: first } })
    engine.send = (message) => {
      engine.sent.push(message)
      return Promise.resolve(engine.anAnswer(3, { user: me, clientId: message.clientId }))
    }
    later.retry(first, kept!.clientId)
    await vi.waitFor(() => expect(later.pending(first)).toEqual([]))
    expect(engine.sent).toMatchObject([{ threadId: first }])
    stop()
  })
})

describe('unread threads', () => {
  test('come with the summary and by signals, each counted once in the menu', async () => {
    engine.unreadThreads = [first]
    engine.tell({ type: 'chat-gap' })
    await vi.waitFor(() => expect([...chat.unreadThreads()]).toEqual([first]))
    expect(total).toBe(8)
    engine.tell({ type: 'chat-thread', roomId: ROOM, threadId: first, isUnread: true })
    engine.tell({ type: 'chat-thread', roomId: ROOM, threadId: 'other', isUnread: true })
    expect([chat.unreadThreads().size, total]).toEqual([2, 9])
    engine.tell({ type: 'chat-thread', roomId: ROOM, threadId: first, isUnread: false })
    engine.tell({ type: 'chat-thread', roomId: ROOM, threadId: first, isUnread: false })
    expect([[...chat.unreadThreads()], total]).toEqual([['other'], 8])
  })

  test('are read with their last answer, and the server is told once', async () => {
    await opened()
    engine.tell({ type: 'chat-thread', roomId: ROOM, threadId: first, isUnread: true })
    chat.read(first, 1)
    expect(chat.unreadThreads().has(first)).toBe(true)
    chat.read(first, 2)
    chat.read(first, 2)
    expect([chat.unreadThreads().has(first), total]).toEqual([false, 0])
    await vi.waitFor(() =>
      expect(engine.threadReads).toEqual([
        [first, 1],
        [first, 2],
      ]),
    )
    expect(engine.reads).toEqual([])
  })

  test('tell nothing to the server for somebody who does not take part, until an answer concerns them', async () => {
    engine.threadRead = null
    await opened()
    chat.read(first, 2)
    expect(engine.threadReads).toEqual([])
    engine.says(engine.anAnswer(3))
    engine.tell({ type: 'chat-thread', roomId: ROOM, threadId: first, isUnread: true })
    chat.read(first, 3)
    expect(engine.threadReads).toEqual([[first, 3]])
  })

  test('are counted again after a lost connection, which repeats no signal', async () => {
    await opened()
    engine.connects()
    await vi.waitFor(() => expect(chat.unreadThreads().size).toBe(0))
    engine.unreadThreads = [first]
    engine.connects()
    await vi.waitFor(() => expect(chat.unreadThreads().has(first)).toBe(true))
  })
})

test('an answer arrives once: not with a reaction, an edit or a deletion, and not from oneself', async () => {
  await opened()
  const arrived = vi.fn()
  chat.onArrival(({ message }) => arrived(message.thread?.sequence))
  engine.says(engine.anAnswer(3))
  engine.says(engine.anAnswer(3, { updated_at: '2026-01-01T00:01:00.000Z' }))
  engine.says(engine.anAnswer(4, { user: me }))
  engine.says(engine.anAnswer(5, { deletedAt: '2026-01-01T00:01:00.000Z' }))
  expect(arrived.mock.calls).toEqual([[3]])
})
