import { inflateSync } from 'node:zlib'

const HEADER = { woff: 44, sfnt: 12 }
const ENTRY = { woff: 20, sfnt: 16 }
const padded = (length: number) => Math.ceil(length / 4) * 4

/**
 * Unpacks the typeface of a WOFF file. The renderer's own reader takes seconds for a large one, because it inflates in
 * JavaScript.
 * @throws Error where a table is damaged
 */
export function unpackWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12)
  const tables = Array.from({ length: count }, (_, n) => {
    const at = HEADER.woff + n * ENTRY.woff
    const [offset, packed, length] = [4, 8, 12].map((part) => woff.readUInt32BE(at + part))
    const bytes = woff.subarray(offset, offset! + packed!)
    return {
      tag: woff.subarray(at, at + 4),
      checksum: woff.subarray(at + 16, at + 20),
      data: packed! < length! ? inflateSync(bytes) : bytes,
    }
  })
  const power = Math.floor(Math.log2(count))
  const head = Buffer.alloc(HEADER.sfnt + count * ENTRY.sfnt)
  woff.copy(head, 0, 4, 8)
  head.writeUInt16BE(count, 4)
  head.writeUInt16BE(2 ** power * 16, 6)
  head.writeUInt16BE(power, 8)
  head.writeUInt16BE((count - 2 ** power) * 16, 10)
  let offset = head.length
  for (const [n, { tag, checksum, data }] of tables.entries()) {
    const at = HEADER.sfnt + n * ENTRY.sfnt
    tag.copy(head, at)
    checksum.copy(head, at + 4)
    head.writeUInt32BE(offset, at + 8)
    head.writeUInt32BE(data.length, at + 12)
    offset += padded(data.length)
  }
  const parts = tables.flatMap(({ data }) => [data, Buffer.alloc(padded(data.length) - data.length)])
  return Buffer.concat([head, ...parts])
}
