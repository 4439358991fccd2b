import { Readable } from 'node:stream'

import {
  DamagedBlob,
  FRAME_SIZE,
  frameCount,
  Frames,
  HEADER_SIZE,
  SEALED_FRAME_SIZE,
  sealedSize,
} from './frames.ts'
import { noteBuffers } from '../core/memory.ts'
import { inTimeSlice } from '../core/time-slice.ts'

/** Frames read per call. */
const BATCH = 8

export interface Range {
  readonly from: number
  /** Last byte, inclusive. */
  readonly to: number
}

/** Source of stored bytes. */
export interface SealedBytes {
  readonly size: number
  /** Fills a buffer from a position as far as possible, and returns the number of bytes; 0 at the end. */
  read(into: Buffer, position: number): Promise<number>
  close(): Promise<void>
}

/**
 * Opens a stored blob and checks its length before the first byte. Afterwards the reader gets the whole range or an
 * error in the stream.
 * @throws DamagedBlob when the file's length is wrong, RangeError for a range outside of it
 */
export async function openBlob(
  open: () => Promise<SealedBytes>,
  blob: { readonly id: string; readonly size: number },
  key: Buffer,
  range: Range = { from: 0, to: blob.size - 1 },
): Promise<Readable> {
  const whole = range.from === 0 && range.to === blob.size - 1
  if (!whole && !(range.from >= 0 && range.from <= range.to && range.to < blob.size))
    throw new RangeError('The range is not within the file.')
  const file = await open()
  try {
    if (file.size !== sealedSize(blob.size))
      throw new DamagedBlob('The file is not as long as it was when it was stored.')
    const header = Buffer.alloc(HEADER_SIZE)
    await file.read(header, 0)
    const stream = new BlobStream(file, new Frames(key, blob.id, header), blob.size, range)
    await stream.begin()
    return stream
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Reads a batch of frames ahead while the previous one is decrypted and sent. */
class BlobStream extends Readable {
  readonly #file: SealedBytes
  readonly #frames: Frames
  readonly #range: Range
  readonly #count: number
  /** Next frame to release, and the frame after the last one of the range. */
  #index: number
  readonly #end: number
  #ready: Buffer[] = []
  #first: Buffer | undefined
  #ahead: Promise<Buffer> | undefined
  #nextRead: number
  /**
   * Two alternating buffers: one is decrypted while the other is filled. Allocating each time would take new memory.
   */
  readonly #buffers: Buffer[] = []
  #turn = 0
  /** Settles with the last read, so that the file is not closed during a read. */
  #reading: Promise<unknown> = Promise.resolve()

  constructor(file: SealedBytes, frames: Frames, size: number, range: Range) {
    super({ highWaterMark: FRAME_SIZE * 2 })
    this.#file = file
    this.#frames = frames
    this.#range = range
    this.#count = frameCount(size)
    this.#index = Math.floor(range.from / FRAME_SIZE)
    this.#end = Math.floor(Math.max(0, range.to) / FRAME_SIZE) + 1
    this.#nextRead = this.#index
  }

  /** Reads the first frames and authenticates the first one, so that damage there still gets an error response. */
  async begin(): Promise<void> {
    await this.#load()
    this.#first = await this.#open()
  }

  override _read(): void {
    this.#release().catch((error: Error) => this.destroy(error))
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    void this.#close(error, done)
  }

  async #close(error: Error | null, done: (error?: Error | null) => void): Promise<void> {
    let failure = error
    try {
      await this.#reading
      await this.#file.close()
    } catch (problem) {
      failure ??= problem as Error
    }
    done(failure)
  }

  /** Pushes the next frame that has bytes of the range. */
  async #release(): Promise<void> {
    await this.#load()
    const start = this.#index * FRAME_SIZE
    const plain = this.#first ?? (await this.#open())
    this.#first = undefined
    if (!plain) return void this.push(null)
    this.#index += 1
    const part = plain.subarray(Math.max(0, this.#range.from - start), this.#range.to + 1 - start)
    noteBuffers(plain.length)
    // An empty push would not request more.
    this.push(part.length > 0 ? part : null)
  }

  /** Waits for the next frames, and starts reading those after them. */
  async #load(): Promise<void> {
    if (this.#first || this.#ready.length > 0 || this.#index >= this.#end) return
    const bytes = await (this.#ahead ?? this.#readBatch())
    this.#ahead = this.#nextRead < this.#end ? this.#readBatch() : undefined
    for (let at = 0; at < bytes.length; at += SEALED_FRAME_SIZE)
      this.#ready.push(bytes.subarray(at, at + SEALED_FRAME_SIZE))
  }

  /** The plain bytes of the next frame; undefined after the last one. */
  async #open(): Promise<Buffer | undefined> {
    const stored = this.#ready.shift()
    if (!stored) return undefined
    return inTimeSlice(() => this.#frames.open(stored, this.#index, this.#index === this.#count - 1))
  }

  #readBatch(): Promise<Buffer> {
    const batch = this.#readFrames()
    this.#reading = batch.catch(() => {})
    return batch
  }

  async #readFrames(): Promise<Buffer> {
    const first = this.#nextRead
    this.#nextRead = Math.min(first + BATCH, this.#end)
    const length = (this.#nextRead - first) * SEALED_FRAME_SIZE
    // No batch is longer than the first ones.
    const bytes = (this.#buffers[this.#turn++ % 2] ??= Buffer.allocUnsafeSlow(length)).subarray(0, length)
    let read = 0
    while (read < bytes.length) {
      const position = HEADER_SIZE + first * SEALED_FRAME_SIZE + read
      const bytesRead = await this.#file.read(bytes.subarray(read), position)
      if (bytesRead === 0) break
      read += bytesRead
    }
    return bytes.subarray(0, read)
  }
}
