import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterEach, describe, expect, test, vi } from 'vitest'

import { DOWNLOAD_OVER, type DownloadTicket } from '#contract/files/schema.ts'
import { blobPathOf } from '#server/kit/blobs/folder.ts'
import { FRAME_SIZE } from '#server/kit/blobs/frames.ts'
import { clock, DAY, MINUTE } from '#server/kit/core/clock.ts'
import { chores } from '#server/kit/jobs/housekeeping.ts'
import { NOUNS } from '#server/nouns.ts'
import { PDF } from '#tests/support/files.ts'
import { type Caller, startTestServer } from '#tests/support/server.ts'
import { storageFor } from '#tests/support/storage.ts'
import { unzip } from '#tests/support/zip.ts'

/* Downloads by a one-time address, which a browser opens without headers. */
const muster = await startTestServer()
const { anOrganisation, signedInAs, inside, services, dataDir } = muster
const { upload, fetched, broken, folder, group, verbs, verify } = storageFor(muster)

async function aWorld(config: Parameters<typeof anOrganisation>[0] = {}) {
  const organisation = await anOrganisation({
    groupsEnabled: true,
    allowedFileExtensions: ['pdf', 'txt', 'html', 'png'],
    ...config,
  })
  const admin = await signedInAs(organisation, 'ADMIN')
  const ana = await signedInAs(organisation)
  return { organisation, admin, ana }
}
async function ticketFor(who: Caller, id: number, body: object = {}): Promise<string> {
  const { status, body: ticket } = await who.post(`/sfs/item/${id}/download`, body)
  expect(status).toBe(200)
  return (ticket as DownloadTicket).path
}
async function archiveTicketFor(who: Caller, ids: readonly number[]): Promise<string> {
  const { status, body } = await who.post('/sfs/archive', { ids })
  expect(status).toBe(200)
  return (body as DownloadTicket).path
}
const refusalOf = ({ status, bytes }: { status: number; bytes: Buffer }) => [
  status,
  (JSON.parse(String(bytes)) as { message: string }).message,
]
const OVER = [410, DOWNLOAD_OVER]
const later = (ms: number) => {
  const now = clock.now()
  vi.spyOn(clock, 'now').mockImplementation(() => now + ms)
}
/** The history of a file in English. */
const told = async (admin: Caller, id: number) => {
  const { body } = await admin.get(`/sfs/item/${id}/events?range=[0,19]`)
  return (body as { what: string }[]).map(({ what }) => what)
}
afterEach(() => {
  vi.restoreAllMocks()
})

describe('an address for a download', () => {
  test('gives the file once, to be saved, and is noted as a download of the person', async () => {
    const { ana, admin } = await aWorld()
    const { id } = (await upload(ana, PDF, 'a.pdf', { name: 'Évacuation "A" – 避難', extension: 'pdf' })).body
    const { body } = await ana.post(`/sfs/item/${id}/download`, {})
    expect(Object.keys(body)).toEqual(['path', 'expireTimestamp'])
    expect(await verbs(ana, id)).toEqual(['added'])
    const file = await fetched(body.path)
    expect([file.status, file.bytes.equals(PDF)]).toEqual([200, true])
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(PDF.length),
      'content-disposition': expect.stringMatching(
        /^attachment; filename="_vacuation _A_ _ __\.pdf"; filename\*=UTF-8''%C3%89vacuation%20%22A%22/,
      ),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'accept-ranges': 'bytes',
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
    })
    expect(refusalOf(await fetched(body.path))).toEqual(OVER)
    expect(await verbs(ana, id)).toEqual(['added', 'downloaded'])
    const [newest] = (await admin.get(`/sfs/item/${id}/events?range=[0,0]`)).body
    expect(newest).toMatchObject({ actor: ana.email, what: 'Downloaded' })
  })

  test('gives one of two who open it at the same time', async () => {
    const { ana } = await aWorld()
    const { id } = (await upload(ana)).body
    const path = await ticketFor(ana, id)
    const both = await Promise.all([fetched(path), fetched(path)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410])
    expect(await verbs(ana, id)).toEqual(['added', 'downloaded'])
  })

  test('gives the rest to who resumes, and not the whole once more', async () => {
    const { ana } = await aWorld()
    // More than a connection buffers, so that the rest is not sent before it breaks.
    const size = 48 * 1024 * 1024
    const bytes = Buffer.alloc(size, 'words ')
    const { id } = (await upload(ana, bytes, 'note.txt')).body
    const path = await ticketFor(ana, id)
    const etag = await broken(path)
    const from = 65_536
    // The address alone gives no further access.
    for (const headers of [
      {},
      { Range: 'bytes=0-' },
      { Range: `bytes=-${size}` },
      { Range: 'bytes=1-' },
      { Range: `bytes=${from}-` },
      { Range: `bytes=${from}-`, 'If-Range': '"another"' },
      { Range: 'bytes=0-', 'If-Range': etag },
    ] as Record<string, string>[])
      expect(refusalOf(await fetched(path, headers)), JSON.stringify(headers)).toEqual(OVER)
    expect((await fetched(path, { Range: `bytes=${size}-` })).status).toBe(416)
    expect(await verbs(ana, id)).toEqual(['added', 'downloaded'])

    const rest = await fetched(path, { Range: `bytes=${from}-`, 'If-Range': etag })
    expect([rest.status, rest.bytes.equals(bytes.subarray(from)), rest.headers.get('content-range')]).toEqual(
      [206, true, `bytes ${from}-${size - 1}/${size}`],
    )
    expect(rest.headers.get('content-disposition')).toMatch(/^attachment/)
    expect(await verbs(ana, id)).toEqual(['added', 'downloaded', 'download resumed'])
    // After the last byte, the download cannot be resumed even with the ETag.
    const last = { Range: `bytes=${size - 1}-`, 'If-Match': etag }
    await expect.poll(async () => (await fetched(path, last)).status).toBe(410)
  })

  test('resumes what did not arrive, not what was sent long before', async () => {
    const { ana, organisation } = await aWorld()
    const { id } = (await upload(ana, Buffer.alloc(48 * 1024 * 1024, 'words '), 'note.txt')).body
    const path = await ticketFor(ana, id)
    const etag = await broken(path)
    await inside(organisation, (db) =>
      db
        .updateTable('file_tickets')
        .set({ sent: 40 * 1024 * 1024 })
        .execute(),
    )
    const begin = { Range: 'bytes=1-', 'If-Range': etag }
    expect(refusalOf(await fetched(path, begin))).toEqual(OVER)
    expect((await fetched(path, { Range: `bytes=${30 * 1024 * 1024}-`, 'If-Match': etag })).status).toBe(206)
  })

  test('is not used up by a part that the file does not have', async () => {
    const { ana } = await aWorld()
    const { id } = (await upload(ana, '0123456789', 'note.txt')).body
    const path = await ticketFor(ana, id)
    expect((await fetched(path, { Range: 'bytes=10-' })).status).toBe(416)
    expect(await verbs(ana, id)).toEqual(['added'])
    const whole = await fetched(path, { Range: 'bytes=0-' })
    expect([whole.status, String(whole.bytes)]).toEqual([206, '0123456789'])
  })

  test('is good for a minute', async () => {
    const { ana } = await aWorld()
    const { id } = (await upload(ana)).body
    const [path, early] = [await ticketFor(ana, id), await ticketFor(ana, id)]
    later(MINUTE - 5_000)
    expect((await fetched(early)).status).toBe(200)
    later(5_000)
    expect(refusalOf(await fetched(path))).toEqual(OVER)
    later(DAY)
    const { database, blobs } = services
    await chores({ database, blobs }).get('tokens')!.run()
    expect((await fetched(path)).status).toBe(404)
    expect(await verbs(ana, id)).toEqual(['added', 'downloaded'])
  })

  test('is for the content that was the newest, or the one that was asked for', async () => {
    const { ana, admin } = await aWorld()
    const { id } = (await upload(ana, 'first', 'a.txt')).body
    const path = await ticketFor(ana, id)
    await upload(ana, 'second', 'a.txt')
    expect(String((await fetched(path)).bytes)).toBe('first')
    expect(String((await fetched(await ticketFor(ana, id))).bytes)).toBe('second')
    expect(String((await fetched(await ticketFor(ana, id, { fileVersion: 1 }))).bytes)).toBe('first')
    expect(String((await fetched(await ticketFor(ana, id, { fileVersion: 2 }))).bytes)).toBe('second')
    expect((await ana.post(`/sfs/item/${id}/download`, { fileVersion: 3 })).status).toBe(404)
    expect((await told(admin, id)).slice(0, 4)).toEqual([
      'Downloaded (version 2)',
      'Downloaded (version 1)',
      'Downloaded',
      'Downloaded (version 1)',
    ])
  })

  test('is for files of every format, which are never shown, and not for folders', async () => {
    const { ana } = await aWorld()
    const page = (await upload(ana, '<script>alert(1)</script>', 'page.html')).body
    const file = await fetched(await ticketFor(ana, page.id))
    expect(file.headers.get('content-disposition')).toMatch(/^attachment/)
    const { id } = await folder(ana, 'Plans')
    expect((await ana.post(`/sfs/item/${id}/download`, {})).status).toBe(404)
  })

  test('nobody can guess', async () => {
    const { ana } = await aWorld()
    const { id } = (await upload(ana)).body
    const path = await ticketFor(ana, id)
    for (const wrong of [path.replace(/.$/, path.endsWith('A') ? 'B' : 'A'), '/sfs/content/none'])
      expect((await fetched(wrong)).status).toBe(404)
    expect((await fetched(path)).status).toBe(200)
  })
})

describe('between the address and its opening', () => {
  test('the right to the folder can be lost, and a refusal uses nothing up', async () => {
    const { admin, ana } = await aWorld()
    const plans = await folder(ana, 'Plans')
    const { id } = (await upload(ana, PDF, 'a.pdf', { parentFolderId: plans.id })).body
    const [path, archive] = [await ticketFor(ana, id), await archiveTicketFor(ana, [plans.id])]
    const crew = await group(admin, 'Crew', [admin])
    await admin.patch(`/sfs/${plans.id}`, { folderType: 'PRIVATE', groupIds: [crew] })
    for (const one of [path, archive]) expect((await fetched(one)).status).toBe(404)
    for (const [address, body] of [
      [`/sfs/item/${id}/download`, {}],
      ['/sfs/archive', { ids: [plans.id] }],
    ] as const)
      expect((await ana.post(address, body)).status).toBe(404)
    expect(await verbs(ana, id)).toEqual(['added'])
    await admin.patch(`/sfs/${plans.id}`, { folderType: 'PUBLIC', groupIds: [] })
    for (const one of [path, archive]) expect((await fetched(one)).status).toBe(200)
  })

  test('the right to resume can be lost', async () => {
    const { admin, ana } = await aWorld()
    const { id } = (await upload(ana, '0123456789', 'note.txt')).body
    const path = await ticketFor(ana, id)
    expect((await fetched(path)).status).toBe(200)
    await admin.delete(`/sfs/${id}`)
    expect((await fetched(path, { Range: 'bytes=4-' })).status).toBe(404)
  })

  test('the verification can expire, and the session can end', async () => {
    const { organisation, ana } = await aWorld({ sfs2fa: true })
    const again = await signedInAs(organisation)
    await verify(ana)
    await verify(again)
    const { id } = (await upload(ana)).body
    const [path, archive] = [await ticketFor(ana, id), await archiveTicketFor(ana, [id])]
    await verify(ana, clock.now() - 1)
    for (const one of [path, archive]) {
      const { status, bytes } = await fetched(one)
      expect([status, JSON.parse(String(bytes)).code]).toEqual([403, 'verification_required'])
    }
    // Neither a verification nor a credential of another session helps.
    expect((await fetched(path, again.headers)).status).toBe(403)
    await verify(ana)
    await inside(organisation, (db) =>
      db
        .updateTable('sessions')
        .set({ ended_timestamp: clock.timestamp() })
        .where('id', '=', ana.sessionId)
        .execute(),
    )
    for (const one of [path, archive]) expect((await fetched(one, again.headers)).status).toBe(401)
    expect(await verbs(again, id)).toEqual(['added'])
  })

  test('the permission can be withdrawn, and the person deactivated', async () => {
    const { organisation, ana } = await aWorld()
    const { id } = (await upload(ana)).body
    const path = await ticketFor(ana, id)
    const set = (changes: { type: 'INTERNAL' | 'EXTERNAL' } | { active: boolean }) =>
      inside(organisation, (db) =>
        db
          .updateTable('users')
          .set(changes as never)
          .where('id', '=', ana.uuid)
          .execute(),
      )
    await set({ type: 'EXTERNAL' })
    expect((await fetched(path)).status).toBe(403)
    await set({ type: 'INTERNAL' })
    await set({ active: false })
    expect((await fetched(path)).status).toBe(401)
    await set({ active: true })
    expect((await fetched(path)).status).toBe(200)
  })
})

describe('an address for an archive', () => {
  test('gives what is in the folders once', async () => {
    const { ana } = await aWorld()
    const plans = await folder(ana, 'Plans')
    await upload(ana, 'one', 'a.txt', { parentFolderId: plans.id })
    const path = await archiveTicketFor(ana, [plans.id, plans.id])
    // Files added meanwhile are included.
    const beside = (await upload(ana, 'two', 'b.txt', { parentFolderId: plans.id })).body
    const archive = await fetched(path)
    expect(Object.fromEntries(archive.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': expect.stringMatching(/^attachment; filename="Plans\.zip"/),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    })
    expect([...unzip(archive.bytes).keys()]).toEqual(['Plans/', 'Plans/a.txt', 'Plans/b.txt'])
    for (const headers of [{}, { Range: 'bytes=4-' }] as Record<string, string>[])
      expect(refusalOf(await fetched(path, headers))).toEqual(OVER)
    expect(await verbs(ana, plans.id)).toEqual(['added', 'archived'])
    await ana.delete(`/sfs/${beside.id}`)
    expect((await ana.post('/sfs/archive', { ids: [plans.id, beside.id] })).status).toBe(404)
    expect((await ana.post('/sfs/archive', { ids: [] })).status).toBe(400)
  })

  test('gives everything for the root', async () => {
    const { ana } = await aWorld()
    await upload(ana, 'one', 'a.txt')
    await folder(ana, 'Plans')
    const { bytes } = await fetched(await archiveTicketFor(ana, [0]))
    expect([...unzip(bytes).keys()].toSorted()).toEqual(['Plans/', 'a.txt'])
  })
})

describe('what is damaged on the disk', () => {
  const LONG = Buffer.alloc(40 * FRAME_SIZE, 'words ')
  async function stored(bytes: Buffer) {
    const { organisation, ana } = await aWorld()
    const { id } = (await upload(ana, bytes, 'long.txt')).body
    const [blob] = await inside(organisation, (db) => db.selectFrom('blobs').select('id').execute())
    return { ana, id, path: blobPathOf(join(dataDir, 'files'), blob!.id) }
  }
  const flip = async (path: string, from: number) => {
    const bytes = await readFile(path)
    bytes[bytes.length + from]! ^= 1
    await writeFile(path, bytes)
  }

  test('is said before there is an address, where its beginning shows it', async () => {
    const { ana, id, path } = await stored(Buffer.from('words'))
    await flip(path, -1)
    expect((await ana.post(`/sfs/item/${id}/download`, {})).status).toBe(500)
    await rm(path)
    expect((await ana.post(`/sfs/item/${id}/download`, {})).status).toBe(500)
    expect(await verbs(ana, id)).toEqual(['added'])
  })

  test('breaks the connection where it comes later, also of a part and of an archive', async () => {
    const { ana, id, path } = await stored(LONG)
    const [file, part, archive] = [
      await ticketFor(ana, id),
      await ticketFor(ana, id),
      await archiveTicketFor(ana, [id]),
    ]
    await flip(path, -1)
    await expect(fetched(file)).rejects.toThrow('terminated')
    await expect(fetched(part, { Range: `bytes=${FRAME_SIZE}-` })).rejects.toThrow('terminated')
    await expect(fetched(archive)).rejects.toThrow('terminated')
  })
})

test('tickets are given while the disk is full', () => {
  const calls = NOUNS['files']!.needsNoDiskSpace
  expect(calls).toEqual(expect.arrayContaining(['downloadTicket', 'archiveTicket', 'preview']))
})
