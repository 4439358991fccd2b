import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { describe, expect, test, vi } from 'vitest'

import { SESSION_PATHS } from '#contract/sessions/access.ts'
import type { InterruptedUpload, StorageItem } from '#contract/files/schema.ts'
import { blobPathOf } from '#server/kit/blobs/folder.ts'
import { clock, HOUR } from '#server/kit/core/clock.ts'
import { chores } from '#server/kit/jobs/housekeeping.ts'

import { sha256 } from '../support/attachments.ts'
import {
  CFB,
  DOCX,
  EXE,
  HEIC,
  JPEG,
  MOV,
  MP3,
  MP4,
  PDF,
  PNG,
  PPTX,
  tiffWithLateDirectory,
  WEBP,
  XLSX,
} from '../support/files.ts'
import { type Caller, startTestServer } from '../support/server.ts'
import { storageFor } from '../support/storage.ts'
import { tusFor, type Where } from '../support/tus.ts'

const muster = await startTestServer()
const { anOrganisation, signedInAs, services } = muster
const { download, folder, names, upload } = storageFor(muster)
const tusOf = ({ headers }: Caller) => tusFor(`${muster.url}/api`, headers)

const aPdf = (size: number) => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(size - 9)])
const someone = async (config = {}) => {
  const ana = await signedInAs(await anOrganisation(config), 'ADMIN')
  return { ana, tus: tusOf(ana) }
}
const idOf = ({ headers }: Where) => Number(headers.get('File-Id'))
const filesOnDisk = async () =>
  (await readdir(join(muster.dataDir, 'files'), { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  ).length
/** The stored blobs of the caller's organisation. */
const blobsOf = ({ organisation }: Caller) =>
  muster.inside(organisation, (db) => db.selectFrom('blobs').select(['id', 'size']).execute())
const interrupted = async (who: Caller): Promise<InterruptedUpload[]> => (await who.get('/sfs/uploads')).body

describe('an upload in parts', () => {
  test('says where it is, stays unseen until the last part, and is then the file that was sent', async () => {
    const { ana, tus } = await someone()
    const bytes = aPdf(300_000)
    const plans = await folder(ana, 'Plans')
    const id = await tus.begin('Große Karte.pdf', bytes.length, { parentFolderId: String(plans.id) })
    const begun = await tus.where(id)
    expect([begun.status, begun.offset, begun.headers.get('Upload-Length')]).toEqual([200, 0, '300000'])
    expect(begun.headers.get('Tus-Resumable')).toBe('1.0.0')
    expect(begun.headers.get('Cache-Control')).toBe('no-store')
    const ends = Date.parse(begun.headers.get('Upload-Expires')!) - clock.now()
    expect(Math.round(ends / HOUR)).toBe(24)

    // Parts may end inside a frame.
    expect((await tus.send(id, 0, bytes.subarray(0, 100_001))).offset).toBe(100_001)
    expect((await tus.send(id, 100_001, bytes.subarray(100_001, 100_002))).offset).toBe(100_002)
    expect(await names(ana, plans.id)).toEqual([])
    expect((await ana.get('/sfs/search?query=Karte')).body).toEqual([])
    expect(await interrupted(ana)).toMatchObject([
      { id, name: 'Große Karte', offset: 100_002, path: [{ id: plans.id, name: 'Plans' }] },
    ])

    const last = await tus.send(id, 100_002, bytes.subarray(100_002))
    expect([last.status, last.offset, last.headers.get('File-Version')]).toEqual([204, 300_000, '1'])
    const { body: item } = await ana.get(`/sfs/item/${idOf(last)}`)
    expect(item).toMatchObject({
      name: 'Große Karte',
      size: 300_000,
      sha256: sha256(bytes),
      parentFolderId: plans.id,
    })
    expect((await download(ana, item.id)).bytes.equals(bytes)).toBe(true)
    expect(await interrupted(ana)).toEqual([])
    // No bytes of the parts are left.
    expect(await blobsOf(ana)).toMatchObject([{ size: 300_000 }])
    const { body: all } = await ana.get('/useradmin/auditLog?range=[0,9]')
    expect(JSON.stringify(all)).toContain('Große Karte.pdf')
  })

  test('of one part is stored once, and becomes a version where the name is taken', async () => {
    const { ana, tus } = await someone()
    const first = (await upload(ana, aPdf(50), 'plan.pdf')).body
    const bytes = aPdf(70_000)
    const done = await tus.send(await tus.begin('Plan.PDF', bytes.length), 0, bytes)
    expect([idOf(done), done.headers.get('File-Version')]).toEqual([first.id, '2'])
    expect((await download(ana, first.id)).bytes.equals(bytes)).toBe(true)
    expect(await blobsOf(ana)).toHaveLength(2)
  })

  test('survives an answer that is lost', async () => {
    const { ana, tus } = await someone()
    const bytes = aPdf(1_000)
    const id = await tus.begin('plan.pdf', bytes.length)
    await tus.send(id, 0, bytes.subarray(0, 400))
    // A client that missed the response repeats the part and gets the current offset.
    const again = await tus.send(id, 0, bytes.subarray(0, 400))
    expect([again.status, again.body.code]).toEqual([409, 'upload_offset'])
    expect((await tus.where(id)).offset).toBe(400)
    const done = await tus.send(id, 400, bytes.subarray(400))
    expect((await tus.send(id, 400, bytes.subarray(400))).status).toBe(409)
    const after = await tus.where(id)
    expect([after.offset, idOf(after)]).toEqual([1_000, idOf(done)])
    expect(await names(ana)).toEqual(['plan'])
  })

  test('keeps what arrived before the connection was lost', async () => {
    const { ana, tus } = await someone()
    const bytes = aPdf(2_000_000)
    const id = await tus.begin('plan.pdf', bytes.length)
    const lost = new AbortController()
    const broken = new ReadableStream<Uint8Array>({
      type: 'bytes',
      start: (to) => to.enqueue(new Uint8Array(bytes.subarray(0, 700_000))),
    })
    const sending = tus.send(id, 0, broken, lost.signal)
    await vi.waitFor(async () => {
      // The part is written as it arrives.
      expect(await readdir(join(muster.dataDir, 'files/unfinished'))).toHaveLength(1)
    })
    lost.abort()
    await expect(sending).rejects.toThrow()
    const { offset } = await vi.waitFor(async () => {
      const found = await tus.where(id)
      expect(found.offset).toBeGreaterThan(0)
      return found
    })
    const done = await tus.send(id, offset, bytes.subarray(offset))
    expect((await download(ana, idOf(done))).bytes.equals(bytes)).toBe(true)
  })

  test('of which two senders send the same part is stored once', async () => {
    const { ana, tus } = await someone()
    const bytes = aPdf(500_000)
    const id = await tus.begin('plan.pdf', bytes.length)
    const both = await Promise.all([1, 2].map(() => tus.send(id, 0, bytes.subarray(0, 200_000))))
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 409])
    const ends = await Promise.all([1, 2].map(() => tus.send(id, 200_000, bytes.subarray(200_000))))
    expect(ends.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 409])
    const [{ id: item } = { id: 0 }] = (await ana.get('/sfs/folder/0')).body as StorageItem[]
    expect((await download(ana, item)).bytes.equals(bytes)).toBe(true)
    expect(await blobsOf(ana)).toHaveLength(1)
  })

  test('is not put together when a part was changed on the disk', async () => {
    const { ana, tus } = await someone()
    const bytes = aPdf(300_000)
    const id = await tus.begin('plan.pdf', bytes.length)
    await tus.send(id, 0, bytes.subarray(0, 200_000))
    const [part] = await blobsOf(ana)
    const path = blobPathOf(join(muster.dataDir, 'files'), part!.id)
    const stored = await readFile(path)
    stored[150_000]! ^= 1
    await writeFile(path, stored)
    const refused = await tus.send(id, 200_000, bytes.subarray(200_000))
    expect([refused.status, refused.body.code]).toEqual([500, 'file_damaged'])
    expect(await names(ana)).toEqual([])
  })

  test('can be given up, with its bytes', async () => {
    const { ana, tus } = await someone()
    const files = await filesOnDisk()
    const id = await tus.begin('plan.pdf', 5_000)
    await tus.send(id, 0, aPdf(900))
    expect((await tus.end(id)).status).toBe(204)
    expect((await tus.where(id)).status).toBe(404)
    expect(await blobsOf(ana)).toEqual([])
    await vi.waitFor(async () => expect(await filesOnDisk()).toBe(files))
  })

  test('expires a day after its last part, with its bytes', async () => {
    const { ana, tus } = await someone()
    const id = await tus.begin('plan.pdf', 5_000)
    const begun = clock.now()
    const now = vi.spyOn(clock, 'now')
    try {
      const all = chores({ database: services.database, blobs: services.blobs })
      now.mockReturnValue(begun + 20 * HOUR)
      const { token } = await services.tokens.issueAccess({
        userId: ana.uuid,
        organisationId: ana.organisation.id,
        sessionId: ana.sessionId,
      })
      const later = tusFor(`${muster.url}/api`, { ...ana.headers, Authorization: `Bearer ${token}` })
      expect((await later.send(id, 0, aPdf(900))).status).toBe(204)
      const [part] = await blobsOf(ana)
      const path = blobPathOf(join(muster.dataDir, 'files'), part!.id)
      now.mockReturnValue(begun + 43 * HOUR)
      await all.get('uploads')!.run()
      expect(await blobsOf(ana)).toHaveLength(1)
      expect(existsSync(path)).toBe(true)
      now.mockReturnValue(begun + 45 * HOUR)
      await all.get('uploads')!.run()
      expect(existsSync(path)).toBe(false)
    } finally {
      now.mockRestore()
    }
    expect(await interrupted(ana)).toEqual([])
    expect(await blobsOf(ana)).toEqual([])
  })
})

describe('is refused', () => {
  test('to everybody but who began it', async () => {
    const { ana, tus } = await someone()
    const id = await tus.begin('plan.pdf', 1_000)
    const others = [await signedInAs(ana.organisation, 'ADMIN'), (await someone()).ana]
    for (const other of others) {
      const theirs = tusOf(other)
      const answers = [await theirs.where(id), await theirs.send(id, 0, aPdf(9)), await theirs.end(id)]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
      expect(await interrupted(other)).toEqual([])
    }
    expect((await tus.where(id)).offset).toBe(0)
  })

  test('where the file is not what it is called, before the rest is sent', async () => {
    const { ana, tus } = await someone()
    const id = await tus.begin('plan.pdf', 600_000)
    const refused = await tus.send(id, 0, Buffer.concat([EXE, Buffer.alloc(300_000)]))
    expect([refused.status, refused.body.message]).toEqual([415, 'Sorry, this file format is not supported.'])
    expect((await tus.where(id)).status).toBe(404)
    const small = await tus.begin('plan.pdf', EXE.length)
    await tus.send(small, 0, EXE.subarray(0, 10))
    expect((await tus.send(small, 10, EXE.subarray(10))).status).toBe(415)
    expect(await blobsOf(ana)).toEqual([])
    expect((await tus.tryBegin('setup.exe', 10)).status).toBe(415)
  })

  test('only at the end where the file says there what it is', async () => {
    const { tus } = await someone({ allowedFileExtensions: ['tif'] })
    const scan = tiffWithLateDirectory(400_000)
    const id = await tus.begin('scan.tif', scan.length)
    expect((await tus.send(id, 0, scan.subarray(0, 300_000))).status).toBe(204)
    expect((await tus.send(id, 300_000, scan.subarray(300_000))).status).toBe(204)
    // Its directory would lie behind its end.
    const none = await tus.begin('scan 2.tif', 400_000)
    expect((await tus.send(none, 0, scan.subarray(0, 300_000))).status).toBe(415)
  })

  test('above the limits of the organisation, which count what is under way', async () => {
    const { ana, tus } = await someone({ maxFileSize: 2, fileQuotaMegabytes: 3, maxFileUploadsAtOnce: 2 })
    const large = await tus.tryBegin('plan.pdf', 2_097_153)
    expect([large.status, large.body.message]).toEqual([
      413,
      'Sorry, this file exceeds the maximum size of 2 MB.',
    ])
    expect((await tus.tryBegin('plan.pdf', 0)).body.message).toBe('Sorry, this file is empty.')
    const first = await tus.begin('first.pdf', 2_097_152)
    const full = await tus.tryBegin('second.pdf', 2_000_000)
    expect([full.status, full.body.message]).toEqual([
      409,
      'There is no room left for this file in the storage of your organization.',
    ])
    await tus.begin('second.pdf', 1_000)
    const many = await tus.tryBegin('third.pdf', 1_000)
    expect([many.status, many.body.message]).toEqual([409, 'You can upload a maxmimum of 2 files at once.'])
    await tus.end(first)
    await tus.begin('third.pdf', 1_000)
    // The limit is per person.
    await tusOf(await signedInAs(ana.organisation)).begin('fourth.pdf', 1_000)
  })

  test('where too many are sent in forms at once, until one of them has ended', async () => {
    const { ana } = await someone({ maxFileUploadsAtOnce: 1 })
    const slow = request(`${muster.url}/api/sfs`, {
      method: 'POST',
      headers: { ...ana.headers, 'Content-Type': 'multipart/form-data; boundary=b' },
    })
    slow.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n')
    slow.write('words'.repeat(50_000))
    const folder = join(muster.dataDir, 'files/unfinished')
    const isReceived = async () => expect(await readdir(folder)).not.toEqual([])
    await vi.waitFor(isReceived)
    const second = await upload(ana, aPdf(50), 'b.pdf')
    expect([second.status, second.body.message]).toEqual([
      409,
      'You can upload a maxmimum of 1 files at once.',
    ])
    const answered = once(slow, 'response')
    slow.end('\r\n--b--\r\n')
    const [answer] = await answered
    expect((answer as IncomingMessage).statusCode).toBe(201)
    expect((await upload(ana, aPdf(50), 'b.pdf')).status).toBe(201)
  })

  test('with other bytes than were announced, or in another version of tus', async () => {
    const { ana, tus } = await someone()
    const id = await tus.begin('plan.pdf', 100)
    expect((await tus.send(id, 0, aPdf(101))).status).toBe(413)
    expect((await tus.send(id, 1, aPdf(9))).status).toBe(409)
    expect((await tus.ask('PATCH', `/${id}`, { 'Upload-Offset': 'x' }, 'x')).status).toBe(415)
    const type = { 'Content-Type': 'application/offset+octet-stream' }
    expect((await tus.ask('PATCH', `/${id}`, { 'Upload-Offset': '-1', ...type }, 'x')).status).toBe(400)
    expect((await tus.ask('PATCH', `/${id}`, type, 'x')).status).toBe(400)
    const other = await tus.ask('POST', '', {
      'Tus-Resumable': '0.2.2',
      'Upload-Length': '9',
      'Upload-Metadata': 'filename eC5wZGY=',
    })
    expect([other.status, other.headers.get('Tus-Resumable')]).toEqual([412, '1.0.0'])
    expect(
      (await tus.ask('POST', '', { 'Upload-Length': '9', 'Upload-Metadata': 'filename *' })).status,
    ).toBe(400)
    expect((await tus.ask('POST', '', { 'Upload-Length': '9' })).status).toBe(400)
    expect((await tus.where(id)).offset).toBe(0)
    expect(await blobsOf(ana)).toEqual([])
  })

  test('in a folder that is gone or on legal hold when the last part arrives, and can be tried again', async () => {
    const { ana, tus } = await someone()
    const plans = await folder(ana, 'Plans')
    const bytes = aPdf(1_000)
    const id = await tus.begin('plan.pdf', 1_000, { parentFolderId: String(plans.id) })
    await tus.send(id, 0, bytes.subarray(0, 500))
    await ana.put(`/sfs/item/${plans.id}/hold`, { isOnHold: true })
    expect((await tus.send(id, 500, bytes.subarray(500))).status).toBe(409)
    await ana.put(`/sfs/item/${plans.id}/hold`, { isOnHold: false })
    await ana.delete(`/sfs/${plans.id}`)
    expect((await tus.send(id, 500, bytes.subarray(500))).status).toBe(404)
    expect(await interrupted(ana)).toMatchObject([{ path: null, offset: 500 }])
    await ana.post(`/sfs/trash/${plans.id}/restore`)
    const done = await tus.send(id, 500, bytes.subarray(500))
    expect((await download(ana, idOf(done))).bytes.equals(bytes)).toBe(true)
    expect(await blobsOf(ana)).toHaveLength(1)
  })

  test('as soon as the session ends', async () => {
    const { ana, tus } = await someone()
    const id = await tus.begin('plan.pdf', 1_000)
    expect((await ana.post(SESSION_PATHS.signOut)).status).toBe(204)
    expect((await tus.send(id, 0, aPdf(1_000))).status).toBe(401)
  })
})

describe('the limits of a fresh organisation', () => {
  const MAX_BYTES = 104_857_600
  /** The status for a form that announces more bytes than it sends. */
  async function announced({ headers }: Caller, length: number): Promise<[number | undefined, string]> {
    const form = request(`${muster.url}/api/sfs`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': length },
    })
    // The server closes the connection after a refusal.
    form.on('error', () => undefined)
    form.flushHeaders()
    const [answer] = (await once(form, 'response')) as [IncomingMessage]
    const body = JSON.parse(await text(answer))
    form.destroy()
    return [answer.statusCode, body.message]
  }

  test('take 100 MB and not a byte more, by the announced length', async () => {
    const { ana, tus } = await someone()
    expect((await ana.get('/config')).body.maxFileSize).toBe(100)
    const tooLarge = 'Sorry, this file exceeds the maximum size of 100 MB.'
    for (const length of [MAX_BYTES + 1, 106_000_000]) {
      const { status, body } = await tus.tryBegin('plan.pdf', length)
      expect([status, body.message]).toEqual([413, tooLarge])
    }
    for (const length of [99_000_000, MAX_BYTES])
      expect((await tus.tryBegin('plan.pdf', length)).status).toBe(201)
    // Besides the file, a form has up to 20 fields of 100 KB, which the limit allows for.
    expect(await announced(ana, 107_000_000)).toEqual([413, tooLarge])
  })

  test('take 50 files at once and no other', async () => {
    const { tus } = await someone()
    for (let n = 0; n < 50; n++) await tus.begin(`plan ${n}.pdf`, 10)
    const { status, body } = await tus.tryBegin('plan 50.pdf', 10)
    expect([status, body.message]).toEqual([409, 'You can upload a maxmimum of 50 files at once.'])
  })

  test('take sixteen formats, and no program', async () => {
    const { ana } = await someone()
    const samples: Record<string, Buffer | string> = {
      pdf: PDF,
      doc: CFB,
      docx: DOCX,
      txt: 'words',
      jpg: JPEG,
      jpeg: JPEG,
      png: PNG,
      webp: WEBP,
      heic: HEIC,
      xls: CFB,
      xlsx: XLSX,
      ppt: CFB,
      pptx: PPTX,
      mov: MOV,
      mp3: MP3,
      mp4: MP4,
    }
    const { allowedFileExtensions } = (await ana.get('/config')).body
    expect(Object.keys(samples).map((one) => one.toUpperCase())).toEqual(allowedFileExtensions)
    for (const [extension, bytes] of Object.entries(samples))
      expect((await upload(ana, bytes, `sample.${extension}`)).status, extension).toBe(201)
    const { status, body } = await upload(ana, EXE, 'sample.exe')
    expect([status, body.message]).toEqual([415, 'Sorry, this file format is not supported.'])
  })
})
