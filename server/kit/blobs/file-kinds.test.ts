import { expect, test } from 'vitest'

import * as samples from '#tests/support/files.ts'

import { contentTypeOf } from './file-kinds.ts'

const { PDF, PNG, JPEG, CFB, EXE, MP3, MP4, MOV, HEIC, WEBP, DOCX, XLSX, PPTX, zipOf } = samples

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

test('a document whose list of contents comes last is one all the same', async () => {
  const types = '<Types><Override ContentType="application/x.wordprocessingml.document.main+xml"/></Types>'
  const large = zipOf({ 'word/media/image1.bmp': 'x'.repeat(400_000), '[Content_Types].xml': types })
  expect(await contentTypeOf(large.subarray(0, 262_144), 'docx')).toMatch(/wordprocessingml/)
})
