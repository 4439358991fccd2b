import { crc32 } from 'node:zlib'

/** Minimal valid files of each format. */
export const PDF = Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n')
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')
/** The format of Word, Excel and PowerPoint before 2007. */
export const CFB = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1_024)])
export const EXE = Buffer.concat([
  Buffer.from('MZ\u0090\0\u0003\0\0\0\u0004', 'latin1'),
  Buffer.from('This program cannot be run in DOS mode.'),
  Buffer.alloc(200),
])
export const MP3 = Buffer.concat([
  Buffer.from('ID3\u0003\0\0\0\0\0\0', 'latin1'),
  Buffer.from('fffb9064', 'hex'),
  Buffer.alloc(413),
])
const box = (kind: string, brand: string) =>
  Buffer.concat([Buffer.from([0, 0, 0, 20]), Buffer.from(`${kind}${brand}\0\0\0\0${brand}`, 'latin1')])
export const MP4 = box('ftyp', 'mp42')
export const MOV = box('ftyp', 'qt  ')
export const HEIC = box('ftyp', 'heic')
export const WEBP = Buffer.from('RIFF\u001a\0\0\0WEBPVP8L\r\0\0\0/\0\0\0\0\0\0\0\0', 'latin1')

/** Boxes of an ISO media file, such as a film, each with its kind and what is in it. */
export const isoBoxes = (...boxes: readonly (readonly [kind: string, content: string])[]): Buffer =>
  Buffer.concat(
    boxes.flatMap(([kind, content]) => {
      const header = Buffer.alloc(8)
      header.writeUInt32BE(8 + content.length)
      header.write(kind, 4, 'latin1')
      return [header, Buffer.from(content, 'latin1')]
    }),
  )

/** A grey pixel of a scanner, which writes its directory behind the picture. */
export function tiffWithLateDirectory(at: number): Buffer<ArrayBuffer> {
  const header = Buffer.from('49492a0000000000', 'hex')
  header.writeUInt32LE(at, 4)
  // Tag, kind of value, count, value: ImageWidth, ImageLength, BitsPerSample, Compression, PhotometricInterpretation,
  // StripOffsets, RowsPerStrip, StripByteCounts.
  const tags = [
    [256, 1],
    [257, 1],
    [258, 8],
    [259, 1],
    [262, 1],
    [273, 8],
    [278, 1],
    [279, 1],
  ]
  const directory = Buffer.alloc(2 + tags.length * 12 + 4)
  directory.writeUInt16LE(tags.length)
  for (const [n, [tag, value]] of tags.entries()) {
    directory.writeUInt16LE(tag!, 2 + n * 12)
    directory.writeUInt16LE(3, 4 + n * 12)
    directory.writeUInt32LE(1, 6 + n * 12)
    directory.writeUInt16LE(value!, 10 + n * 12)
  }
  return Buffer.concat([header, Buffer.alloc(at - header.length), directory])
}

/** A zip of files that are stored as they are. */
export function zipOf(entries: Readonly<Record<string, string>>): Buffer {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(entries)) {
    const [path, bytes] = [Buffer.from(name), Buffer.from(text)]
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt32LE(crc32(bytes), 10)
    shared.writeUInt32LE(bytes.length, 14)
    shared.writeUInt32LE(bytes.length, 18)
    shared.writeUInt16LE(path.length, 22)
    locals.push(Buffer.from('PK\u0003\u0004', 'latin1'), shared, path, bytes)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    central.push(Buffer.from('PK\u0001\u0002\u0014\0', 'latin1'), shared, rest, path)
    offset += 30 + path.length + bytes.length
  }
  const list = Buffer.concat(central)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(Object.keys(entries).length, 4)
  end.writeUInt16LE(Object.keys(entries).length, 6)
  end.writeUInt32LE(list.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, list, Buffer.from('PK\u0005\u0006', 'latin1'), end])
}
const openXml = (kind: string, folder: string) =>
  zipOf({
    '[Content_Types].xml': `<?xml version="1.0"?><Types><Override ContentType="application/vnd.openxmlformats-officedocument.${kind}.main+xml"/></Types>`,
    [`${folder}/document.xml`]: '<document/>',
  })
export const DOCX = openXml('wordprocessingml.document', 'word')
export const XLSX = openXml('spreadsheetml.sheet', 'xl')
export const PPTX = openXml('presentationml.presentation', 'ppt')
