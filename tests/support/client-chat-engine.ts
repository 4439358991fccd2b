import type { ChatChange, MembershipChanges, Message, NewMessage, Room } from '#contract/chat/schema.ts'
import type { ChatNews, ChatProvider } from '#providers/chat/provider.ts'
import { getSession } from '#providers/session.ts'

import { aMessage, aPerson, uuidOf } from './client-chat.ts'

export const ROOM = uuidOf(1)

/** An engine in memory: the test sets its responses and reads its requests. */
export class FakeEngine {
  rooms: Room[] = []
  messages: Message[] = []
  sent: NewMessage[] = []
  reads: number[] = []
  unreads: number[] = []
  /** Read marks in threads, each with the id of the thread. */
  threadReads: (readonly [string, number])[] = []
  /** Answers of the thread of the first message. */
  answers: Message[] = []
  threadRead: number | null = 0
  unreadThreads: string[] = []
  /** Delays responses until the test resolves it. */
  held: Promise<unknown> = Promise.resolve()
  send: (message: NewMessage) => Promise<Message> = (message) => Promise.resolve(this.stored(message))
  tell: (news: ChatNews) => void = () => undefined
  /** Changes that the connection has not reported. */
  missed: ChatChange[] = []
  #change = 0

  stored(message: NewMessage): Message {
    this.sent.push(message)
    const last = this.messages.at(-1)?.sequence ?? 0
    const { clientId, text } = message
    const stored = aMessage(ROOM, last + 1, { clientId, text, user: getSession().uuid! })
    this.messages.push(stored)
    return stored
  }
  /** Stores a room. */
  put(room: Room): Room {
    this.rooms = this.rooms.map((one) => (one.id === room.id ? room : one))
    return room
  }
  /** An answer in the thread of a message; the room shows it under a number other than 0. */
  anAnswer(n: number, changes: Partial<Message> = {}): Message {
    const thread = { id: this.messages[0]!.id, sequence: n }
    return aMessage(ROOM, 0, { id: uuidOf(5_000 + n), clientId: uuidOf(6_000 + n), thread, ...changes })
  }
  /** Reports a message as the socket does. */
  says(message: Message) {
    const change = { roomId: message.roomId, people: [aPerson(1)] }
    this.tell({ type: 'chat', kind: 'message', ...change, sequence: ++this.#change, message })
  }
  saysToNobody(message: Message) {
    const change = { roomId: message.roomId, people: [aPerson(1)] }
    this.missed.push({ type: 'chat', kind: 'message', ...change, sequence: ++this.#change, message })
  }
  /** Delays all later responses until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.held = promise
    return () => {
      this.held = Promise.resolve()
      resolve()
    }
  }
  connects() {
    this.tell({ type: 'chat-ready', sequence: this.#change })
  }
  toldOf(news: ChatNews) {
    this.tell({ ...news, sequence: ++this.#change } as ChatNews)
  }
  readonly provider = {
    subscribe: (listener: (news: ChatNews) => void) => {
      this.tell = listener
      return () => (this.tell = () => undefined)
    },
    summary: () =>
      Promise.resolve({
        sequence: 0,
        unreadRooms: 0,
        unreadMessages: 7,
        unreadThreads: this.unreadThreads,
        warRooms: 1,
      }),
    rooms: async ({ first, count }: { first: number; count: number }) => {
      const items = this.rooms.slice(first, first + count)
      await this.held
      return { items, total: this.rooms.length }
    },
    room: async (id: string) => {
      const room = this.rooms.find((one) => one.id === id)
      await this.held
      if (!room) throw Object.assign(new Error('None'), { status: 404 })
      return room
    },
    messages: async (_: string, { before, around }: { before?: number; around?: number }) => {
      const end = around === undefined ? (before ?? Infinity) : around + 10
      const messages = this.messages.filter(({ sequence }) => sequence < end).slice(-20)
      const last = this.messages.at(-1)?.sequence
      await this.held
      const hasOlder = (messages[0]?.sequence ?? 1) > 1
      return { messages, people: [aPerson(1)], hasOlder, hasNewer: messages.at(-1)?.sequence !== last }
    },
    changes: (after: number) => {
      const changes = this.missed.filter(({ sequence }) => sequence > after)
      return Promise.resolve({ changes, sequence: this.#change, isComplete: true })
    },
    members: async () => {
      await this.held
      return { items: [aPerson(7)], total: 1 }
    },
    edit: async (id: string, { text }: { text: string }) => {
      const known = this.messages.find((one) => one.id === id)!
      const edited = { ...known, text, editedAt: '2026-01-01T00:01:00.000Z' }
      await this.held
      return edited
    },
    updateRoom: async (id: string, changes: Partial<Room>) => {
      const room = { ...this.rooms.find((one) => one.id === id)!, ...changes }
      await this.held
      return room
    },
    unreadRoom: async (id: string, sequence: number) => {
      this.unreads.push(sequence)
      await this.held
      const room = this.rooms.find((one) => one.id === id)!
      const unread = { readSequence: sequence - 1, unread: room.sequence - sequence + 1 }
      return this.put({ ...room, membership: { ...room.membership, ...unread } })
    },
    changeMembership: async (id: string, changes: MembershipChanges) => {
      const room = this.rooms.find((one) => one.id === id)!
      await this.held
      return this.put({ ...room, membership: { ...room.membership, ...changes } })
    },
    thread: async (_: string, { before = Infinity, around }: { before?: number; around?: number }) => {
      const numberOf = ({ thread }: Message) => thread!.sequence
      const end = around === undefined ? before : around + 10
      const messages = this.answers.filter((one) => numberOf(one) < end).slice(-20)
      await this.held
      const hasNewer = messages.at(-1) !== this.answers.at(-1)
      const hasOlder = messages[0] !== undefined && numberOf(messages[0]) > 1
      const readSequence = this.threadRead
      return {
        first: this.messages[0] ?? null,
        messages,
        people: [aPerson(1)],
        hasOlder,
        hasNewer,
        readSequence,
      }
    },
    readThread: (id: string, sequence: number) => Promise.resolve(void this.threadReads.push([id, sequence])),
    readRoom: (_: string, sequence: number) => Promise.resolve(void this.reads.push(sequence)),
    send: (_: string, message: NewMessage) => this.send(message),
  } as unknown as ChatProvider
}
