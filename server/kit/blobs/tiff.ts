/** `Compression` 6: the JPEG of TIFF 6.0, which `Compression` 7 replaced in 1995. */
const OLD_JPEG = 6
const COMPRESSION = 259
const JPEG_INTERCHANGE_FORMAT = 513
/** Version of TIFF; BigTIFF has 43, and longer fields. */
const VERSION = 42
const ENTRY_SIZE = 12
const SHORT = 3
const START_OF_IMAGE = Buffer.from([0xff, 0xd8, 0xff])

/**
 * The JPEG stream in the first page of a TIFF with old-style JPEG compression, for which libvips has no decoder.
 * @returns undefined for any other compression, and where the stream is split into tables and strips
 * @throws RangeError where the file ends too soon
 */
export function oldStyleJpeg(file: Buffer): Buffer | undefined {
  const isLittle = file.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (isLittle ? file.readUInt16LE(at) : file.readUInt16BE(at))
  const long = (at: number) => (isLittle ? file.readUInt32LE(at) : file.readUInt32BE(at))
  if (short(2) !== VERSION) return undefined
  const directory = long(4)
  const values = new Map<number, number>()
  for (let n = 0; n < short(directory); n++) {
    const entry = directory + 2 + n * ENTRY_SIZE
    values.set(short(entry), short(entry + 2) === SHORT ? short(entry + 8) : long(entry + 8))
  }
  const start = values.get(JPEG_INTERCHANGE_FORMAT)
  if (values.get(COMPRESSION) !== OLD_JPEG || start === undefined) return undefined
  const stream = file.subarray(start)
  return stream.subarray(0, START_OF_IMAGE.length).equals(START_OF_IMAGE) ? stream : undefined
}
