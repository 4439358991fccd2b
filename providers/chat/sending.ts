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
  /** The first message of the thread that it answers in. */
  readonly threadId?: string | undefined
  /** True for an answer that the room shows as well. */
  readonly isAlsoInRoom?: boolean | undefined
}
const NOTHING: readonly ChatMessage[] = []
/** Statuses of calls that reached no server: no answer, or one of a proxy without it. */
const LOST: readonly (number | undefined)[] = [0, 502, 503, 504]

/** Id of the room or thread to which a message is sent. */
const placeOf = ({ roomId, threadId }: Pick<Pending, 'roomId' | 'threadId'>): string => threadId ?? roomId

interface Host {
  readonly me: () => string
  readonly provider: () => ChatProvider
  readonly sent: (message: Message) => void
  /** The pending messages of a room or thread have changed. */
  readonly changed: (id: string) => void
}

/** Messages on their way, in each room and thread one after the other, and those that failed. */
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
    for (const id of this.#pending.keys()) this.#sendLost(id)
  }
  #sendLost(id: string): void {
    for (const pending of this.#pending.get(id) ?? [])
      if (pending.isLost) this.#enqueue({ ...pending, status: 'sending', problem: undefined, isLost: false })
  }

  messagesIn = (id: string): readonly ChatMessage[] => this.#shown.get(id) ?? NOTHING

  send(roomId: string, { text, files, replyTo, threadId, isAlsoInRoom }: Draft): void {
    this.#sendLost(placeOf({ roomId, threadId }))
    const created_at = new Date(serverNow()).toISOString()
    this.#enqueue({
      clientId: newUuid(),
      roomId,
      text,
      files,
      replyTo,
      threadId,
      isAlsoInRoom,
      created_at,
      status: 'sending',
    })
  }

  /** Retries a failed message of a room or thread. */
  retry(id: string, clientId: string): void {
    const pending = this.#pending.get(id)?.find((one) => one.clientId === clientId)
    if (pending?.isLost) this.#sendLost(id)
    else if (pending?.status === 'failed')
      this.#enqueue({ ...pending, status: 'sending', problem: undefined })
  }

  drop(id: string, clientId: string): void {
    const known = this.#pending.get(id)
    if (!known?.some((one) => one.clientId === clientId)) return
    outbox.remove(this.#host.me(), clientId)
    this.#set(
      id,
      known.filter((one) => one.clientId !== clientId),
    )
  }

  clear(): void {
    this.#session++
    for (const map of [this.#pending, this.#shown, this.#last]) map.clear()
  }

  #enqueue(pending: Pending) {
    const id = placeOf(pending)
    this.#put(pending)
    const before = this.#last.get(id) ?? Promise.resolve()
    const session = this.#session
    this.#last.set(
      id,
      before.then(() => this.#deliver(pending, session)),
    )
  }

  async #deliver(pending: Pending, session: number): Promise<void> {
    // Queued messages must not be sent as the next person.
    if (session !== this.#session) return
    const { roomId, clientId, text, files, replyTo, threadId, isAlsoInRoom } = pending
    // Waits for an earlier one, so that the room reads them in order.
    if (this.#isBehindLost(pending)) return this.#put({ ...pending, status: 'failed', isLost: true })
    try {
      const fileIds = files.map(({ id }) => id)
      const answered = replyTo?.id ?? null
      const message = await this.#host.provider().send(roomId, {
        clientId,
        text,
        fileIds,
        replyTo: answered,
        ...(threadId !== undefined && { threadId, isAlsoInRoom: isAlsoInRoom === true }),
      })
      if (session === this.#session) this.#host.sent(message)
    } catch (error) {
      const known = this.#pending.get(placeOf(pending))?.some((one) => one.clientId === clientId)
      // The message may have arrived as a change although the response was lost.
      if (session !== this.#session || !known) return
      const problem = messageOf(error, '') || undefined
      this.#put({ ...pending, status: 'failed', problem, isLost: LOST.includes(statusOf(error)) })
    }
  }
  #isBehindLost(pending: Pending): boolean {
    const known = this.#pending.get(placeOf(pending)) ?? []
    const index = known.findIndex((one) => one.clientId === pending.clientId)
    return known.slice(0, index).some(({ isLost }) => isLost)
  }

  #put(pending: Pending) {
    outbox.write(this.#host.me(), pending)
    const known = this.#pending.get(placeOf(pending)) ?? []
    const isKnown = known.some(({ clientId }) => clientId === pending.clientId)
    this.#set(
      placeOf(pending),
      isKnown ? known.map((one) => (one.clientId === pending.clientId ? pending : one)) : [...known, pending],
    )
  }

  #set(id: string, pending: readonly Pending[]) {
    this.#pending.set(id, pending)
    this.#shown.set(
      id,
      pending.map((one) => shownPending(one, this.#host.me())),
    )
    this.#host.changed(id)
  }
}
