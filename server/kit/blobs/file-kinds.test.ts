import { CFB as compound } from '@e965/xlsx'
import { describe, expect, test } from 'vitest'

import * as samples from '#tests/support/files.ts'

import type { Source } from './detect.ts'
import { contentTypeOf as contentTypeOfSource } from './file-kinds.ts'

const {
  PDF,
  PNG,
  JPEG,
  CFB,
  EXE,
  MP3,
  MP4,
  MOV,
  HEIC,
  WEBP,
  DOCX,
  XLSX,
  PPTX,
  zipOf,
  isoBoxes,
  tiffWithLateDirectory,
} = samples

const sourceOf = (bytes: Buffer): Source => ({
  size: bytes.length,
  read: async (from, to) => bytes.subarray(from, to),
})
const contentTypeOf = (bytes: Buffer, extension: string) => contentTypeOfSource(sourceOf(bytes), extension)

test.each([
  ['pdf', PDF, 'application/pdf'],
  ['PDF', PDF, 'application/pdf'],
  ['doc', CFB, 'application/msword'],
  ['xls', CFB, 'application/vnd.ms-excel'],
  ['ppt', CFB, 'application/vnd.ms-powerpoint'],
  ['docx', DOCX, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xlsx', XLSX, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['pptx', PPTX, 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['jpg', JPEG, 'image/jpeg'],
  ['jpeg', JPEG, 'image/jpeg'],
  ['png', PNG, 'image/png'],
  ['webp', WEBP, 'image/webp'],
  ['heic', HEIC, 'image/heic'],
  ['mov', MOV, 'video/quicktime'],
  ['mp4', MP4, 'video/mp4'],
  ['mp3', MP3, 'audio/mpeg'],
  ['txt', Buffer.from('Water at pump 3.\r\n\tÉvacuation – 避難'), 'text/plain'],
  // Begins with the signature of an audio file, or of a picture.
  ['txt', Buffer.from('MAC address of the pump: 00-1B'), 'text/plain'],
  ['txt', Buffer.from('BMW and MZ called'), 'text/plain'],
  ['txt', Buffer.from('\ufeffnotes of a Windows editor', 'utf16le'), 'text/plain'],
  ['csv', Buffer.from('a;b\n1;2'), 'text/csv'],
  ['zip', zipOf({ 'a.txt': 'a' }), 'application/octet-stream'],
  ['msg', CFB, 'application/octet-stream'],
  ['log', Buffer.from('2031-05-02 started'), 'application/octet-stream'],
] as const)('%s is what it says', async (extension, head, type) =>
  expect(await contentTypeOf(head, extension)).toBe(type),
)

test.each([
  ['a program as PDF', 'pdf', EXE],
  ['a program as text', 'txt', EXE],
  ['a program as a document', 'docx', EXE],
  ['a program under an extension that nobody knows', 'dwg', EXE],
  ['a picture as text', 'txt', PNG],
  ['a picture as another one', 'jpg', PNG],
  ['a PDF as text', 'txt', PDF],
  ['text as PDF', 'pdf', Buffer.from('not at all')],
  ['a plain zip as a document', 'docx', zipOf({ 'virus.exe': 'MZ' })],
  ['a spreadsheet as a document', 'docx', XLSX],
  ['a new document as an old one', 'doc', DOCX],
  ['a sound as a video', 'mp4', MP3],
  ['bytes as text', 'txt', Buffer.from([0x68, 0x69, 0x00, 0x01])],
  ['nothing as PDF', 'pdf', Buffer.alloc(0)],
] as const)('%s is refused', async (_, extension, head) =>
  expect(await contentTypeOf(head, extension)).toBeUndefined(),
)

/** A compound file with these streams. */
function compoundFile(...streams: readonly string[]): Buffer {
  const { utils, write } = compound as {
    utils: { cfb_new(): object; cfb_add(file: object, path: string, content: Buffer): void }
    write: (file: object, options: { type: 'buffer' }) => Buffer
  }
  const file = utils.cfb_new()
  for (const name of streams) utils.cfb_add(file, `/${name}`, Buffer.alloc(5_000, name))
  return write(file, { type: 'buffer' })
}
describe('a document with a password', () => {
  const OTHERS = Array.from({ length: 20 }, (_, n) => `Stream${n}`)
  test.each(['docx', 'xlsx', 'pptx'])('is taken as %s', async (extension) => {
    const bytes = compoundFile(...OTHERS, 'EncryptionInfo', 'EncryptedPackage')
    expect(await contentTypeOf(bytes, extension)).toMatch(/^application\/vnd\.openxmlformats/)
  })

  test('is no other compound file, however it is made', async () => {
    expect(await contentTypeOf(compoundFile('WordDocument'), 'docx')).toBeUndefined()
    expect(await contentTypeOf(compoundFile('EncryptedPackageOf'), 'docx')).toBeUndefined()
    const bytes = compoundFile('EncryptedPackage')
    expect(await contentTypeOf(bytes, 'png')).toBeUndefined()
    expect(await contentTypeOf(bytes.subarray(0, 600), 'docx')).toBeUndefined()
    // A directory whose chain is a circle, and one that lies outside of the file.
    for (const [at, value] of [
      [48, 0xfffffff0],
      [76, 0],
      [76, 0xfffffff0],
    ] as const) {
      const damaged = compoundFile(...OTHERS, 'Last')
      damaged.writeUInt32LE(value, at)
      expect(await contentTypeOf(damaged, 'docx')).toBeUndefined()
    }
  })
})

/** A tag of a sound that takes so many bytes. */
function id3(size: number): Buffer {
  const header = Buffer.from('ID3\u0003\0\0\0\0\0\0', 'latin1')
  for (let at = 0; at < 4; at += 1) header[6 + at] = (size >> (7 * (3 - at))) & 0x7f
  return Buffer.concat([header, Buffer.alloc(size)])
}
const FAR = 400_000
const WORD =
  '<Types><Override ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
describe('a file that says late what it is', () => {
  test.each([
    ['tif', tiffWithLateDirectory(FAR), 'image/tiff'],
    ['tiff', tiffWithLateDirectory(20_000_000), 'image/tiff'],
    [
      'docx',
      zipOf({
        'docProps/thumbnail.emf': 'x'.repeat(FAR),
        'word/document.xml': '',
        '[Content_Types].xml': WORD,
      }),
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ],
    ['mp4', isoBoxes(['ftyp', 'isom'], ['mdat', 'x'.repeat(FAR)], ['moov', '']), 'video/mp4'],
    // QuickTime wrote no ftyp at first.
    ['mov', isoBoxes(['wide', ''], ['mdat', 'x'.repeat(FAR)], ['moov', '']), 'video/quicktime'],
    // The picture of an album comes before the sound.
    ['mp3', Buffer.concat([id3(FAR), Buffer.from('fffb9064', 'hex'), Buffer.alloc(413)]), 'audio/mpeg'],
    ['xls', Buffer.concat([CFB, Buffer.alloc(FAR)]), 'application/vnd.ms-excel'],
    ['pdf', Buffer.concat([Buffer.from('\r\n@PJL ENTER LANGUAGE=PDF\r\n'), PDF]), 'application/pdf'],
  ] as const)('is %s all the same', async (extension, bytes, type) =>
    expect(await contentTypeOf(bytes, extension)).toBe(type),
  )

  test('is refused where it is something else in the end', async () => {
    const zip = zipOf({ 'a.bin': 'x'.repeat(FAR), 'setup.exe': 'MZ' })
    expect(await contentTypeOf(zip, 'docx')).toBeUndefined()
    expect(await contentTypeOf(tiffWithLateDirectory(FAR).subarray(0, FAR), 'tif')).toBeUndefined()
    expect(await contentTypeOf(Buffer.concat([EXE, PDF]), 'pdf')).toBeUndefined()
  })

  test('is read in a few places only, however it is made', async () => {
    const parts = Array.from({ length: 900 }, (_, n) => [`word/${n}.bin`, 'x'.repeat(70_000)])
    const bytes = zipOf({ ...Object.fromEntries(parts), '[Content_Types].xml': WORD })
    let read = 0
    const source: Source = {
      size: bytes.length,
      read: async (from, to) => {
        read += to - from
        return bytes.subarray(from, to)
      },
    }
    expect(await contentTypeOfSource(source, 'docx')).toMatch(/wordprocessingml/)
    expect(read).toBeLessThan(5_000_000)
  })
})
