import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

import { SECOND } from '../core/clock.ts'

/** Time of silence after which a sender counts as gone. */
const SILENCE_MAX = 60 * SECOND

/**
 * A request body, split into parts that are streams. Where the sender breaks off, the current part ends early and
 * `isBroken` is set: received bytes are worth keeping.
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

  /** Waits for more bytes; false at the end. */
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

  /** Stops reading. */
  close(): void {
    clearTimeout(this.#silence)
  }
}
