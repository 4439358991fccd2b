import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

export interface ZipEntry {
  /** Path with `/` between folders. */
  readonly name: string
  /** ISO 8601. */
  readonly at: string
  /** True when compressing is worthwhile; pictures and documents are compressed already. */
  readonly isText: boolean
  readonly content: () => AsyncIterable<Buffer>
}

const LOCAL = 0x04034b50
const DESCRIPTOR = 0x08074b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const END64 = 0x06064b50
const LOCATOR64 = 0x07064b50
/** Flags: sizes follow the content, and names are UTF-8. */
const FLAGS = 0x0808
const DEFLATED = 8
const MAX16 = 0xffff
const MAX32 = 0xffffffff

/** Encodes consecutive numbers, each as [bytes, value]. */
function record(...fields: readonly (readonly [2 | 4 | 8, number])[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of fields) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at)
    else buffer.writeUIntLE(value, at, bytes)
    at += bytes
  }
  return buffer
}

/** A time in MS-DOS format: UTC, in steps of two seconds, from 1980 on. */
function dosTime(at: string): { time: number; date: number } {
  const moment = new Date(at)
  const year = Math.max(1980, moment.getUTCFullYear()) - 1980
  return {
    time: (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1),
    date: (year << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate(),
  }
}

/**
 * An archive in the ZIP format (PKWARE APPNOTE 6.3), written while it is read, with nothing held in memory. Single
 * files are smaller than 4 GB; the archive may be larger (ZIP64).
 */
export async function* zip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let offset = 0
  for await (const entry of entries) {
    const name = Buffer.from(entry.name)
    const { time, date } = dosTime(entry.at)
    const method = entry.isText ? DEFLATED : 0
    const start = offset
    const header = record(
      [4, LOCAL],
      [2, 20],
      [2, FLAGS],
      [2, method],
      [2, time],
      [2, date],
      [4, 0],
      [4, 0],
      [4, 0],
      [2, name.length],
      [2, 0],
    )
    yield header
    yield name
    offset += header.length + name.length
    let crc = 0
    let plain = 0
    let packed = 0
    async function* counted() {
      for await (const chunk of entry.content()) {
        crc = crc32(chunk, crc)
        plain += chunk.length
        yield chunk
      }
    }
    // The pipeline ends the iteration with its source's error, which is thrown below.
    const body = entry.isText ? pipeline(Readable.from(counted()), createDeflateRaw(), () => {}) : counted()
    for await (const chunk of body as AsyncIterable<Buffer>) {
      packed += chunk.length
      yield chunk
    }
    const descriptor = record([4, DESCRIPTOR], [4, crc], [4, packed], [4, plain])
    yield descriptor
    offset += packed + descriptor.length
    directory.push(centralRecord({ name, method, time, date, crc, packed, plain, start }))
  }
  yield* endOf(directory, offset)
}

interface DirectoryEntry {
  readonly name: Buffer
  readonly method: number
  readonly time: number
  readonly date: number
  readonly crc: number
  readonly packed: number
  readonly plain: number
  readonly start: number
}
function centralRecord({ name, method, time, date, crc, packed, plain, start }: DirectoryEntry): Buffer {
  const isFar = start >= MAX32
  const extra = isFar ? record([2, 1], [2, 8], [8, start]) : Buffer.alloc(0)
  const fixed = record(
    [4, CENTRAL],
    [2, 45],
    [2, isFar ? 45 : 20],
    [2, FLAGS],
    [2, method],
    [2, time],
    [2, date],
    [4, crc],
    [4, packed],
    [4, plain],
    [2, name.length],
    [2, extra.length],
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
    [4, isFar ? MAX32 : start],
  )
  return Buffer.concat([fixed, name, extra])
}

function* endOf(directory: readonly Buffer[], offset: number): Generator<Buffer> {
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const count = directory.length
  yield* directory
  if (offset >= MAX32 || count >= MAX16) {
    yield record(
      [4, END64],
      [8, 44],
      [2, 45],
      [2, 45],
      [4, 0],
      [4, 0],
      [8, count],
      [8, count],
      [8, size],
      [8, offset],
    )
    yield record([4, LOCATOR64], [4, 0], [8, offset + size], [4, 1])
  }
  const few = Math.min(count, MAX16)
  yield record(
    [4, END],
    [2, 0],
    [2, 0],
    [2, few],
    [2, few],
    [4, Math.min(size, MAX32)],
    [4, Math.min(offset, MAX32)],
    [2, 0],
  )
}
