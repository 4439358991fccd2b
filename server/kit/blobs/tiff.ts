/** Tags of TIFF 6.0. */
const TAGS = {
  subfileType: 254,
  width: 256,
  height: 257,
  compression: 259,
  rowsPerStrip: 278,
  tileWidth: 322,
  tileHeight: 323,
  jpegStream: 513,
} as const
/** `NewSubfileType`: a smaller version of another page. */
const REDUCED = 1
/** `Compression` 6: the JPEG of TIFF 6.0, which `Compression` 7 replaced in 1995. */
const OLD_JPEG = 6
const START_OF_IMAGE = Buffer.from([0xff, 0xd8, 0xff])

/** Sizes in bytes of the fields that hold one number: SHORT, LONG, IFD and LONG8. */
const SIZES: Readonly<Record<number, number>> = { 3: 2, 4: 4, 13: 4, 16: 8 }
/** Sizes in bytes of TIFF, and of BigTIFF for files of more than 4 GB. */
const CLASSIC = { firstAt: 4, offset: 4, count: 2, entry: 12, valueAt: 8 }
const BIG = { firstAt: 8, offset: 8, count: 8, entry: 20, valueAt: 12 }
const BIG_VERSION = 43
const PAGES_MAX = 10_000

/** A page by the fields of its directory. */
export interface TiffPage {
  /** Number of its directory, from 0. */
  readonly directory: number
  /** Pixels of a strip or tile, which is decoded at once. */
  readonly partPixels: number
  /** Offset of the JPEG stream, for which libvips has no decoder. */
  readonly jpegAt: number | undefined
}

/**
 * The pages of a TIFF or BigTIFF, without smaller versions of others. Its directories form a chain and may lie anywhere
 * in the file; the chain ends where it is damaged.
 * @throws RangeError where the file has no directory
 */
export function tiffPages(file: Buffer): TiffPage[] {
  const isLittle = file.toString('latin1', 0, 2) === 'II'
  const number = (at: number, size: number): number => {
    if (size === 2) return isLittle ? file.readUInt16LE(at) : file.readUInt16BE(at)
    if (size === 4) return isLittle ? file.readUInt32LE(at) : file.readUInt32BE(at)
    return Number(isLittle ? file.readBigUInt64LE(at) : file.readBigUInt64BE(at))
  }
  const format = number(2, 2) === BIG_VERSION ? BIG : CLASSIC
  const directories: { fields: ReadonlyMap<number, number>; next: number }[] = []
  const read = (at: number) => {
    const count = number(at, format.count)
    const first = at + format.count
    const end = first + count * format.entry
    const next = number(end, format.offset)
    const fields = new Map<number, number>()
    for (let entry = first; entry < end; entry += format.entry) {
      const size = SIZES[number(entry + 2, 2)]
      if (size !== undefined) fields.set(number(entry, 2), number(entry + format.valueAt, size))
    }
    return { fields, next }
  }
  const seen = new Set<number>()
  let at = number(format.firstAt, format.offset)
  while (at !== 0 && !seen.has(at) && directories.length < PAGES_MAX) {
    seen.add(at)
    try {
      directories.push(read(at))
    } catch (error) {
      if (directories.length === 0) throw error
      break
    }
    at = directories.at(-1)!.next
  }
  const isReduced = ({ fields }: (typeof directories)[number]) =>
    ((fields.get(TAGS.subfileType) ?? 0) & REDUCED) !== 0
  return directories.flatMap((found, directory) =>
    isReduced(found) && !directories.every(isReduced) ? [] : pageOf(file, directory, found.fields),
  )
}

function pageOf(file: Buffer, directory: number, fields: ReadonlyMap<number, number>): TiffPage {
  const valueOf = (name: keyof typeof TAGS) => fields.get(TAGS[name])
  const [width = 0, height = 0, tileWidth, tileHeight = 0] = (
    ['width', 'height', 'tileWidth', 'tileHeight'] as const
  ).map(valueOf)
  const rows = Math.min(valueOf('rowsPerStrip') ?? height, height)
  const jpegStream = valueOf('jpegStream')
  const isOldJpeg =
    valueOf('compression') === OLD_JPEG &&
    jpegStream !== undefined &&
    file.subarray(jpegStream, jpegStream + START_OF_IMAGE.length).equals(START_OF_IMAGE)
  return {
    directory,
    partPixels: tileWidth === undefined ? width * rows : tileWidth * tileHeight,
    // A stream that is split into tables and strips stays unread.
    jpegAt: isOldJpeg ? jpegStream : undefined,
  }
}
