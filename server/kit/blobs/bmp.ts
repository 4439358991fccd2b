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
/** `BITMAPCOREHEADER` of OS/2 1 and Windows 2: 16-bit sizes, and a palette of three bytes per colour. */
const CORE_HEADER = 12
/** `BITMAPINFOHEADER` and its longer successors, which begin with the same fields. OS/2 2 cuts its header to 16. */
const INFO_HEADERS = [16, 40, 52, 56, 64, 108, 124]
const MASKS_AT = 54

const RGB = 0
const RLE8 = 1
const RLE4 = 2
const BITFIELDS = 3
/** Run lengths of 24-bit colours in the header of OS/2 2, which Windows uses for JPEG. */
const RLE24 = 4
const ALPHA_BITFIELDS = 6
const OS2_HEADERS = [16, 64]
/** Bits per pixel of each run-length encoding. */
const RUN_LENGTH_BITS: Readonly<Record<number, number>> = { [RLE8]: 8, [RLE4]: 4, [RLE24]: 24 }
/** Default masks of red, green and blue by bits per pixel, for files that declare none. */
const MASKS: Readonly<Record<number, readonly number[]>> = {
  16: [0x7c00, 0x03e0, 0x001f],
  32: [0xff0000, 0x00ff00, 0x0000ff],
}

interface Header {
  readonly size: number
  readonly width: number
  readonly height: number
  readonly isTopDown: boolean
  readonly bits: number
  readonly compression: number
  /** Colours of the palette; 0 for as many as the bits address. */
  readonly colors: number
  /** Offset of the pixels. */
  readonly start: number
}
/** Returns the colour of a stored pixel as 0xRRGGBB. `line` counts in the order of the file. */
type ColorAt = (line: number, x: number) => number

/**
 * Reads a BMP of Windows or OS/2: any depth, palette, masks or run lengths, top-down or bottom-up. Libraries take
 * palettes for greys, or fail on files that are merely unusual. Skipped pixels of run lengths have the first colour.
 * @throws Refusal 400 too many pixels; RangeError where the file ends too soon, Error where it is not such an image
 */
export function readBmp(file: Buffer, maxPixels: number): Pixels {
  const header = headerOf(file)
  const { width, height, isTopDown } = header
  if (width < 1 || height < 1) throw new Error('Not such a BMP.')
  if (width * height > maxPixels) throw new Refusal(400, TOO_MANY_PIXELS)
  const colorAt = colorsOf(file, header)
  const data = Buffer.allocUnsafe(width * height * 3)
  for (let y = 0, to = 0; y < height; y++) {
    const line = isTopDown ? y : height - 1 - y
    for (let x = 0; x < width; x++, to += 3) {
      const color = colorAt(line, x)
      data[to] = color >>> 16
      data[to + 1] = color >>> 8
      data[to + 2] = color
    }
  }
  return { width, height, channels: 3, data }
}

function headerOf(file: Buffer): Header {
  const size = file.readUInt32LE(FILE_HEADER)
  const start = file.readUInt32LE(10)
  if (size === CORE_HEADER) {
    const [width, height] = [file.readUInt16LE(18), file.readUInt16LE(20)]
    const bits = file.readUInt16LE(24)
    return { size, width, height, isTopDown: false, bits, compression: RGB, colors: 0, start }
  }
  if (!INFO_HEADERS.includes(size)) throw new Error('Not such a BMP.')
  const height = file.readInt32LE(22)
  const isWhole = size >= 40
  return {
    size,
    width: file.readInt32LE(18),
    height: Math.abs(height),
    isTopDown: height < 0,
    bits: file.readUInt16LE(28),
    compression: isWhole ? file.readUInt32LE(30) : RGB,
    colors: isWhole ? file.readUInt32LE(46) : 0,
    start,
  }
}

function colorsOf(file: Buffer, header: Header): ColorAt {
  const { bits, compression, width, height, start, size } = header
  const isOs2 = OS2_HEADERS.includes(size)
  if (RUN_LENGTH_BITS[compression] === bits && (compression !== RLE24 || isOs2)) {
    const values = runLengths(file, header)
    const palette = bits === 24 ? undefined : paletteOf(file, header)
    const valueAt: ColorAt = (line, x) => values[line * width + x]!
    return palette ? (line, x) => palette[valueAt(line, x)] ?? 0 : valueAt
  }
  const rowSize = Math.ceil((width * bits) / 32) * 4
  if (start + rowSize * height > file.length) throw new RangeError('The file ends too soon.')
  const rows = { start, rowSize, bits }
  const hasMasks = !isOs2 && [BITFIELDS, ALPHA_BITFIELDS].includes(compression)
  if (compression !== RGB && !hasMasks) throw new Error('Not such a BMP.')
  if (MASKS[bits])
    return masked(file, rows, hasMasks ? [0, 4, 8].map((n) => file.readUInt32LE(MASKS_AT + n)) : MASKS[bits])
  if (bits === 24) return (line, x) => file.readUIntLE(start + line * rowSize + x * 3, 3)
  if ([1, 2, 4, 8].includes(bits)) return indexed(file, rows, paletteOf(file, header))
  throw new Error('Not such a BMP.')
}

interface Rows {
  readonly start: number
  readonly rowSize: number
  readonly bits: number
}
function indexed(file: Buffer, { start, rowSize, bits }: Rows, palette: Uint32Array): ColorAt {
  const perByte = 8 / bits
  const mask = (1 << bits) - 1
  return (line, x) => {
    const shift = 8 - bits * ((x % perByte) + 1)
    return palette[(file[start + line * rowSize + Math.floor(x / perByte)]! >>> shift) & mask] ?? 0
  }
}

function masked(file: Buffer, { start, rowSize, bits }: Rows, masks: readonly number[]): ColorAt {
  const channels = masks.map((mask) => {
    const shift = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask)
    return { mask, shift, most: Math.max(1, mask >>> shift) }
  })
  const bytes = bits / 8
  return (line, x) => {
    const pixel = file.readUIntLE(start + line * rowSize + x * bytes, bytes)
    let color = 0
    for (const { mask, shift, most } of channels)
      color = (color << 8) | Math.round((((pixel & mask) >>> shift) * 255) / most)
    return color
  }
}

function paletteOf(file: Buffer, { size, bits, colors, start }: Header): Uint32Array {
  const from = FILE_HEADER + size
  const entry = size === CORE_HEADER ? 3 : 4
  const declared = Math.min(colors || 1 << bits, 1 << bits)
  // Files of OS/2 leave colours out without saying so.
  const count = start > from ? Math.min(declared, Math.floor((start - from) / entry)) : declared
  return Uint32Array.from({ length: count }, (_, n) => file.readUIntLE(from + n * entry, 3))
}

/** Codes after a count of zero; a larger one is the number of single pixels that follow. */
const END_OF_LINE = 0
const END_OF_IMAGE = 1
const MOVE = 2

/**
 * The palette indices, or colours, of a run-length encoded image in the order of the file. Takes at most as many steps
 * as the file has bytes and the image pixels, because runs end at the edge.
 * @throws RangeError where the file ends too soon
 */
function runLengths(file: Buffer, { bits, width, height, start }: Header): Uint8Array | Uint32Array {
  const values = bits === 24 ? new Uint32Array(width * height) : new Uint8Array(width * height)
  let [x, line, at] = [0, 0, start]
  const put = (value: number) => {
    if (x < width) values[line * width + x] = value
    x += 1
  }
  /** The `n`th pixel from an offset on. */
  const pixel = (from: number, n: number): number => {
    if (bits === 24) return file.readUIntLE(from + n * 3, 3)
    if (bits === 8) return file.readUInt8(from + n)
    return (file.readUInt8(from + (n >>> 1)) >>> (n % 2 === 0 ? 4 : 0)) & 15
  }
  // Some files have no end of the image after their last pixel.
  while (line < height && !(line === height - 1 && x >= width)) {
    const count = file.readUInt8(at)
    at += 1
    if (count > 0) {
      const visible = Math.min(count, Math.max(0, width - x))
      for (let n = 0; n < visible; n++) put(pixel(at, bits === 4 ? n % 2 : 0))
      at += bits === 24 ? 3 : 1
      continue
    }
    const code = file.readUInt8(at)
    at += 1
    if (code === END_OF_IMAGE) break
    if (code === END_OF_LINE) {
      x = 0
      line += 1
    } else if (code === MOVE) {
      x += file.readUInt8(at)
      line += file.readUInt8(at + 1)
      at += 2
    } else {
      for (let n = 0; n < code; n++) put(pixel(at, n))
      const bytes = Math.ceil((code * bits) / 8)
      at += bytes + (bytes % 2)
    }
  }
  return values
}
