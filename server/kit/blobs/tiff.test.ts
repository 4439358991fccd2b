import { describe, expect, test } from 'vitest'

import { tiffPages } from './tiff.ts'

type Fields = Readonly<Record<number, number>>
/** A TIFF of directories that lie behind `gap` bytes, each with fields of one LONG. */
function tiff(pages: readonly Fields[], { big = false, gap = 0, last = 0 } = {}): Buffer {
  const parts: Buffer[] = [Buffer.alloc((big ? 16 : 8) + gap)]
  let at = parts[0]!.length
  const long = (into: Buffer, value: number, from: number) =>
    big ? into.writeBigUInt64BE(BigInt(value), from) : into.writeUInt32BE(value, from)
  parts[0]!.write(big ? 'MM\0+\0\b' : 'MM\0*', 'latin1')
  long(parts[0]!, at, big ? 8 : 4)
  for (const [n, fields] of pages.entries()) {
    const entries = Object.entries(fields)
    const [head, entry, offset] = big ? [8, 20, 8] : [2, 12, 4]
    const directory = Buffer.alloc(head + entries.length * entry + offset)
    if (big) long(directory, entries.length, 0)
    else directory.writeUInt16BE(entries.length, 0)
    for (const [m, [tag, value]] of entries.entries()) {
      const from = head + m * entry
      directory.writeUInt16BE(Number(tag), from)
      directory.writeUInt16BE(4, from + 2)
      directory.writeUInt32BE(value, from + (big ? 12 : 8))
    }
    at += directory.length
    long(directory, n + 1 < pages.length ? at : last, directory.length - offset)
    parts.push(directory)
  }
  return Buffer.concat(parts)
}
const page = { 256: 100, 257: 50, 278: 10 }
const directories = (file: Buffer) => tiffPages(file).map(({ directory }) => directory)

describe('the pages of a TIFF', () => {
  test.each([
    ['at its beginning', {}],
    ['behind half a megabyte', { gap: 500_000 }],
    ['of a BigTIFF', { big: true }],
  ])('are found %s', (_, options) => {
    expect(tiffPages(tiff([page, { 256: 64, 257: 64, 322: 16, 323: 32 }], options))).toEqual([
      { directory: 0, partPixels: 1_000, jpegAt: undefined },
      { directory: 1, partPixels: 512, jpegAt: undefined },
    ])
  })

  test('are not their smaller versions, unless there is nothing else', () => {
    expect(directories(tiff([page, { ...page, 254: 1 }, { ...page, 254: 2 }]))).toEqual([0, 2])
    expect(directories(tiff([{ ...page, 254: 1 }]))).toEqual([0])
  })

  test('end where the chain is a circle or leads out of the file', () => {
    expect(directories(tiff([page, page], { last: 8 }))).toEqual([0, 1])
    expect(directories(tiff([page, page], { last: 9_999 }))).toEqual([0, 1])
    expect(() => tiffPages(tiff([page]).subarray(0, 12))).toThrow(RangeError)
  })
})
