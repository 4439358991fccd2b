import type { MessagePage, ThreadPage } from '#contract/chat/schema.ts'

import { inThread } from './timeline.ts'
import { unread } from './unread.ts'

/** A thread that is or was open, and the person's place in it. */
export interface OpenedThread {
  readonly roomId: string
  /** Number of the last answer read; null for a person who does not take part, undefined until the thread has loaded. */
  readonly readSequence: number | null | undefined
  /** False once `chatRetentionDays` has deleted the first message. */
  readonly hasFirst: boolean
}
const NONE: ReadonlySet<string> = new Set()

interface Host {
  /** The unread threads have changed. */
  readonly changed: () => void
}

/** The opened threads, and those that are unread. */
export class Threads {
  readonly #opened = new Map<string, OpenedThread>()
  #unread = NONE
  readonly #host: Host

  constructor(host: Host) {
    this.#host = host
  }

  get = (id: string): OpenedThread | undefined => this.#opened.get(id)

  /** Ids of the opened threads of a room. */
  idsIn = (roomId: string): string[] =>
    [...this.#opened].flatMap(([id, thread]) => (thread.roomId === roomId ? [id] : []))

  /** Ids of the unread threads. */
  unread = (): ReadonlySet<string> => this.#unread

  open(id: string, roomId: string): void {
    if (!this.#opened.has(id)) this.#opened.set(id, { roomId, readSequence: undefined, hasFirst: true })
  }

  /** A page of a thread as a timeline: with the first message above the first answer. */
  take(id: string, page: ThreadPage): MessagePage {
    const { first, readSequence, ...messages } = page
    const { roomId } = this.#opened.get(id)!
    this.#opened.set(id, { roomId, readSequence, hasFirst: first !== null })
    const begin = first !== null && !page.hasOlder ? [inThread(first)] : []
    return { ...messages, messages: [...begin, ...page.messages.map(inThread)] }
  }

  /** Notes that a thread is read up to an answer. Returns false where it was already. */
  read(id: string, sequence: number): boolean {
    const thread = this.#opened.get(id)
    if (!thread) return false
    const { readSequence = null } = thread
    const isNews = this.#unread.has(id) || (readSequence !== null && sequence > readSequence)
    if (isNews) this.#opened.set(id, { ...thread, readSequence: Math.max(readSequence ?? 0, sequence) })
    return isNews
  }

  /** Notes an answer of the person, who takes part and has read the thread up to it. */
  answered(id: string, sequence: number): void {
    const thread = this.#opened.get(id)
    if (!thread || sequence <= (thread.readSequence ?? 0)) return
    this.#opened.set(id, { ...thread, readSequence: sequence })
    this.mark(id, false)
  }

  mark(id: string, isUnread: boolean): void {
    if (this.#unread.has(id) === isUnread) return
    const next = new Set(this.#unread)
    if (isUnread) next.add(id)
    else next.delete(id)
    this.#set(next)
    unread.add(isUnread ? 1 : -1)
  }

  /** Sets the unread threads that the server counted. */
  replace(ids: readonly string[] = []): void {
    if (ids.length === 0 && this.#unread.size === 0) return
    this.#set(new Set(ids))
  }

  clear(): void {
    this.#opened.clear()
    this.#set(NONE)
  }

  #set(ids: ReadonlySet<string>): void {
    this.#unread = ids
    this.#host.changed()
  }
}
