import { expect } from 'vitest'
import { WebSocket } from 'ws'

import type { ChatChange, ChatSignal, Message, Room } from '#contract/chat/schema.ts'
import type { LiveMessage } from '#contract/kit/live.ts'

import type { Caller } from './server.ts'

type Frame = ChatChange | ChatSignal | LiveMessage
type ChangeOf<Kind extends ChatChange['kind']> = ChatChange & { readonly kind: Kind }

/** A page of the chat on the live socket. */
export class ChatPage {
  readonly frames: Frame[] = []
  readonly socket: WebSocket
  readonly closed: Promise<number>
  #wake = new Set<() => void>()

  constructor(url: string, hello: object) {
    this.socket = new WebSocket(`${url.replace('http', 'ws')}/api/live`)
    this.socket.on('open', () => this.socket.send(JSON.stringify(hello)))
    this.socket.on('message', (data: Buffer) => {
      this.frames.push(JSON.parse(data.toString('utf8')) as Frame)
      for (const wake of this.#wake) wake()
    })
    this.socket.on('error', () => {})
    this.closed = new Promise((resolve) => this.socket.on('close', (code) => resolve(code)))
  }

  /** Waits until the received frames meet a condition. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake.add(resolve)
      await promise
      this.#wake.delete(resolve)
    }
  }
  async frame(fits: (frame: Frame) => boolean): Promise<Frame> {
    await this.until(() => this.frames.some(fits))
    return this.frames.find(fits)!
  }
  changes = (): ChatChange[] => this.frames.filter((frame): frame is ChatChange => frame.type === 'chat')
  of = <Kind extends ChatChange['kind']>(kind: Kind): ChangeOf<Kind>[] =>
    this.changes().filter((change): change is ChangeOf<Kind> => change.kind === kind)
  /** The messages of a room in order of arrival. */
  messages = (roomId?: string): Message[] =>
    this.of('message')
      .map(({ message }) => message)
      .filter((message) => roomId === undefined || message.roomId === roomId)
  texts = (roomId?: string): string[] => this.messages(roomId).map(({ text }) => text)
  async message(text: string): Promise<Message> {
    await this.until(() => this.texts().includes(`<p>${text}</p>`))
    return this.messages().find((message) => message.text === `<p>${text}</p>`)!
  }
  /** Sequence of the last change received. */
  last = (): number =>
    Math.max(
      0,
      ...this.frames.map((frame) =>
        frame.type === 'chat' || frame.type === 'chat-ready' ? frame.sequence : 0,
      ),
    )
  async close(): Promise<void> {
    this.socket.close()
    await this.closed
  }
}

/** Opens a person's page and waits until it is up to date. */
export async function openPage(
  muster: { readonly url: string },
  caller: Caller,
  chatAfter: number | null = null,
): Promise<ChatPage> {
  const { body } = await caller.post('/live/ticket')
  const page = new ChatPage(muster.url, { ticket: body.ticket, after: null, chatAfter })
  await page.frame(({ type }) => type === 'chat-ready')
  return page
}

export async function madeRoom(caller: Caller, given: object = {}): Promise<Room> {
  const name = `Room ${crypto.randomUUID()}`
  const { status, body } = await caller.post('/chat/rooms', { kind: 'WAR_ROOM', name, userIds: [], ...given })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

export const sending = (caller: Caller, roomId: string, text: string, given: object = {}) =>
  caller.post(`/chat/rooms/${roomId}/messages`, {
    clientId: crypto.randomUUID(),
    text: `<p>${text}</p>`,
    ...given,
  })

export async function sent(
  caller: Caller,
  roomId: string,
  text: string,
  given: object = {},
): Promise<Message> {
  const { status, body } = await sending(caller, roomId, text, given)
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

export const headquartersOf = async (caller: Caller): Promise<Room> =>
  (await caller.get('/chat/rooms')).body.find(({ isHeadquarters }: Room) => isHeadquarters)
