import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeEach, describe, expect, test } from 'vitest'

import { filesFor } from '#tests/support/attachments.ts'
import { CFB, PDF, PPTX } from '#tests/support/files.ts'
import { declared } from '#tests/support/incidents.ts'
import { type Caller, startTestServer } from '#tests/support/server.ts'
import { storageFor } from '#tests/support/storage.ts'

// A script in place of LibreOffice, which writes a PDF that reports how it was called.
const place = await mkdtemp(join(tmpdir(), 'muster-converter-'))
const converter = join(place, 'soffice')
afterAll(() => rm(place, { recursive: true }))
const SCRIPT = `#!/bin/sh
[ "$(cat ${place}/mode)" = damaged ] && exit 0
{ env; echo "ARGUMENTS $*"; pwd; cat profile/user/registrymodifications.xcu; } > report.txt
{ cat ${place}/sample.pdf; echo; echo "% $(cat report.txt | od -An -tx1 | tr -d ' \\n')"; } > document.pdf
`
await writeFile(converter, SCRIPT)
await chmod(converter, 0o755)
await writeFile(join(place, 'sample.pdf'), PDF)

const muster = await startTestServer({
  OFFICE_CONVERTER: converter,
  SMTP_URL: 'smtp://user:secret@127.0.0.1:9',
})
const { anOrganisation, signedInAs } = muster
const { upload, fetched } = storageFor(muster)
const attached = filesFor(muster)
beforeEach(() => writeFile(join(place, 'mode'), 'good'))

const anybody = async () =>
  signedInAs(await anOrganisation({ allowedFileExtensions: ['pptx', 'ppt', 'doc', 'docx', 'pdf'] }))
async function shown(who: Caller, name: string, bytes: Buffer) {
  const { id } = (await upload(who, bytes, name)).body
  const { status, body } = await who.post(`/sfs/item/${id}/preview`, {})
  expect([status, body.type], name).toEqual([200, 'application/pdf'])
  return fetched(body.path)
}
/** The report that the script put into its PDF. */
const reportIn = (pdf: Buffer) =>
  Buffer.from(/% ([\da-f]+)\s*$/.exec(pdf.toString('latin1'))![1]!, 'hex').toString()

describe('a document of an office program', () => {
  test.each([
    ['slides.pptx', PPTX],
    ['slides.PPT', CFB],
    ['letter.doc', CFB],
  ])('%s is shown as PDF', async (name, bytes) => {
    const { status, headers, bytes: pdf } = await shown(await anybody(), name, bytes)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(pdf.subarray(0, PDF.length).equals(PDF)).toBe(true)
  })

  test('is converted without secrets, in a folder of its own that is gone afterwards', async () => {
    const told = reportIn((await shown(await anybody(), 'letter.doc', CFB)).bytes)
    const folder = /^HOME=(.*)$/m.exec(told)![1]!
    expect(folder).toContain('muster-office-')
    expect(existsSync(folder)).toBe(false)
    expect(told).toContain(`-env:UserInstallation=file://${folder}/profile`)
    expect(told).toContain('--convert-to pdf')
    for (const secret of ['secret', 'SECRET_KEY', 'DATABASE_URL', 'OUTBOX_KEY'])
      expect(told).not.toContain(secret)
    for (const option of ['DisableMacrosExecution', 'BlockUntrustedRefererLinks', 'DisableActiveContent'])
      expect(told).toContain(`<prop oor:name="${option}" oor:op="fuse"><value>true</value>`)
  })

  test('that cannot be converted is refused in words', async () => {
    await writeFile(join(place, 'mode'), 'damaged')
    const { status, bytes } = await shown(await anybody(), 'letter.doc', CFB)
    expect([status, JSON.parse(String(bytes)).message]).toEqual([
      415,
      'This document cannot be shown. Please download it.',
    ])
  })

  test('is shown from an incident, too', async () => {
    const who = await anybody()
    const incident = await declared(who)
    const { id } = (await attached.upload(who, incident.id, PPTX, 'slides.pptx')).body
    const { status, headers, bytes } = await fetched(`/fa/${id}?shown=true`, who.headers)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(bytes.includes('%PDF-')).toBe(true)
    const saved = await fetched(`/fa/${id}`, who.headers)
    expect(saved.bytes.equals(PPTX)).toBe(true)
  })

  test('is announced to pages', async () => {
    expect((await (await anybody()).get('/config')).body.convertsOffice).toBe(true)
  })
})

test('without a converter, documents of office programs are not shown', async () => {
  const plain = await startTestServer()
  const who = await plain.signedInAs(await plain.anOrganisation({ allowedFileExtensions: ['pptx'] }))
  expect((await who.get('/config')).body.convertsOffice).toBe(false)
  const { id } = (await storageFor(plain).upload(who, PPTX, 'slides.pptx')).body
  const { status, body } = await who.post(`/sfs/item/${id}/preview`, {})
  expect([status, body.message]).toEqual([
    415,
    'Sorry, this file type cannot be previewed. Please download the file to view it.',
  ])
})
