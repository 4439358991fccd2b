import { fileTypeFromTokenizer } from 'file-type'
import { AbstractTokenizer, EndOfStreamError, type IReadChunkOptions } from 'strtok3'

import { FRAME_SIZE } from './frames.ts'
import { inTimeSlice } from '../core/time-slice.ts'

export { supportedExtensions } from 'file-type'

/** Bytes that are read when they are needed. */
export interface Source {
  readonly size: number
  /** @param to not included; at most `size` */
  readonly read: (from: number, to: number) => Promise<Buffer>
}

/** Blocks that are read beyond the head, so that a file of thousands of parts takes no thousand reads from a bucket. */
const BLOCKS_MAX = 64

/**
 * Reads a file where the detection looks, in blocks of a frame each. Everybody else has their turn between two reads: a
 * ZIP file of a thousand parts, or one without the lengths of its parts, takes some 40 ms to look through.
 */
class SourceTokenizer extends AbstractTokenizer {
  override fileInfo: { size: number }
  readonly #head: Buffer
  readonly #source: Source
  readonly #blocks = new Map<number, Buffer>()

  constructor(head: Buffer, source: Source) {
    super()
    this.fileInfo = { size: source.size }
    this.#head = head
    this.#source = source
  }

  async readBuffer(into: Uint8Array, options?: IReadChunkOptions): Promise<number> {
    const position = options?.position ?? this.position
    const length = await this.peekBuffer(into, options)
    this.position = position + length
    return length
  }

  async peekBuffer(into: Uint8Array, options?: IReadChunkOptions): Promise<number> {
    const { position, length, mayBeLess } = this.normalizeOptions(into, options)
    const available = Math.max(0, Math.min(length, this.fileInfo.size - position))
    if (available < length && !mayBeLess) throw new EndOfStreamError()
    for (let done = 0; done < available;) {
      const bytes = await this.#bytesFrom(position + done)
      await inTimeSlice(() => into.set(bytes.subarray(0, available - done), done))
      done += bytes.length
    }
    return available
  }

  /** Some bytes from a position on, as many as are at hand. */
  async #bytesFrom(position: number): Promise<Buffer> {
    if (position < this.#head.length) return this.#head.subarray(position)
    const start = position - (position % FRAME_SIZE)
    let block = this.#blocks.get(start)
    if (!block) {
      if (this.#blocks.size >= BLOCKS_MAX) throw new EndOfStreamError()
      block = await this.#source.read(start, Math.min(start + FRAME_SIZE, this.#source.size))
      this.#blocks.set(start, block)
    }
    // The rest of a file that is still being sent.
    if (position - start >= block.length) throw new EndOfStreamError()
    return block.subarray(position - start)
  }

  override supportsRandomAccess(): boolean {
    return true
  }
  setPosition(position: number): void {
    this.position = position
  }
}

/** The extension by which `file-type` knows the content of a file; undefined where it does not know it. */
export const detectedExtension = async (head: Buffer, source: Source): Promise<string | undefined> =>
  source.size > 1 ? (await fileTypeFromTokenizer(new SourceTokenizer(head, source)))?.ext : undefined
