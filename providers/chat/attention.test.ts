import { beforeEach, describe, expect, test, vi } from 'vitest'

import type { Room } from '#contract/chat/schema.ts'
import { signedIn } from '#tests/support/client.tsx'
import { aMessage, aPerson, aRoom } from '#tests/support/client-chat.ts'
import { FakeEngine, ROOM } from '#tests/support/client-chat-engine.ts'

import { getSession } from '../session.ts'
import { Chat } from './chat.ts'
import { unread } from './unread.ts'

let engine: FakeEngine
let chat: Chat
let me: string
/** The number beside the chat in the menu. */
let total = 0
beforeEach(() => {
  localStorage.clear()
  signedIn()
  me = getSession().uuid!
  vi.spyOn(unread, 'set').mockImplementation((value) => void (total = value))
  vi.spyOn(unread, 'add').mockImplementation((difference) => void (total += difference))
  engine = new FakeEngine()
  chat = new Chat()
  chat.provider = engine.provider
  const stop = chat.start()
  return () => {
    stop()
    vi.restoreAllMocks()
  }
})
const membership = () => chat.room(ROOM)!.membership
async function opened(count: number, my: Partial<Room['membership']> = {}) {
  engine.messages = Array.from({ length: count }, (_, n) => aMessage(ROOM, n + 1))
  engine.rooms = [
    aRoom(1, { sequence: count, membership: { ...aRoom(1).membership, readSequence: count, ...my } }),
  ]
  await chat.loadRoom(ROOM)
  await chat.open(ROOM)
  total = 0
}
const mention = (sequence: number) => aMessage(ROOM, sequence, { mentioned_users: [me] })

describe('mentions', () => {
  test('are counted as they come, and are read with the room', async () => {
    await opened(2)
    engine.says(mention(3))
    engine.says(aMessage(ROOM, 4))
    expect(membership()).toMatchObject({ unread: 2, mentions: 1 })
    chat.read(ROOM, 4)
    expect(membership()).toMatchObject({ unread: 0, mentions: 0 })
  })

  test('that are left after reading a part come from the server', async () => {
    await opened(2)
    engine.says(mention(3))
    engine.says(mention(4))
    const room = engine.rooms[0]!
    engine.put({
      ...room,
      sequence: 4,
      membership: { ...room.membership, readSequence: 3, unread: 1, mentions: 1 },
    })
    chat.read(ROOM, 3)
    expect(membership().mentions).toBe(2)
    await vi.waitFor(() => expect(membership().mentions).toBe(1))
  })

  test('that a change takes away are counted by the server again', async () => {
    await opened(2)
    engine.says(mention(3))
    const room = engine.rooms[0]!
    engine.put({ ...room, sequence: 3, membership: { ...room.membership, unread: 1 } })
    engine.says(aMessage(ROOM, 3, { editedAt: '2026-01-01T00:01:00.000Z' }))
    await vi.waitFor(() => expect(membership().mentions).toBeUndefined())
  })

  test('of an audience are asked of the server, and told to those who listen', async () => {
    await opened(2)
    const arrived = vi.fn()
    chat.onArrival(({ mentionsMe }) => void mentionsMe.then(arrived))
    const room = engine.rooms[0]!
    engine.put({ ...room, sequence: 3, membership: { ...room.membership, unread: 1, mentions: 1 } })
    engine.says(aMessage(ROOM, 3, { audiences: ['here'] }))
    await vi.waitFor(() => expect(arrived).toHaveBeenCalledWith(true))
    expect(membership().mentions).toBe(1)
    engine.put({ ...engine.rooms[0]!, sequence: 4 })
    engine.says(aMessage(ROOM, 4, { audiences: ['others'] }))
    await vi.waitFor(() => expect(arrived).toHaveBeenLastCalledWith(false))
  })

  test('are not counted where the engine keeps no list of them', async () => {
    Object.assign(engine.provider, { lacks: new Set(['mentionList']) })
    await opened(2)
    engine.says(mention(3))
    expect(membership()).toMatchObject({ unread: 1, mentions: 0 })
  })
})

describe('a muted room', () => {
  test('adds only mentions to the number in the menu', async () => {
    await opened(2, { isMuted: true })
    engine.says(aMessage(ROOM, 3))
    expect(total).toBe(0)
    engine.says(mention(4))
    expect(total).toBe(1)
    chat.read(ROOM, 4)
    expect(total).toBe(0)
  })

  test('is muted at once, and the server counts what is unread without it', async () => {
    await opened(2)
    await chat.changeMembership(ROOM, { isMuted: true })
    expect(membership().isMuted).toBe(true)
    // The summary of the engine.
    expect(total).toBe(7)
  })
})

test('a favourite moves before the others, after Headquarters', async () => {
  engine.rooms = [
    aRoom(1, { isHeadquarters: true }),
    aRoom(2, { last_message_at: '2026-01-03T00:00:00.000Z' }),
    aRoom(3, { last_message_at: '2026-01-02T00:00:00.000Z' }),
  ]
  await chat.loadList('WAR_ROOM')
  await chat.changeMembership(engine.rooms[2]!.id, { isFavourite: true })
  expect(chat.list('WAR_ROOM').rooms.map(({ name }) => name)).toEqual(['Room 1', 'Room 3', 'Room 2'])
})

test('the line of a room follows its newest message, and changes of that alone', async () => {
  engine.rooms = [
    aRoom(1, {
      sequence: 2,
      lastMessage: {
        user: aPerson(5).uuid,
        text: 'From the server',
        deleted: false,
        hasAttachments: false,
        isCall: false,
        created_at: '2026-01-01T00:00:00.000Z',
        author: aPerson(5),
      },
    }),
  ]
  await chat.loadRoom(ROOM)
  expect(chat.emailOf(aPerson(5).uuid)).toBe(aPerson(5).email)
  const line = () => chat.room(ROOM)!.lastMessage!.text
  engine.says(aMessage(ROOM, 1, { text: '<p>Edited long ago</p>' }))
  expect(line()).toBe('From the server')
  engine.says(aMessage(ROOM, 3, { text: '<p>One</p><p>&lt;two&gt; @person1@demo.example</p>' }))
  expect(line()).toBe('One <two> @person1@demo.example')
  engine.says(aMessage(ROOM, 3, { text: '', deletedAt: '2026-01-01T00:01:00.000Z' }))
  expect(chat.room(ROOM)!.lastMessage).toMatchObject({ text: '', deleted: true })
})

test('saved messages come with their page, and a page that lacks one says that it is not saved any longer', async () => {
  const page = engine.provider.messages.bind(engine.provider)
  let saved = [aMessage(ROOM, 2).id]
  engine.provider.messages = async (...asked) => ({ ...(await page(...asked)), saved })
  await opened(2)
  expect([1, 2].map((n) => chat.isSaved(aMessage(ROOM, n).id))).toEqual([false, true])
  saved = [aMessage(ROOM, 1).id]
  const told = vi.fn()
  chat.watch('saved', told)
  await chat.open(ROOM, 99)
  expect([1, 2].map((n) => chat.isSaved(aMessage(ROOM, n).id))).toEqual([true, false])
  expect(told).toHaveBeenCalled()
})

describe('marked as unread', () => {
  test('a room stays unread while it is looked at, until it is opened again', async () => {
    await opened(4)
    await chat.unreadFrom(ROOM, 2)
    expect(membership()).toMatchObject({ readSequence: 1, unread: 3 })
    chat.read(ROOM, 4)
    expect(membership().unread).toBe(3)
    expect(engine.reads).toEqual([])
    chat.resumeReading(ROOM)
    chat.read(ROOM, 4)
    expect(membership().unread).toBe(0)
    await vi.waitFor(() => expect(engine.reads).toEqual([4]))
  })

  test('a room waits for a read mark on its way, which would undo it', async () => {
    await opened(4, { readSequence: 2, unread: 2 })
    const { promise, resolve } = Promise.withResolvers<void>()
    engine.provider.readRoom = () => promise
    chat.read(ROOM, 4)
    const marked = chat.unreadFrom(ROOM, 3)
    await Promise.resolve()
    expect(engine.unreads).toEqual([])
    resolve()
    await marked
    expect(engine.unreads).toEqual([3])
    expect(membership().unread).toBe(2)
  })

  test('a room is read as before where the server refuses', async () => {
    await opened(4, { readSequence: 2, unread: 2 })
    engine.provider.unreadRoom = () => Promise.reject(new Error('No.'))
    await expect(chat.unreadFrom(ROOM, 1)).rejects.toThrow('No.')
    chat.read(ROOM, 4)
    expect(membership().unread).toBe(0)
  })

  test('a room is read again with an own message', async () => {
    await opened(4)
    await chat.unreadFrom(ROOM, 2)
    engine.says(aMessage(ROOM, 5, { user: me }))
    engine.says(aMessage(ROOM, 6))
    chat.read(ROOM, 6)
    expect(membership()).toMatchObject({ readSequence: 6, unread: 0 })
  })

  test('on another device it stays unread on this one, too', async () => {
    await opened(4)
    const room = engine.rooms[0]!
    engine.put({ ...room, membership: { ...room.membership, readSequence: 1, unread: 3 } })
    engine.tell({ type: 'chat-own', roomId: ROOM })
    await vi.waitFor(() => expect(membership().unread).toBe(3))
    chat.read(ROOM, 4)
    expect(membership().unread).toBe(3)
  })
})
