import { describe, expect, test, vi } from 'vitest'

import {
  DEPTH_MAX,
  INTO_ITSELF,
  NAME_TAKEN,
  ON_LEGAL_HOLD,
  RESTORE_FOLDER_FIRST,
  TOO_DEEP,
} from '#contract/files/schema.ts'
import { clock, DAY, MINUTE } from '#server/kit/core/clock.ts'
import { chores } from '#server/kit/jobs/housekeeping.ts'
import { PDF, PNG } from '#tests/support/files.ts'
import { aHeic, anOldTiff } from '#tests/support/samples.ts'
import { startTestServer } from '#tests/support/server.ts'
import { storageFor } from '#tests/support/storage.ts'
import { unzip } from '#tests/support/zip.ts'

const muster = await startTestServer()
const { anOrganisation, signedInAs, inside, services } = muster
const { upload, download, fetched, folder, group, names, verbs } = storageFor(muster)

async function aWorld() {
  const organisation = await anOrganisation({
    groupsEnabled: true,
    allowedFileExtensions: ['pdf', 'txt', 'bmp', 'tif', 'heic', 'html', 'svg', 'png', 'docx'],
  })
  const admin = await signedInAs(organisation, 'ADMIN')
  const [ana, bo] = [await signedInAs(organisation), await signedInAs(organisation)]
  const crew = await group(admin, 'Crew', [ana])
  return { organisation, admin, ana, bo, crew }
}

describe('moving', () => {
  test('takes what lies below along, and with it who may open it', async () => {
    const { ana, bo, crew } = await aWorld()
    const secret = await folder(ana, 'Secret', { folderType: 'PRIVATE', groupIds: [crew] })
    const plans = await folder(ana, 'Plans')
    const inner = await folder(ana, 'Inner', { parentFolderId: plans.id })
    const file = (await upload(ana, PDF, 'a.pdf', { parentFolderId: inner.id })).body
    const moved = await ana.post('/sfs/move', { ids: [inner.id, file.id], parentFolderId: secret.id })
    expect(moved.body).toMatchObject([
      { id: inner.id, parentFolderId: secret.id, folderType: 'PRIVATE', groupIds: [crew] },
      { id: file.id, parentFolderId: inner.id, folderType: 'PRIVATE' },
    ])
    expect((await download(bo, file.id)).status).toBe(404)
    expect((await ana.get(`/sfs/item/${file.id}`)).body.path).toEqual([
      { id: secret.id, name: 'Secret' },
      { id: inner.id, name: 'Inner' },
    ])
    // A folder moved to the root keeps its access.
    const back = await ana.post('/sfs/move', { ids: [inner.id], parentFolderId: 0 })
    expect(back.body).toMatchObject([{ parentFolderId: 0, folderType: 'PRIVATE', groupIds: [crew] }])
    expect((await download(bo, file.id)).status).toBe(404)
    await ana.post('/sfs/move', { ids: [inner.id], parentFolderId: plans.id })
    expect((await download(bo, file.id)).status).toBe(200)
    expect(await verbs(ana, inner.id)).toEqual(['added', 'moved', 'moved', 'moved'])
  })

  test('is done for all or for none', async () => {
    const { ana, bo } = await aWorld()
    const [target, mine, theirs] = [
      await folder(ana, 'Target'),
      await folder(ana, 'Mine'),
      await folder(bo, 'Theirs'),
    ]
    await folder(ana, 'theirs', { parentFolderId: target.id })
    const refusals = [
      await ana.post('/sfs/move', { ids: [mine.id, theirs.id], parentFolderId: target.id }),
      await ana.post('/sfs/move', { ids: [mine.id, 1_000_000_000], parentFolderId: target.id }),
      await bo.post('/sfs/move', { ids: [theirs.id], parentFolderId: target.id }),
      await ana.post('/sfs/move', { ids: [target.id], parentFolderId: target.id }),
    ]
    expect(refusals.map(({ status, body }) => [status, body.message])).toEqual([
      [403, expect.any(String)],
      [404, expect.any(String)],
      [409, NAME_TAKEN],
      [400, INTO_ITSELF],
    ])
    expect(await names(ana)).toEqual(['Mine', 'Target', 'Theirs'])
  })

  test('takes many files at once, unless two of them are called alike', async () => {
    const { ana } = await aWorld()
    const [target, other] = [await folder(ana, 'Target'), await folder(ana, 'Other')]
    const ids: number[] = []
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) ids.push((await upload(ana, PDF, name)).body.id)
    const alike = (await upload(ana, PDF, 'A.PDF', { parentFolderId: other.id })).body.id
    const refused = await ana.post('/sfs/move', { ids: [...ids, alike], parentFolderId: target.id })
    expect([refused.status, refused.body.message]).toEqual([409, NAME_TAKEN])
    expect(await names(ana, target.id)).toEqual([])
    expect((await ana.post('/sfs/move', { ids, parentFolderId: target.id })).status).toBe(200)
    expect(await names(ana, target.id)).toEqual(['a', 'b', 'c'])
    await ana.post('/sfs/move', { ids, parentFolderId: 0 })
    expect((await ana.get(`/sfs/item/${ids[0]}`)).body).toMatchObject({
      parentFolderId: 0,
      path: [],
      version: 3,
    })
    expect(await verbs(ana, ids[2]!)).toEqual(['added', 'moved', 'moved'])
  })

  test('makes no circle, not even when two do it at once', async () => {
    const { ana } = await aWorld()
    const [one, two] = [await folder(ana, 'One'), await folder(ana, 'Two')]
    const answers = await Promise.all([
      ana.post('/sfs/move', { ids: [one.id], parentFolderId: two.id }),
      ana.post('/sfs/move', { ids: [two.id], parentFolderId: one.id }),
    ])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
    expect(await names(ana)).toHaveLength(1)
  })

  test('nests no folder too deep', async () => {
    const { ana } = await aWorld()
    let deepest = await folder(ana, 'Level 1')
    for (let level = 2; level < DEPTH_MAX; level++)
      deepest = await folder(ana, `Level ${level}`, { parentFolderId: deepest.id })
    const outer = await folder(ana, 'Outer')
    await folder(ana, 'Inner', { parentFolderId: outer.id })
    const refused = await ana.post('/sfs/move', { ids: [outer.id], parentFolderId: deepest.id })
    expect([refused.status, refused.body.message]).toEqual([400, TOO_DEEP])
    deepest = await folder(ana, 'Last', { parentFolderId: deepest.id })
    expect((await ana.post('/sfs/folder', { name: 'More', parentFolderId: deepest.id })).status).toBe(400)
    expect((await upload(ana, PDF, 'a.pdf', { parentFolderId: deepest.id })).status).toBe(201)
  })
})

describe('an archive', () => {
  test('has the paths, tells names apart, and has only what one may open', async () => {
    const { ana, bo, crew } = await aWorld()
    const plans = await folder(bo, 'Plans')
    await folder(bo, 'Empty', { parentFolderId: plans.id })
    await upload(bo, 'one', 'a?.txt', { parentFolderId: plans.id })
    await upload(bo, 'two', 'a:.txt', { parentFolderId: plans.id })
    await upload(bo, 'three', 'note.txt', { name: '..', extension: 'txt' })
    const secret = await folder(ana, 'Secret', { folderType: 'PRIVATE', groupIds: [crew] })
    await upload(ana, 'secret', 'secret.txt', { parentFolderId: secret.id })

    const whole = await fetched('/sfs/archive?ids=0', bo.headers)
    expect(whole.headers.get('content-type')).toBe('application/zip')
    expect(
      Object.fromEntries(Array.from(unzip(whole.bytes), ([name, bytes]) => [name, String(bytes)])),
    ).toEqual({
      'Plans/': '',
      'Plans/Empty/': '',
      'Plans/a_.txt': 'one',
      'Plans/a_ (2).txt': 'two',
      '_.txt': 'three',
    })
    const one = await fetched(`/sfs/archive?ids=${plans.id}`, bo.headers)
    expect(one.headers.get('content-disposition')).toContain('filename="Plans.zip"')
    expect((await fetched(`/sfs/archive?ids=${plans.id},${secret.id}`, bo.headers)).status).toBe(404)
    expect((await fetched('/sfs/archive?ids=a', bo.headers)).status).toBe(400)
    expect(await verbs(bo, plans.id)).toEqual(['added', 'archived', 'archived'])
  })
})

describe('what was deleted', () => {
  test('is gone with what lies below it, and comes back as it was', async () => {
    const { admin, ana, bo } = await aWorld()
    const plans = await folder(ana, 'Plans')
    const inner = await folder(ana, 'Inner', { parentFolderId: plans.id })
    const file = (await upload(bo, PDF, 'a.pdf', { parentFolderId: inner.id })).body
    const early = (await upload(ana, PDF, 'early.pdf', { parentFolderId: inner.id })).body
    expect((await bo.delete(`/sfs/${plans.id}`)).status).toBe(403)
    expect((await ana.delete(`/sfs/${early.id}`)).status).toBe(204)
    expect((await ana.delete(`/sfs/${plans.id}`)).status).toBe(204)
    expect(await names(ana)).toEqual([])
    expect((await download(ana, file.id)).status).toBe(404)
    expect((await ana.get('/sfs/search?query=a')).body).toEqual([])
    const trash = async (who: typeof ana) =>
      ((await who.get('/sfs/trash')).body as { name: string }[]).map(({ name }) => name)
    expect(await trash(ana)).toEqual(['Plans', 'early'])
    expect([await trash(admin), await trash(bo)]).toEqual([['Plans', 'early'], []])
    const [first] = (await ana.get('/sfs/trash?range=[0,0]')).body
    expect(Date.parse(first.expireTimestamp) - Date.parse(first.deleteTimestamp)).toBe(30 * DAY)
    expect(first).toMatchObject({ deletedBy: ana.email, path: [] })

    expect((await bo.post(`/sfs/trash/${plans.id}/restore`)).status).toBe(404)
    expect((await ana.post(`/sfs/trash/${plans.id}/restore`)).status).toBe(200)
    expect((await download(bo, file.id)).bytes.equals(PDF)).toBe(true)
    expect(await names(ana, inner.id)).toEqual(['a'])
    expect((await ana.post(`/sfs/trash/${early.id}/restore`)).status).toBe(200)
    expect(await names(ana, inner.id)).toEqual(['a', 'early'])
  })

  test('comes back where there is a folder for it, and nobody else may open it then', async () => {
    const { ana, bo, crew } = await aWorld()
    const secret = await folder(ana, 'Secret', { folderType: 'PRIVATE', groupIds: [crew] })
    const inner = await folder(ana, 'Inner', { parentFolderId: secret.id })
    const deep = await folder(ana, 'Deep', { parentFolderId: inner.id })
    const file = (await upload(ana, PDF, 'a.pdf', { parentFolderId: deep.id })).body
    for (const { id } of [file, deep, inner]) await ana.delete(`/sfs/${id}`)
    // The nearest ancestor that is not deleted.
    expect((await ana.post(`/sfs/trash/${deep.id}/restore`)).body).toMatchObject({
      parentFolderId: secret.id,
      folderType: 'PRIVATE',
    })
    await ana.delete(`/sfs/${deep.id}`)
    await ana.delete(`/sfs/${secret.id}`)
    const refused = await ana.post(`/sfs/trash/${file.id}/restore`)
    expect([refused.status, refused.body.message]).toEqual([409, RESTORE_FOLDER_FIRST])
    expect((await ana.post(`/sfs/trash/${deep.id}/restore`)).body).toMatchObject({
      parentFolderId: 0,
      folderType: 'PRIVATE',
      groupIds: [crew],
    })
    expect(await names(bo)).toEqual([])
    await folder(ana, 'secret')
    expect((await ana.post(`/sfs/trash/${secret.id}/restore`)).status).toBe(409)
  })

  test('is out of reach for somebody who may no longer open its folder, until they may again', async () => {
    const { admin, ana, bo } = await aWorld()
    const crew = await group(admin, 'Night crew', [ana, bo])
    const secret = await folder(ana, 'Secret', { folderType: 'PRIVATE', groupIds: [crew] })
    const inner = await folder(bo, 'Inner', { parentFolderId: secret.id })
    const file = (await upload(bo, PDF, 'mine.pdf', { parentFolderId: secret.id })).body
    for (const { id } of [inner, file]) await bo.delete(`/sfs/${id}`)
    const inTrash = async () =>
      ((await bo.get('/sfs/trash')).body as { name: string }[]).map(({ name }) => name).toSorted()
    expect(await inTrash()).toEqual(['Inner', 'mine'])
    const members = (...people: (typeof ana)[]) =>
      admin.put(`/useradmin/group/${crew}`, {
        name: 'Night crew',
        userIds: people.map(({ email }) => email),
      })
    expect((await members(ana)).status).toBe(200)
    expect(await inTrash()).toEqual([])
    for (const { id } of [inner, file]) expect((await bo.post(`/sfs/trash/${id}/restore`)).status).toBe(404)
    expect(await names(ana, secret.id)).toEqual([])
    await members(ana, bo)
    for (const { id } of [inner, file]) expect((await bo.post(`/sfs/trash/${id}/restore`)).status).toBe(200)
    expect(await names(ana, secret.id)).toEqual(['Inner', 'mine'])
  })

  test('is deleted for good by administrators, or after 30 days, with its bytes', async () => {
    const { organisation, admin, ana } = await aWorld()
    const rows = () => inside(organisation, (db) => db.selectFrom('blobs').select('id').execute())
    const plans = await folder(ana, 'Plans')
    await upload(ana, PDF, 'a.pdf', { parentFolderId: plans.id })
    await upload(ana, Buffer.concat([PDF, PDF]), 'a.pdf', { parentFolderId: plans.id })
    const kept = (await upload(ana, PDF, 'kept.pdf')).body
    await ana.delete(`/sfs/${plans.id}`)
    expect((await ana.delete(`/sfs/trash/${plans.id}`)).status).toBe(403)
    expect(await rows()).toHaveLength(3)
    expect((await admin.delete(`/sfs/trash/${plans.id}`)).status).toBe(204)
    expect(await rows()).toHaveLength(1)
    expect((await admin.get('/sfs/trash')).body).toEqual([])

    await ana.delete(`/sfs/${kept.id}`)
    const tidy = () => chores({ database: services.database, blobs: services.blobs }).get('trash')!.run()
    await tidy()
    expect(await rows()).toHaveLength(1)
    const now = clock.now()
    vi.spyOn(clock, 'now').mockReturnValue(now + 30 * DAY + MINUTE)
    await tidy()
    vi.restoreAllMocks()
    expect(await rows()).toEqual([])
    expect((await verbs(ana, kept.id)).at(-1)).toBe('deleted for good')
  })
})

describe('a legal hold', () => {
  test('keeps everything below it as it is, until it is taken off', async () => {
    const { admin, ana } = await aWorld()
    const plans = await folder(ana, 'Plans')
    const held = await folder(ana, 'Held', { parentFolderId: plans.id })
    const file = (await upload(ana, PDF, 'a.pdf', { parentFolderId: held.id })).body
    const other = await folder(ana, 'Other')
    const hold = (who: typeof ana, isOnHold: boolean) => who.put(`/sfs/item/${held.id}/hold`, { isOnHold })
    expect((await hold(ana, true)).status).toBe(403)
    expect((await hold(admin, true)).body).toMatchObject({ isOnHold: true, isEditable: false })
    await hold(admin, true)
    const refusals = [
      await admin.patch(`/sfs/${file.id}`, { name: 'Renamed' }),
      await admin.patch(`/sfs/${plans.id}`, { name: 'Renamed' }),
      await admin.patch(`/sfs/${plans.id}`, { folderType: 'ADMIN' }),
      await admin.delete(`/sfs/${file.id}`),
      await admin.delete(`/sfs/${plans.id}`),
      await admin.post('/sfs/move', { ids: [file.id], parentFolderId: other.id }),
      await admin.post('/sfs/move', { ids: [plans.id], parentFolderId: other.id }),
      await admin.post('/sfs/move', { ids: [other.id], parentFolderId: held.id }),
      await admin.post('/sfs/folder', { name: 'New', parentFolderId: held.id }),
      await upload(admin, PDF, 'a.pdf', { parentFolderId: held.id }),
      await upload(admin, PDF, 'b.pdf', { parentFolderId: held.id }),
      await admin.post(`/sfs/item/${file.id}/versions/1/restore`),
    ]
    expect(refusals.map(({ status, body }) => [status, body.message])).toEqual(
      refusals.map(() => [409, ON_LEGAL_HOLD]),
    )
    expect((await ana.get(`/sfs/item/${file.id}`)).body).toMatchObject({ isOnHold: true, isEditable: false })
    expect((await download(ana, file.id)).status).toBe(200)
    await hold(admin, false)
    expect((await ana.patch(`/sfs/${plans.id}`, { name: 'Renamed' })).status).toBe(200)
    expect((await ana.delete(`/sfs/${plans.id}`)).status).toBe(204)
    expect(await verbs(ana, held.id)).toEqual(['added', 'put on legal hold', 'taken off legal hold'])
  })

  test('keeps what was deleted before from being deleted for good', async () => {
    const { admin, ana } = await aWorld()
    const plans = await folder(ana, 'Plans')
    const file = (await upload(ana, PDF, 'a.pdf', { parentFolderId: plans.id })).body
    await ana.delete(`/sfs/${file.id}`)
    await admin.put(`/sfs/item/${plans.id}/hold`, { isOnHold: true })
    expect((await admin.delete(`/sfs/trash/${file.id}`)).status).toBe(409)
    const now = clock.now()
    vi.spyOn(clock, 'now').mockReturnValue(now + 31 * DAY)
    await chores({ database: services.database, blobs: services.blobs }).get('trash')!.run()
    vi.restoreAllMocks()
    // Restoring would change the folder on hold.
    const restored = await ana.post(`/sfs/trash/${file.id}/restore`)
    expect([restored.status, restored.body.message]).toEqual([409, ON_LEGAL_HOLD])
    await admin.put(`/sfs/item/${plans.id}/hold`, { isOnHold: false })
    expect((await ana.post(`/sfs/trash/${file.id}/restore`)).status).toBe(200)
  })
})

test('administrators read what happened to a file, and so does the audit log', async () => {
  const { admin, ana } = await aWorld()
  const file = (await upload(ana, PDF, 'Plan.pdf')).body
  await ana.patch(`/sfs/${file.id}`, { name: 'Map' })
  const inner = await folder(ana, 'Maps')
  await ana.post('/sfs/move', { ids: [file.id], parentFolderId: inner.id })
  await download(admin, file.id)
  expect((await ana.get(`/sfs/item/${file.id}/events`)).status).toBe(403)
  const events = (await admin.get(`/sfs/item/${file.id}/events?range=[0,9]`)).body as {
    what: string
    actor: string
  }[]
  expect(events.map(({ what }) => what)).toEqual([
    'Downloaded',
    'Moved from the root to “Maps”',
    'Renamed from “Plan.pdf”',
    'Added',
  ])
  expect(events.map(({ actor }) => actor)).toEqual([admin.email, ana.email, ana.email, ana.email])
  const log = (await admin.get('/useradmin/auditLog?range=[0,0]')).body
  expect(log[0]).toMatchObject({ noun: 'files', verb: 'downloaded', recordName: 'Map.pdf' })
})

test('the history of a file tells that it was downloaded with a folder above it', async () => {
  const { admin, ana } = await aWorld()
  const plans = await folder(ana, 'Plans')
  const archived = () => fetched(`/sfs/archive?ids=${plans.id}`, ana.headers)
  await archived()
  const inner = await folder(ana, 'Inner', { parentFolderId: plans.id })
  const file = (await upload(ana, PDF, 'a.pdf', { parentFolderId: inner.id })).body
  const beside = (await upload(ana, PDF, 'b.pdf')).body
  await archived()
  const told = async (id: number) => {
    const events = (await admin.get(`/sfs/item/${id}/events?range=[0,9]`)).body as { what: string }[]
    return events.map(({ what }) => what)
  }
  // Archives downloaded before the file was added do not appear in its history.
  expect(await told(file.id)).toEqual(['Downloaded as a ZIP file', 'Added'])
  expect(await told(inner.id)).toEqual(['Downloaded as a ZIP file', 'Added'])
  expect(await told(beside.id)).toEqual(['Added'])
  expect(await verbs(ana, file.id)).toEqual(['added'])
})

describe('a preview', () => {
  const ticketFor = (who: Awaited<ReturnType<typeof signedInAs>>, id: number, body: object = {}) =>
    who.post(`/sfs/item/${id}/preview`, body)

  test('is answered in parts, in which nothing runs', async () => {
    const { ana } = await aWorld()
    const { id } = (await upload(ana, '0123456789', 'note.txt')).body
    const { body } = await ticketFor(ana, id)
    expect(body).toMatchObject({ type: 'text/plain; charset=utf-8' })
    const whole = await fetched(body.path)
    expect([whole.status, String(whole.bytes)]).toEqual([200, '0123456789'])
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'content-disposition': expect.stringMatching(/^inline; filename="note.txt"/),
      'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none'/),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    })
    for (const [range, status, text, said] of [
      ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
      ['bytes=7-', 206, '789', 'bytes 7-9/10'],
      ['bytes=-2', 206, '89', 'bytes 8-9/10'],
      ['bytes=5-99', 206, '56789', 'bytes 5-9/10'],
      ['bytes=0-1,3-4', 200, '0123456789', null],
      ['bytes=4-2', 200, '0123456789', null],
      ['lines=1-2', 200, '0123456789', null],
    ] as const) {
      const part = await fetched(body.path, { Range: range })
      expect([part.status, String(part.bytes), part.headers.get('content-range')], range).toEqual([
        status,
        text,
        said,
      ])
    }
    const beyond = await fetched(body.path, { Range: 'bytes=10-' })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10'])
    expect((await fetched(body.path, { Range: 'bytes=-0' })).status).toBe(416)
  })

  test('is refused where the format is not shown', async () => {
    const { ana } = await aWorld()
    for (const [bytes, name] of [
      ['<script>alert(1)</script>', 'page.html'],
      ['<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'logo.svg'],
      ['x'.repeat(600_000), 'long.txt'],
    ] as const) {
      const { status, body } = await upload(ana, bytes, name)
      expect(status, name).toBe(201)
      expect((await ticketFor(ana, body.id)).status, name).toBe(415)
    }
    expect((await ticketFor(ana, (await folder(ana, 'Plans')).id)).status).toBe(404)
    const short = (await upload(ana, 'x'.repeat(599_999), 'short.txt')).body
    expect((await ticketFor(ana, short.id)).status).toBe(200)
  })

  test('of an image that browsers do not show is converted', async () => {
    const { ana } = await aWorld()
    const { default: sharp } = await import('sharp')
    const page = sharp({ create: { width: 8, height: 6, channels: 3, background: '#ff8800' } })
    const tiff = (await upload(ana, await page.tiff().toBuffer(), 'scan.tif')).body
    const { body } = await ticketFor(ana, tiff.id)
    expect(body.type).toBe('image/webp')
    const shown = await fetched(body.path)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect(shown.bytes.toString('latin1', 8, 12)).toBe('WEBP')
    const fax = (await upload(ana, anOldTiff(await page.jpeg().toBuffer()), 'fax.tif')).body
    const scanned = await fetched((await ticketFor(ana, fax.id)).body.path)
    expect([scanned.status, scanned.bytes.toString('latin1', 8, 12)]).toEqual([200, 'WEBP'])
    const heic = (await upload(ana, aHeic(), 'photo.heic')).body
    const photo = await fetched((await ticketFor(ana, heic.id)).body.path)
    expect([photo.status, photo.bytes.toString('latin1', 8, 12)]).toEqual([200, 'WEBP'])
    for (const [name, bytes] of [
      ['broken.bmp', Buffer.from('BM broken picture')],
      ['broken.tif', anOldTiff(PNG)],
      ['broken.heic', aHeic().subarray(0, 300)],
    ] as const) {
      const broken = (await upload(ana, bytes, name)).body
      const ticket = (await ticketFor(ana, broken.id)).body
      expect((await fetched(ticket.path)).status, name).toBe(415)
    }
  })

  test('of a TIFF shows each of its pages', async () => {
    const { ana } = await aWorld()
    const { default: sharp } = await import('sharp')
    const colors = ['#ff0000', '#00ff00', '#0000ff']
    const pages = await Promise.all(
      colors.map((background) =>
        sharp({ create: { width: 8, height: 6, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    )
    const scan = await sharp(pages, { join: { animated: true } })
      .tiff()
      .toBuffer()
    const { path } = (await ticketFor(ana, (await upload(ana, scan, 'scan.tif')).body.id)).body
    for (const [n, color] of colors.entries()) {
      const shown = await fetched(`${path}?page=${n + 1}`)
      expect(shown.headers.get('content-type')).toBe('image/webp; pages=3')
      const { dominant } = await sharp(shown.bytes).stats()
      const main = (['r', 'g', 'b'] as const).filter((one) => dominant[one] > 200)
      expect(main, color).toEqual([(['r', 'g', 'b'] as const)[n]])
    }
    expect((await fetched(`${path}?page=4`)).status).toBe(404)
    expect((await fetched(`${path}?page=0`)).status).toBe(400)
  })

  test('shows the version that was asked for, for five minutes, as long as one may open it', async () => {
    const { admin, ana, bo, crew } = await aWorld()
    const plans = await folder(ana, 'Plans')
    const file = (await upload(ana, 'first', 'a.txt', { parentFolderId: plans.id })).body
    await upload(ana, 'second', 'a.txt', { parentFolderId: plans.id })
    const old = (await ticketFor(bo, file.id, { fileVersion: 1 })).body
    const { path } = (await ticketFor(bo, file.id)).body
    expect([String((await fetched(old.path)).bytes), String((await fetched(path)).bytes)]).toEqual([
      'first',
      'second',
    ])
    expect((await ticketFor(bo, file.id, { fileVersion: 9 })).status).toBe(404)
    await admin.patch(`/sfs/${plans.id}`, { folderType: 'PRIVATE', groupIds: [crew] })
    expect((await fetched(path)).status).toBe(404)
    await admin.patch(`/sfs/${plans.id}`, { folderType: 'PUBLIC', groupIds: [] })
    expect((await fetched(path)).status).toBe(200)
    const now = clock.now()
    vi.spyOn(clock, 'now').mockReturnValue(now + 5 * MINUTE)
    expect((await fetched(path)).status).toBe(404)
    vi.restoreAllMocks()
    for (const wrong of [path.replace(/.$/, path.endsWith('A') ? 'B' : 'A'), '/sfs/content/none'])
      expect((await fetched(wrong)).status).toBe(404)
    expect(await verbs(ana, file.id)).toEqual(['added', 'version added', 'viewed', 'viewed'])
  })

  test('of a picture is the picture', async () => {
    const { ana } = await aWorld()
    const { id } = (await upload(ana, PNG, 'photo.png')).body
    const { body } = await ticketFor(ana, id)
    const shown = await fetched(body.path)
    expect([shown.headers.get('content-type'), shown.bytes.equals(PNG)]).toEqual(['image/png', true])
  })
})
