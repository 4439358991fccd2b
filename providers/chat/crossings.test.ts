import { beforeEach, describe, expect, test, vi } from 'vitest'

import { change, signedIn } from '#tests/support/client.tsx'
import { aMessage, aPerson, aRoom, uuidOf } from '#tests/support/client-chat.ts'
import { FakeEngine, ROOM } from '#tests/support/client-chat-engine.ts'

import { people } from '../people.ts'
import { endSession, getSession, type Session } from '../session.ts'
import { Chat } from './chat.ts'
import { unread } from './unread.ts'

/*
 * Races between responses, changes and sessions. Nothing of one session may leak into the next, and a room
 * shows the newest state of each message without gaps, in any order of arrival.
 */
let engine: FakeEngine
let chat: Chat
let stop: () => void
let session: Session
beforeEach(() => {
  localStorage.clear()
  signedIn()
  session = getSession()
  engine = new FakeEngine()
  chat = new Chat()
  chat.provider = engine.provider
  stop = chat.start()
  return () => stop()
})

const sequences = () => chat.timeline(ROOM).messages.map(({ sequence }) => sequence)
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)
const has = (count: number) => {
  engine.messages = range(1, count).map((n) => aMessage(ROOM, n))
  engine.rooms = [aRoom(1, { sequence: count, membership: { ...aRoom(1).membership, readSequence: count } })]
}
const opened = async (count: number) => {
  has(count)
  await chat.loadRoom(ROOM)
  await chat.open(ROOM)
}
const edited = (sequence: number) =>
  aMessage(ROOM, sequence, { text: '<p>Edited</p>', editedAt: '2026-01-01T00:01:00.000Z' })
const OTHER = uuidOf(999)
/** Signs another person in, as another tab would. */
const signedInAs = (uuid: string) => change({ ...getSession(), uuid, tokens: session.tokens, ending: null })
/** Waits for all work that needs no response of the engine. */
const settled = () => new Promise((resolve) => setTimeout(resolve))
/** Ends the session and signs another person in on the same page. */
const nextSession = () => {
  endSession('left')
  stop()
  signedInAs(OTHER)
  stop = chat.start()
}

describe('an answer that comes after the session ended', () => {
  test.each([
    ['a list', () => chat.loadList('WAR_ROOM')],
    ['a room', () => chat.loadRoom(ROOM)],
    ['messages', () => chat.open(ROOM)],
    ['a changed room', () => chat.take((provider) => provider.updateRoom(ROOM, { name: 'Theirs' }))],
    ['an edited message', () => chat.edit(engine.messages[0]!.id, { text: '<p>Theirs</p>' })],
  ])('brings nothing into the next one: %s', async (_, ask) => {
    has(3)
    await chat.loadList('DIRECT_MESSAGE')
    const release = engine.hold()
    const answer = ask()
    await settled()
    nextSession()
    release()
    await answer
    expect(chat.knownRooms()).toEqual([])
    expect(chat.room(ROOM)).toBeUndefined()
    expect(sequences()).toEqual([])
    expect(chat.list('WAR_ROOM').rooms).toEqual([])
  })

  test('names nobody to the next person', async () => {
    await opened(1)
    const learn = vi.spyOn(people, 'learn')
    const release = engine.hold()
    const answer = chat.nameMembers(ROOM, [aPerson(7).uuid])
    nextSession()
    release()
    await answer
    expect(chat.emailOf(aPerson(7).uuid)).toBeUndefined()
    expect(learn).not.toHaveBeenCalled()
  })

  test.each([
    ['a room that the person was not in', () => chat.loadRoom(ROOM)],
    ['a list that failed', () => chat.loadList('WAR_ROOM')],
    ['messages that failed', () => chat.open(ROOM)],
  ])('fails nothing in the next one: %s', async (_, ask) => {
    await chat.loadList('DIRECT_MESSAGE')
    const { promise, reject } = Promise.withResolvers<never>()
    Object.assign(engine.provider, { room: () => promise, rooms: () => promise, messages: () => promise })
    const answer = ask()
    await settled()
    nextSession()
    reject(Object.assign(new Error('None'), { status: 404 }))
    await answer
    expect(chat.room(ROOM)).toBeUndefined()
    expect(chat.list('WAR_ROOM').status).toBe('loading')
    expect(chat.timeline(ROOM).status).toBe('loading')
  })

  test('counts nothing unread for the next person', async () => {
    const { promise, resolve } = Promise.withResolvers<{ sequence: number; unreadMessages: number }>()
    stop()
    engine.provider.summary = () => promise
    stop = chat.start()
    const set = vi.spyOn(unread, 'set')
    endSession('left')
    stop()
    set.mockClear()
    resolve({ sequence: 900, unreadMessages: 7 })
    await promise
    expect(set).not.toHaveBeenCalled()
    stop = chat.start()
  })

  test('lets no message that still waits be sent by the next person', async () => {
    await opened(0)
    const { promise, resolve } = Promise.withResolvers<void>()
    engine.send = async (message) => {
      await promise
      return engine.stored(message)
    }
    for (const text of ['first', 'second']) chat.send(ROOM, { text, files: [], replyTo: null })
    await settled()
    nextSession()
    resolve()
    await settled()
    expect(engine.sent.map(({ text }) => text)).toEqual(['first'])
    expect(chat.timeline(ROOM).messages).toEqual([])
  })

  test('starts anew where another tab has signed somebody else in', async () => {
    await opened(2)
    engine.rooms = []
    signedInAs(OTHER)
    expect(chat.room(ROOM)).toBeUndefined()
    expect(sequences()).toEqual([])
  })
})

describe('a change and an answer', () => {
  test('a change that comes before the answer to an act is not undone by it', async () => {
    await opened(2)
    const release = engine.hold()
    const answer = chat.edit(engine.messages[0]!.id, { text: '<p>Mine</p>' })
    engine.says(edited(1))
    release()
    await answer
    expect(chat.timeline(ROOM).messages[0]?.text).toBe('<p>Edited</p>')
  })

  test('an answer about a room does not take back the number of a message that came meanwhile', async () => {
    await opened(2)
    const release = engine.hold()
    const answer = chat.take((provider) => provider.updateRoom(ROOM, { name: 'Flood' }))
    engine.says(aMessage(ROOM, 3))
    release()
    await answer
    expect(chat.room(ROOM)).toMatchObject({ name: 'Flood', sequence: 3, membership: { unread: 1 } })
  })

  test('a change that comes after an answer that had it counts once', async () => {
    engine.messages = [aMessage(ROOM, 1), aMessage(ROOM, 2)]
    engine.rooms = [aRoom(1, { sequence: 2, membership: { ...aRoom(1).membership, unread: 2 } })]
    await chat.loadRoom(ROOM)
    await chat.open(ROOM)
    const add = vi.spyOn(unread, 'add')
    const arrivals = vi.fn()
    chat.onArrival(arrivals)
    engine.says(aMessage(ROOM, 2))
    expect(sequences()).toEqual([1, 2])
    expect(chat.room(ROOM)).toMatchObject({ sequence: 2, membership: { unread: 2 } })
    expect(add.mock.calls.flat().filter((count) => count !== 0)).toEqual([])
    expect(arrivals).not.toHaveBeenCalled()
  })

  test('an edit of an old message changes its text, and nothing of its room', async () => {
    await opened(30)
    engine.says(aMessage(ROOM, 31))
    const before = chat.room(ROOM)
    expect(before).toMatchObject({ sequence: 31, membership: { unread: 1 } })
    engine.says(edited(12))
    expect(chat.timeline(ROOM).messages.find(({ sequence }) => sequence === 12)?.text).toBe('<p>Edited</p>')
    expect(chat.room(ROOM)).toEqual(before)
    chat.read(ROOM, 31)
    expect(chat.room(ROOM)).toMatchObject({ sequence: 31, membership: { readSequence: 31, unread: 0 } })
  })

  test('an edit of a message that is not loaded leaves the page without a gap', async () => {
    await opened(50)
    engine.says(edited(3))
    expect(sequences()).toEqual(range(31, 50))
    expect(chat.timeline(ROOM)).toMatchObject({ hasOlder: true, hasNewer: false })
  })

  test('a message that does not follow the last one says that there are newer ones', async () => {
    await opened(3)
    engine.says(aMessage(ROOM, 9))
    expect(sequences()).toEqual([1, 2, 3])
    expect(chat.timeline(ROOM).hasNewer).toBe(true)
  })
})

describe('a gap', () => {
  test('has what is being loaded asked for again: the answer may be from before it', async () => {
    await opened(3)
    const release = engine.hold()
    // Replaces the timeline around a message that is not loaded while the connection comes back.
    const old = chat.open(ROOM, 99)
    await settled()
    engine.messages = range(1, 5).map((n) => aMessage(ROOM, n))
    engine.rooms = [aRoom(1, { sequence: 5 })]
    engine.held = Promise.resolve()
    engine.tell({ type: 'chat-gap' })
    await vi.waitFor(() => expect(sequences()).toEqual([1, 2, 3, 4, 5]))
    release()
    await old
    expect(sequences()).toEqual([1, 2, 3, 4, 5])
  })

  test('does not wait for the first page of a room that was asked for before it', async () => {
    has(3)
    await chat.loadRoom(ROOM)
    const release = engine.hold()
    const old = chat.open(ROOM)
    await settled()
    engine.held = Promise.resolve()
    engine.messages.push(aMessage(ROOM, 4))
    engine.rooms = [aRoom(1, { sequence: 4 })]
    engine.tell({ type: 'chat-gap' })
    await vi.waitFor(() => expect(sequences()).toEqual([1, 2, 3, 4]))
    release()
    await old
    expect(sequences()).toEqual([1, 2, 3, 4])
  })

  test('forgets the rooms that did not come back', async () => {
    await opened(3)
    await chat.loadList('WAR_ROOM')
    engine.rooms = []
    engine.tell({ type: 'chat-gap' })
    await vi.waitFor(() => expect(chat.room(ROOM)).toBeNull())
    expect(chat.list('WAR_ROOM').rooms).toEqual([])
  })
})

describe('two loads of a room', () => {
  test('leave the page of the later one, whichever is answered first', async () => {
    await opened(60)
    const release = engine.hold()
    const first = chat.open(ROOM, 10)
    await settled()
    engine.held = Promise.resolve()
    await chat.open(ROOM, 35)
    expect(sequences()).toEqual(range(25, 44))
    release()
    await first
    expect(sequences()).toEqual(range(25, 44))
  })

  test('join no older page to one that was replaced meanwhile', async () => {
    await opened(90)
    const release = engine.hold()
    const older = chat.loadOlder(ROOM)
    await settled()
    engine.held = Promise.resolve()
    await chat.open(ROOM, 20)
    release()
    await older
    expect(sequences()).toEqual(range(10, 29))
  })

  test('ask for a room once', async () => {
    has(1)
    const room = vi.spyOn(engine.provider, 'room')
    await Promise.all([chat.loadRoom(ROOM), chat.loadRoom(ROOM)])
    expect(room).toHaveBeenCalledOnce()
  })
})

describe('another engine', () => {
  test('is followed from the moment the organisation has it, and the former one no longer', async () => {
    stop()
    const next = new FakeEngine()
    let isSwitched = false
    const follower = new Chat()
    vi.spyOn(follower, 'provider', 'get').mockImplementation(() =>
      isSwitched ? next.provider : engine.provider,
    )
    stop = follower.start()
    has(3)
    await follower.loadRoom(ROOM)
    await follower.open(ROOM)
    next.messages = [aMessage(ROOM, 1, { text: '<p>At the service</p>' })]
    next.rooms = [aRoom(1, { sequence: 1 })]
    const release = engine.hold()
    const late = follower.open(ROOM, 99)
    await settled()
    const watched = vi.fn()
    follower.watch(`room ${ROOM}`, watched)
    isSwitched = true
    change({ organisation: { ...getSession().organisation! } })
    expect(watched).toHaveBeenCalled()
    const texts = () => follower.timeline(ROOM).messages.map(({ text }) => text)
    await vi.waitFor(() => expect(texts()).toEqual(['<p>At the service</p>']))
    await vi.waitFor(() => expect(follower.room(ROOM)?.sequence).toBe(1))
    release()
    await late
    engine.says(aMessage(ROOM, 2, { text: '<p>At home</p>' }))
    expect(texts()).toEqual(['<p>At the service</p>'])
    next.says(aMessage(ROOM, 2, { text: '<p>New there</p>' }))
    expect(texts()).toEqual(['<p>At the service</p>', '<p>New there</p>'])
  })
})
