import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import { WebSocket } from 'ws'

import type { ChatChange, ChatSignal, Message } from '#contract/chat/schema.ts'
import type { LiveMessage } from '#contract/kit/live.ts'

import type { Person } from './fixture.ts'

/** Room and position of a message, from the acknowledgement or a socket. */
export interface Placed {
  readonly id: string
  readonly clientId: string
  readonly sequence: number
  readonly text: string
}
export interface Acknowledged extends Placed {
  readonly roomId: string
  readonly attempts: number
}

/** Milliseconds between messages and between attempts. */
const PAUSE = [150, 900] as const
const RETRY = [50, 300] as const
const ATTEMPT_WITHIN = 10_000
const between = ([from, to]: readonly [number, number]) => from + Math.random() * (to - from)

/**
 * A person with an open page: repeats each message until it is acknowledged, and collects the socket's messages in
 * order of arrival.
 */
export class ChatClient {
  readonly acknowledged: Acknowledged[] = []
  /** Messages by room in order of arrival, de-duplicated. */
  readonly received = new Map<string, Placed[]>()
  readonly rooms: readonly string[]
  reconnections = 0
  readonly #url: string
  readonly #person: Person
  readonly #known = new Set<string>()
  /** Last chat change from the socket. */
  #after = 0
  #socket: WebSocket | null = null
  #isClosed = false

  constructor(url: string, person: Person, rooms: readonly string[]) {
    this.#url = url
    this.#person = person
    this.rooms = rooms
    for (const room of rooms) this.received.set(room, [])
  }

  /** Keeps a socket open until `close`: reconnects after each loss and requests the changes since the last one. */
  async follow(isReady: () => void): Promise<void> {
    for (; !this.#isClosed; this.reconnections += 1) {
      try {
        await this.#connect(isReady)
      } catch (error) {
        if (!isOutage(error)) throw error
      }
      if (!this.#isClosed) await sleep(between(RETRY))
    }
  }

  close(): void {
    this.#isClosed = true
    this.#socket?.terminate()
  }

  /** Sends messages until stopped; the last one too is repeated until it is acknowledged. */
  async send(isDone: () => boolean): Promise<void> {
    for (let n = 0; !isDone(); n += 1) {
      await sleep(between(PAUSE))
      const roomId = this.rooms[Math.floor(Math.random() * this.rooms.length)]!
      const clientId = crypto.randomUUID()
      const text = `<p>${this.#person.email} says ${n}</p>`
      this.acknowledged.push(await this.#sendOne(roomId, { clientId, text }))
    }
  }

  async #sendOne(roomId: string, body: { clientId: string; text: string }): Promise<Acknowledged> {
    for (let attempts = 1; ; attempts += 1) {
      try {
        const message = await this.#post<Message>(`/chat/rooms/${roomId}/messages`, body)
        return { roomId, attempts, ...placed(message) }
      } catch (error) {
        if (!isOutage(error)) throw error
      }
      await sleep(between(RETRY))
    }
  }

  async #connect(isReady: () => void): Promise<void> {
    const { ticket } = await this.#post<{ ticket: string }>('/live/ticket')
    const socket = new WebSocket(`${this.#url.replace('http', 'ws')}/api/live`)
    this.#socket = socket
    await new Promise<void>((resolve) => {
      socket.on('open', () => socket.send(JSON.stringify({ ticket, after: null, chatAfter: this.#after })))
      socket.on('message', (data: Buffer) => {
        const frame = JSON.parse(data.toString()) as ChatChange | ChatSignal | LiveMessage
        if (frame.type === 'chat-ready') isReady()
        this.#receive(frame)
      })
      // A close event follows.
      socket.on('error', () => {})
      socket.on('close', () => resolve())
    })
  }

  #receive(frame: ChatChange | ChatSignal | LiveMessage): void {
    if (frame.type !== 'chat' && frame.type !== 'chat-ready') return
    this.#after = Math.max(this.#after, frame.sequence)
    if (frame.type !== 'chat' || frame.kind !== 'message' || this.#known.has(frame.message.id)) return
    this.#known.add(frame.message.id)
    this.received.get(frame.roomId)?.push(placed(frame.message))
  }

  /** A call on a connection of its own, so that each may reach another process. */
  #post<T>(path: string, body: object = {}): Promise<T> {
    const text = JSON.stringify(body)
    return new Promise((resolve, reject) => {
      const outgoing = request(
        `${this.#url}/api${path}`,
        {
          method: 'POST',
          agent: false,
          timeout: ATTEMPT_WITHIN,
          headers: {
            ...this.#person.headers,
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(text),
          },
        },
        (incoming) => {
          const chunks: Buffer[] = []
          incoming.on('error', reject)
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
          incoming.on('end', () => {
            const answer = Buffer.concat(chunks).toString()
            if (incoming.statusCode === 201) resolve(JSON.parse(answer) as T)
            else reject(new UnexpectedReply(path, incoming.statusCode ?? 0, answer))
          })
        },
      )
      outgoing.on('timeout', () => outgoing.destroy(new Outage()))
      outgoing.on('error', reject)
      outgoing.end(text)
    })
  }
}

const placed = ({ id, clientId, sequence, text }: Placed): Placed => ({ id, clientId, sequence, text })

class Outage extends Error {}
class UnexpectedReply extends Error {
  readonly status: number
  constructor(path: string, status: number, answer: string) {
    super(`POST ${path} answered ${status}: ${answer}`)
    this.status = status
  }
}
/** True when the server was unavailable and messages are repeated. Anything else ends the trial. */
function isOutage(error: unknown): boolean {
  if (error instanceof UnexpectedReply) return error.status >= 500
  if (error instanceof Outage) return true
  return ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(String((error as NodeJS.ErrnoException).code))
}
