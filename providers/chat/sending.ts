import type { Message, MessageAttachment, Quotation } from '#contract/chat/schema.ts'

import { messageOf, statusOf } from '../problem.ts'
import { serverNow } from '../serverClock.ts'
import { newUuid } from '../uuid.ts'
import { outbox } from './outbox.ts'
import type { ChatProvider } from './provider.ts'
import { type ChatMessage, type Pending, shownPending } from './timeline.ts'

/** A message that a person wants to send. */
export interface Draft {
  readonly text: string
  readonly files: readonly MessageAttachment[]
  readonly replyTo: Quotation | null
}
const NOTHING: readonly ChatMessage[] = []
/** Statuses of calls that reached no server: no answer, or one of a proxy without it. */
const LOST: readonly (number | undefined)[] = [0, 502, 503, 504]

interface Host {
  readonly me: () => string
  readonly provider: () => ChatProvider
  readonly sent: (message: Message) => void
  /** The pending messages of a room have changed. */
  readonly changed: (roomId: string) => void
}

/** Messages on their way, in each room one after the other, and those that failed. */
export class Sending {
  readonly #pending = new Map<string, readonly Pending[]>()
  readonly #shown = new Map<string, readonly ChatMessage[]>()
  readonly #last = new Map<string, Promise<void>>()
  readonly #host: Host
  /** Grows with `clear`. */
  #session = 0

  constructor(host: Host) {
    this.#host = host
  }

  /** Shows as failed what an earlier page left unsent. */
  restore(): void {
    for (const pending of outbox.read(this.#host.me()))
      this.#put({ ...pending, status: 'failed', isLost: false })
  }

  /** Sends again, in order, what was lost with the connection. */
  resume(): void {
    for (const roomId of this.#pending.keys()) this.#sendLost(roomId)
  }
  #sendLost(roomId: string): void {
    for (const pending of this.#pending.get(roomId) ?? [])
      if (pending.isLost) this.#enqueue({ ...pending, status: 'sending', problem: undefined, isLost: false })
  }

  messagesIn = (roomId: string): readonly ChatMessage[] => this.#shown.get(roomId) ?? NOTHING

  send(roomId: string, { text, files, replyTo }: Draft): void {
    this.#sendLost(roomId)
    const created_at = new Date(serverNow()).toISOString()
    this.#enqueue({
      clientId: newUuid(),
      roomId,
      text,
      files,
      replyTo,
      created_at,
      status: 'sending',
    })
  }

  retry(roomId: string, clientId: string): void {
    const pending = this.#pending.get(roomId)?.find((one) => one.clientId === clientId)
    if (pending?.isLost) this.#sendLost(roomId)
    else if (pending?.status === 'failed')
      this.#enqueue({ ...pending, status: 'sending', problem: undefined })
  }

  drop(roomId: string, clientId: string): void {
    const known = this.#pending.get(roomId)
    if (!known?.some((one) => one.clientId === clientId)) return
    outbox.remove(this.#host.me(), clientId)
    this.#set(
      roomId,
      known.filter((one) => one.clientId !== clientId),
    )
  }

  clear(): void {
    this.#session++
    for (const map of [this.#pending, this.#shown, this.#last]) map.clear()
  }

  #enqueue(pending: Pending) {
    const { roomId } = pending
    this.#put(pending)
    const before = this.#last.get(roomId) ?? Promise.resolve()
    const session = this.#session
    this.#last.set(
      roomId,
      before.then(() => this.#deliver(pending, session)),
    )
  }

  async #deliver(pending: Pending, session: number): Promise<void> {
    // Queued messages must not be sent as the next person.
    if (session !== this.#session) return
    const { roomId, clientId, text, files, replyTo } = pending
    // Waits for an earlier one, so that the room reads them in order.
    if (this.#isBehindLost(pending)) return this.#put({ ...pending, status: 'failed', isLost: true })
    try {
      const fileIds = files.map(({ id }) => id)
      const answered = replyTo?.id ?? null
      const message = await this.#host.provider().send(roomId, { clientId, text, fileIds, replyTo: answered })
      if (session === this.#session) this.#host.sent(message)
    } catch (error) {
      const known = this.#pending.get(roomId)?.some((one) => one.clientId === clientId)
      // The message may have arrived as a change although the response was lost.
      if (session !== this.#session || !known) return
      const problem = messageOf(error, '') || undefined
      this.#put({ ...pending, status: 'failed', problem, isLost: LOST.includes(statusOf(error)) })
    }
  }
  #isBehindLost({ roomId, clientId }: Pending): boolean {
    const known = this.#pending.get(roomId) ?? []
    const index = known.findIndex((one) => one.clientId === clientId)
    return known.slice(0, index).some(({ isLost }) => isLost)
  }

  #put(pending: Pending) {
    outbox.write(this.#host.me(), pending)
    const known = this.#pending.get(pending.roomId) ?? []
    const isKnown = known.some(({ clientId }) => clientId === pending.clientId)
    this.#set(
      pending.roomId,
      isKnown ? known.map((one) => (one.clientId === pending.clientId ? pending : one)) : [...known, pending],
    )
  }

  #set(roomId: string, pending: readonly Pending[]) {
    this.#pending.set(roomId, pending)
    this.#shown.set(
      roomId,
      pending.map((one) => shownPending(one, this.#host.me())),
    )
    this.#host.changed(roomId)
  }
}
