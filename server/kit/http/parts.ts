import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

import { SECOND } from '../core/clock.ts'

/** A sender that is silent for so long has gone. */
const SILENCE_MAX = 60 * SECOND

/**
 * The body of a request, cut into parts that are streams. Where the sender breaks off, the part that it was sending
 * ends there, and `isBroken` says so: what has arrived is worth keeping.
 */
export class BodyParts {
  isBroken = false
  readonly #chunks: AsyncIterator<Buffer>
  readonly #silence: NodeJS.Timeout
  #rest: Buffer | undefined

  constructor(body: IncomingMessage) {
    this.#chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    this.#silence = setTimeout(() => body.destroy(), SILENCE_MAX)
  }

  /** Whether more has arrived; waits for it. */
  async hasMore(): Promise<boolean> {
    if (this.#rest && this.#rest.length > 0) return true
    try {
      const { done, value } = await this.#chunks.next()
      this.#silence.refresh()
      this.#rest = done ? undefined : value
    } catch {
      this.isBroken = true
      this.#rest = undefined
    }
    return this.#rest !== undefined
  }

  /** The next bytes, at most `max` of them. */
  next(max: number): Readable {
    return Readable.from(this.#take(max))
  }

  async *#take(max: number): AsyncGenerator<Buffer> {
    for (let left = max; left > 0 && (await this.hasMore());) {
      const chunk = this.#rest!.subarray(0, left)
      this.#rest = this.#rest!.subarray(chunk.length)
      left -= chunk.length
      yield chunk
    }
  }

  /** Waits for nothing more. */
  close(): void {
    clearTimeout(this.#silence)
  }
}
