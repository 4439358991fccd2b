import { describe, expect, test } from 'vitest'

import { readBmp } from './bmp.ts'

/** Two by three pixels, row by row from the top: red, green; blue, white; black, grey. */
const PIXELS = [
  [0xff0000, 0x00ff00],
  [0x0000ff, 0xffffff],
  [0x000000, 0x848484],
]
const COLORS = [...new Set(PIXELS.flat())]

interface Shape {
  bits: 1 | 2 | 4 | 8 | 16 | 24 | 32
  topDown?: boolean
  headerSize?: number
  masks?: [number, number, number]
  gap?: number
}
/** A BMP of some kind with the picture. */
function bmp({ bits, topDown = false, headerSize = 40, masks, gap = 0 }: Shape, rows = PIXELS): Buffer {
  const width = rows[0]?.length ?? 0
  const palette = bits <= 8 ? COLORS.slice(0, 1 << bits) : []
  const masksInside = headerSize > 40
  const start = 14 + headerSize + palette.length * 4 + (masks && !masksInside ? 12 : 0) + gap
  const rowSize = Math.ceil((width * bits) / 32) * 4
  const file = Buffer.alloc(start + rowSize * rows.length)
  file.write('BM', 'latin1')
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(start, 10)
  file.writeUInt32LE(headerSize, 14)
  file.writeInt32LE(width, 18)
  file.writeInt32LE(topDown ? -rows.length : rows.length, 22)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(bits, 28)
  file.writeUInt32LE(masks ? 3 : 0, 30)
  file.writeUInt32LE(palette.length, 46)
  for (const [n, mask] of (masks ?? []).entries()) file.writeUInt32LE(mask, 54 + n * 4)
  for (const [n, color] of palette.entries()) file.writeUInt32LE(color, 14 + headerSize + n * 4)
  const place = (value: number, mask: number) => {
    const shift = 31 - Math.clz32(mask & -mask)
    return (Math.round((value * (mask >>> shift)) / 255) << shift) >>> 0
  }
  for (const [n, row] of rows.entries())
    for (const [x, color] of row.entries()) {
      const at = start + rowSize * (topDown ? n : rows.length - 1 - n)
      const [red, green, blue] = masks ?? (bits === 16 ? [0x7c00, 0x3e0, 0x1f] : [0xff0000, 0xff00, 0xff])
      const packed =
        (place(color >>> 16, red) | place((color >>> 8) & 255, green) | place(color & 255, blue)) >>> 0
      if (bits === 24) file.writeUIntLE(color, at + x * 3, 3)
      else if (bits > 8) file.writeUIntLE(packed, at + (x * bits) / 8, bits / 8)
      else {
        const shift = 8 - bits * ((x % (8 / bits)) + 1)
        const byte = at + Math.floor((x * bits) / 8)
        file[byte] = file[byte]! | (COLORS.indexOf(color) << shift)
      }
    }
  return file
}
/** A BMP of OS/2 1, whose palette has three bytes per colour. */
function coreBmp(rows = PIXELS): Buffer {
  const rowSize = Math.ceil(rows[0]!.length / 4) * 4
  const palette = Buffer.alloc(COLORS.length * 3)
  for (const [n, color] of COLORS.entries()) palette.writeUIntLE(color, n * 3, 3)
  const header = Buffer.alloc(26)
  header.write('BM', 'latin1')
  header.writeUInt32LE(26 + palette.length, 10)
  header.writeUInt32LE(12, 14)
  header.writeUInt16LE(rows[0]!.length, 18)
  header.writeUInt16LE(rows.length, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt16LE(8, 24)
  const lines = rows.toReversed().map((row) => {
    const line = Buffer.alloc(rowSize)
    for (const [x, color] of row.entries()) line[x] = COLORS.indexOf(color)
    return line
  })
  return Buffer.concat([header, palette, ...lines])
}
/** A run-length encoded BMP, bottom line first. */
function runLengthBmp(bits: 4 | 8 | 24, [width, height]: [number, number], codes: number[]): Buffer {
  const file = bmp({ bits, headerSize: bits === 24 ? 64 : 40 }, [])
  file.writeInt32LE(width, 18)
  file.writeInt32LE(height, 22)
  file.writeUInt32LE({ 4: 2, 8: 1, 24: 4 }[bits], 30)
  return Buffer.concat([file, Buffer.from(codes)])
}
const read = (file: Buffer) => {
  const { width, height, data } = readBmp(file, 1_000)
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (__, x) => data.readUIntBE((y * width + x) * 3, 3)),
  )
}

describe('a BMP', () => {
  test.each<[string, Shape]>([
    ['of 24 bits', { bits: 24 }],
    ['of 24 bits, top down', { bits: 24, topDown: true }],
    ['with bytes before its pixels', { bits: 24, gap: 17 }],
    ['of 32 bits', { bits: 32 }],
    ['of 32 bits with a long header', { bits: 32, headerSize: 124, masks: [0xff0000, 0xff00, 0xff] }],
    ['of 32 bits in another order', { bits: 32, masks: [0xff, 0xff00, 0xff0000] }],
    ['of 8 bits with a palette', { bits: 8 }],
    ['of 4 bits with a palette', { bits: 4 }],
    ['of 4 bits, top down', { bits: 4, topDown: true }],
    ['of 16 bits', { bits: 16 }],
  ])('%s is read', (_, shape) => expect(read(bmp(shape))).toEqual(PIXELS))

  test('of OS/2 is read', () => {
    expect(read(coreBmp())).toEqual(PIXELS)
    // Its second version has the fields of Windows in a longer header.
    expect(read(bmp({ bits: 8, headerSize: 64 }))).toEqual(PIXELS)
    expect(read(bmp({ bits: 24, headerSize: 16 }))).toEqual(PIXELS)
  })

  const [red, green, blue, white, black] = COLORS as [number, number, number, number, number]
  test.each<[string, 4 | 8 | 24, number[], number[][]]>([
    [
      '8 bits',
      8,
      [3, 1, 0, 0, 1, 2, 2, 3, 0, 1],
      [
        [blue, white, white],
        [green, green, green],
      ],
    ],
    // Three single pixels, padded to an even length.
    [
      '8 bits, of single pixels',
      8,
      [0, 3, 4, 1, 0, 0, 0, 0, 3, 1, 0, 1],
      [
        [green, green, green],
        [black, green, red],
      ],
    ],
    [
      '4 bits',
      4,
      [3, 0x12, 0, 0, 2, 0x30, 1, 0x44, 0, 1],
      [
        [white, red, black],
        [green, blue, green],
      ],
    ],
    [
      '4 bits, of single pixels',
      4,
      [0, 3, 0x12, 0x30, 0, 0, 3, 0x44, 0, 1],
      [
        [black, black, black],
        [green, blue, white],
      ],
    ],
    [
      '24 bits, of OS/2',
      24,
      [2, 0, 0, 255, 1, 0, 255, 0, 0, 0, 3, 255, 0, 0, 0, 1],
      [
        [blue, blue, blue],
        [red, red, green],
      ],
    ],
    [
      '8 bits that skip pixels',
      8,
      [1, 1, 0, 2, 1, 1, 1, 3, 0, 1],
      [
        [red, red, white],
        [green, red, red],
      ],
    ],
    [
      '8 bits that run over the edge',
      8,
      [255, 1, 0, 0, 255, 3],
      [
        [white, white, white],
        [green, green, green],
      ],
    ],
  ])('with run lengths of %s is read', (_, bits, codes, rows) =>
    expect(read(runLengthBmp(bits, [3, 2], codes))).toEqual(rows),
  )

  test.each<[string, number[]]>([
    ['that end too soon', [3, 1, 0, 0, 1]],
    ['whose single pixels end too soon', [0, 200, 1, 1]],
    ['that never begin', []],
  ])('with run lengths %s is refused', (_, codes) =>
    expect(() => readBmp(runLengthBmp(8, [3, 2], codes), 1_000)).toThrow(RangeError),
  )

  test('of run lengths that move out of the image draws nothing there', () => {
    expect(read(runLengthBmp(8, [1, 2], [0, 2, 255, 0, 9, 1, 0, 2, 0, 255]))).toEqual([[red], [red]])
  })

  test('of two bits is read', () => {
    const rows = [
      [red, green, blue, white, red],
      [white, white, green, red, blue],
    ]
    expect(read(bmp({ bits: 2 }, rows))).toEqual(rows)
  })

  test('of 16 bits keeps as much as there is of a colour', () => {
    const [red, green, blue] = [0x12, 0x80, 0xee].map((value) =>
      Math.round((Math.round((value * 31) / 255) * 255) / 31),
    )
    const rgb565: Shape = { bits: 16, masks: [0xf800, 0x07e0, 0x001f] }
    const [[pixel]] = read(bmp(rgb565, [[0x1280ee]])) as [[number]]
    expect(pixel >>> 16).toBe(red)
    expect(Math.abs(((pixel >>> 8) & 255) - green!)).toBeLessThanOrEqual(4)
    expect(pixel & 255).toBe(blue)
  })

  test('of one bit is read, also where a row ends within a byte', () => {
    const [one, other] = [COLORS[0]!, COLORS[1]!]
    const rows = [
      [one, other, one, one, other, other, one, other, one, other, other],
      [other, one, one, one, one, one, one, one, one, one, other],
    ]
    expect(read(bmp({ bits: 1 }, rows))).toEqual(rows)
  })

  test.each<[string, (file: Buffer) => Buffer]>([
    ['that ends too soon', (file) => file.subarray(0, file.length - 5)],
    ['that is only a header', (file) => file.subarray(0, 40)],
    ['that is next to nothing', (file) => file.subarray(0, 2)],
    ['whose pixels begin behind its end', (file) => (file.writeUInt32LE(0xffffffff, 10), file)],
    ['without a width', (file) => (file.writeInt32LE(0, 18), file)],
    ['of negative width', (file) => (file.writeInt32LE(-2, 18), file)],
    ['of the least height', (file) => (file.writeInt32LE(-2147483648, 22), file)],
    ['with more pixels than are allowed', (file) => (file.writeInt32LE(100_000, 18), file)],
    ['with run lengths of another depth', (file) => (file.writeUInt32LE(1, 30), file)],
    ['with a JPEG inside', (file) => (file.writeUInt32LE(4, 30), file)],
    ['of a depth that there is not', (file) => (file.writeUInt16LE(7, 28), file)],
    ['of no depth', (file) => (file.writeUInt16LE(0, 28), file)],
    ['with a header of another kind', (file) => (file.writeUInt32LE(13, 14), file)],
  ])('%s is refused', (_, spoil) => {
    expect(() => readBmp(spoil(bmp({ bits: 24 })), 1_000)).toThrow(Error)
  })

  test('with a palette that is too short shows black instead', () => {
    const file = bmp({ bits: 8 })
    file.writeUInt32LE(1, 46)
    expect(read(file)[1]).toEqual([0, 0])
  })
})
