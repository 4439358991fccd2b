/** Limit in bytes for unpacking: a few kilobytes can expand to more than the device's memory. */
export const UNPACKED_MAX = 256 * 1024 * 1024
/** Packed bytes per step; each step yields at most about a thousand times as many. */
const STEP = 16 * 1024

const END_OF_LIST = 0x06_05_4b_50
const LIST_ENTRY = 0x02_01_4b_50
const END_SIZE = 22
const ENTRY_SIZE = 46
const LOCAL_SIZE = 30
const DEFLATED = 8

/** Streaming decompressor, as of fflate. */
export type Inflater = new (onPart: (part: Uint8Array) => void) => {
  push(packed: Uint8Array, isLast: boolean): void
}

interface Entry {
  readonly name: string
  readonly isDeflated: boolean
  readonly packed: Uint8Array
}

/** True if the bytes begin like a ZIP archive, as Office files since 2007 do. */
export const isArchive = (bytes: Uint8Array): boolean =>
  [0x50, 0x4b, 0x03, 0x04].every((byte, at) => bytes[at] === byte)

/**
 * The entries in the central directory of a ZIP archive with their packed bytes (APPNOTE 4.3.12).
 * @throws Error if it is no archive, or is damaged
 */
export function* entriesIn(bytes: Uint8Array): Generator<Entry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const names = new TextDecoder()
  let end = bytes.length - END_SIZE
  while (end >= 0 && view.getUint32(end, true) !== END_OF_LIST) end -= 1
  if (end < 0) throw new Error('This is no archive.')
  let at = view.getUint32(end + 16, true)
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    if (view.getUint32(at, true) !== LIST_ENTRY) throw new Error('The archive is damaged.')
    const local = view.getUint32(at + 42, true)
    const start = local + LOCAL_SIZE + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
    const nameEnd = at + ENTRY_SIZE + view.getUint16(at + 28, true)
    yield {
      name: names.decode(bytes.subarray(at + ENTRY_SIZE, nameEnd)),
      isDeflated: view.getUint16(at + 10, true) === DEFLATED,
      packed: bytes.subarray(start, start + view.getUint32(at + 20, true)),
    }
    at = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
}

/**
 * Inflates an archive without keeping the result, because the sizes in its headers may be wrong.
 * @throws Error if it unpacks to more than `max` bytes, or is damaged
 */
export function demandUnpackable(bytes: Uint8Array, Inflate: Inflater, max = UNPACKED_MAX): void {
  let unpacked = 0
  const count = (more: number) => {
    unpacked += more
    if (unpacked > max) throw new Error('The file unpacks to too much.')
  }
  for (const { isDeflated, packed } of entriesIn(bytes)) {
    if (!isDeflated) {
      count(packed.length)
      continue
    }
    const inflate = new Inflate((part) => count(part.length))
    // Marking the last bytes as final rejects a stream that continues beyond its declared end.
    for (let at = 0; at < packed.length; at += STEP)
      inflate.push(packed.subarray(at, at + STEP), at + STEP >= packed.length)
  }
}

/** Signature of a compound file: Office files until 2003, and later ones with a password. */
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
export const isCompound = (bytes: Uint8Array): boolean => COMPOUND.every((byte, at) => bytes[at] === byte)
