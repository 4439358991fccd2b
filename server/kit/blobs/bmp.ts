import { Refusal } from '../core/refusal.ts'

export const TOO_MANY_PIXELS = 'The image has too many pixels. Please choose a smaller one.'

/** An image as rows of bytes from the top left, three or four to a pixel. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly channels: 3 | 4
  readonly data: Buffer
}

const FILE_HEADER = 14
/** `BITMAPINFOHEADER` and its longer successors, which begin with the same fields. */
const INFO_HEADERS = [40, 52, 56, 64, 108, 124]
const RGB = 0
const BITFIELDS = 3
/** Default masks of red, green and blue by bits per pixel, for files that declare none. */
const MASKS: Readonly<Record<number, readonly number[]>> = {
  16: [0x7c00, 0x03e0, 0x001f],
  32: [0xff0000, 0x00ff00, 0x0000ff],
}

/**
 * Reads an uncompressed BMP, of any depth, top-down or bottom-up. Libraries take palettes for greys, or fail on files
 * that are merely unusual.
 * @throws Refusal 400 too many pixels; RangeError where the file ends too soon, Error where it is not such an image
 */
export function readBmp(file: Buffer, maxPixels: number): Pixels {
  const headerSize = file.readUInt32LE(FILE_HEADER)
  const width = file.readInt32LE(18)
  const signedHeight = file.readInt32LE(22)
  const height = Math.abs(signedHeight)
  const bits = file.readUInt16LE(28)
  const compression = file.readUInt32LE(30)
  if (!INFO_HEADERS.includes(headerSize) || width < 1 || height < 1) throw new Error('Not such a BMP.')
  const rowSize = Math.ceil((width * bits) / 32) * 4
  const start = file.readUInt32LE(10)
  if (start + rowSize * height > file.length) throw new RangeError('The file ends too soon.')
  if (width * height > maxPixels) throw new Refusal(400, TOO_MANY_PIXELS)

  const read = readerOf()
  const data = Buffer.allocUnsafe(width * height * 3)
  for (let y = 0, to = 0; y < height; y++) {
    const row = start + rowSize * (signedHeight < 0 ? y : height - 1 - y)
    for (let x = 0; x < width; x++, to += 3) {
      const color = read(row, x)
      data[to] = color >>> 16
      data[to + 1] = color >>> 8
      data[to + 2] = color
    }
  }
  return { width, height, channels: 3, data }

  /** Returns a pixel as one number, 0xRRGGBB. */
  function readerOf(): (row: number, x: number) => number {
    if (bits === 24 && compression === RGB) return (row, x) => file.readUIntLE(row + x * 3, 3)
    if ((bits === 16 || bits === 32) && (compression === RGB || compression === BITFIELDS)) return masked()
    if ((bits === 1 || bits === 4 || bits === 8) && compression === RGB) return indexed()
    throw new Error('Not such a BMP.')
  }
  function indexed(): (row: number, x: number) => number {
    const palette = Uint32Array.from(
      { length: Math.min(file.readUInt32LE(46) || 1 << bits, 1 << bits) },
      (_, n) => file.readUInt32LE(FILE_HEADER + headerSize + n * 4) & 0xffffff,
    )
    const perByte = 8 / bits
    const mask = (1 << bits) - 1
    return (row, x) => {
      const shift = 8 - bits * ((x % perByte) + 1)
      return palette[(file[row + Math.floor(x / perByte)]! >>> shift) & mask] ?? 0
    }
  }
  function masked(): (row: number, x: number) => number {
    const masks = compression === BITFIELDS ? [54, 58, 62].map((at) => file.readUInt32LE(at)) : MASKS[bits]!
    const channels = masks.map((mask) => {
      const shift = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask)
      return { mask, shift, most: Math.max(1, mask >>> shift) }
    })
    const bytes = bits / 8
    return (row, x) => {
      const pixel = file.readUIntLE(row + x * bytes, bytes)
      let color = 0
      for (const { mask, shift, most } of channels)
        color = (color << 8) | Math.round((((pixel & mask) >>> shift) * 255) / most)
      return color
    }
  }
}
