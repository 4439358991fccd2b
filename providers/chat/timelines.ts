import type { Message, MessagePage, ThreadAnswers } from '#contract/chat/schema.ts'

import type { MessageRange } from './provider.ts'
import { inThread, merge, NO_TIMELINE, type Timeline, withMessage } from './timeline.ts'

interface Host {
  /** Requests messages. Rejects where that fails, and does not call `take` where the session has ended meanwhile. */
  readonly fetch: (roomId: string, range: MessageRange, take: (page: MessagePage) => void) => Promise<void>
  /** The messages of a room have changed. */
  readonly changed: (roomId: string) => void
}

/** The loaded messages of rooms, and of threads, which have the id of their first message. */
export class Timelines {
  readonly #timelines = new Map<string, Timeline>()
  readonly #loading = new Map<string, Promise<void>>()
  /** Number of each room's latest load that replaces its messages. */
  readonly #replacing = new Map<string, number>()
  readonly #host: Host

  constructor(host: Host) {
    this.#host = host
  }

  of = (roomId: string): Timeline => this.#timelines.get(roomId) ?? NO_TIMELINE

  /** Ids of the rooms and threads whose messages are loaded. */
  ids = (): string[] => [...this.#timelines.keys()]

  /** Loads the newest messages of a room, or those around a sequence. */
  async open(roomId: string, around?: number): Promise<void> {
    const known = this.#timelines.get(roomId)
    if (around === undefined) {
      if (known?.status === 'ready' && !known.hasNewer) return
    } else if (known?.status === 'ready' && known.messages.some(({ sequence }) => sequence === around)) return
    this.#set(roomId, {
      ...(known ?? NO_TIMELINE),
      status: known?.status === 'ready' ? 'ready' : 'loading',
    })
    await this.load(roomId, around === undefined ? {} : { around })
  }

  async loadOlder(roomId: string): Promise<void> {
    const { messages, hasOlder } = this.of(roomId)
    const before = messages[0]?.sequence
    if (hasOlder && before !== undefined) await this.load(roomId, { before })
  }

  async loadNewer(roomId: string): Promise<void> {
    const { messages, hasNewer } = this.of(roomId)
    const after = messages.at(-1)?.sequence
    if (hasNewer && after !== undefined) await this.load(roomId, { after })
  }

  /** Loads messages, with one request at a time per end of a room. */
  load(roomId: string, range: MessageRange): Promise<void> {
    const key = `${roomId} ${Object.keys(range).join()}`
    const running = this.#loading.get(key)
    if (running && range.around === undefined) return running
    const answered = () => {
      if (this.#loading.get(key) === load) this.#loading.delete(key)
    }
    const load = this.#request(roomId, range, answered).finally(answered)
    this.#loading.set(key, load)
    return load
  }

  put(message: Message): void {
    if (message.sequence > 0) this.#put(message.roomId, message)
    this.#put(message.thread?.id ?? message.id, inThread(message))
  }
  #put(id: string, message: Message): void {
    const timeline = this.#timelines.get(id)
    if (timeline) this.#set(id, withMessage(timeline, message))
  }

  /** Counts the answers to a message in its room again. */
  putAnswers(roomId: string, messageId: string, answers: ThreadAnswers): void {
    const timeline = this.#timelines.get(roomId)
    if (!timeline?.messages.some(({ id }) => id === messageId)) return
    const messages = timeline.messages.map((one) => (one.id === messageId ? { ...one, answers } : one))
    this.#set(roomId, { ...timeline, messages })
  }

  drop(roomId: string): void {
    this.#timelines.delete(roomId)
    this.#host.changed(roomId)
  }

  /** Lets a next load request again what is loading: loads under way may lack what changed in a gap. */
  distrustLoads(): void {
    this.#loading.clear()
  }

  clear(): void {
    for (const map of [this.#timelines, this.#loading, this.#replacing]) map.clear()
  }

  /**
   * Returns a function that tells if a response still fits the timeline: of two replacing loads the later one counts.
   */
  #expect(roomId: string, { before, after }: MessageRange): () => boolean {
    if (before !== undefined) return () => this.of(roomId).messages[0]?.sequence === before
    if (after !== undefined) return () => this.of(roomId).messages.at(-1)?.sequence === after
    const number = (this.#replacing.get(roomId) ?? 0) + 1
    this.#replacing.set(roomId, number)
    return () => this.#replacing.get(roomId) === number
  }

  /**
   * Calls `answered` before it notifies about the messages, because a page still at the first message
   * requests more at once.
   */
  async #request(roomId: string, range: MessageRange, answered: () => void): Promise<void> {
    const isExpected = this.#expect(roomId, range)
    const isReplacing = range.before === undefined && range.after === undefined
    try {
      await this.#host.fetch(roomId, range, ({ messages, hasOlder, hasNewer }) => {
        answered()
        if (!isExpected()) return
        const known = isReplacing ? NO_TIMELINE : this.of(roomId)
        this.#set(roomId, {
          status: 'ready',
          error: undefined,
          messages: merge(known.messages, messages),
          hasOlder: range.after === undefined ? hasOlder : known.hasOlder,
          hasNewer: range.before === undefined ? hasNewer : known.hasNewer,
        })
      })
    } catch (error) {
      if (!isExpected()) return
      const known = this.of(roomId)
      const status = known.status === 'ready' ? 'ready' : 'failed'
      this.#set(roomId, { ...known, status, error })
    }
  }

  #set(roomId: string, timeline: Timeline): void {
    this.#timelines.set(roomId, timeline)
    this.#host.changed(roomId)
  }
}
