import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, test, vi } from 'vitest'

import {
  FOLDER_NAME_TOO_SHORT,
  GROUP_REQUIRED,
  NAME_TAKEN,
  NO_ROOM_FOR_FILE,
  NOT_YOUR_GROUP,
  OWN_GROUPS_NEEDED,
  type PlacedItem,
  type StorageTree,
} from '#contract/files/schema.ts'
import { blobPathOf } from '#server/kit/blobs/folder.ts'
import { sha256 } from '#tests/support/attachments.ts'
import { EXE, JPEG, PDF, PNG, zipOf } from '#tests/support/files.ts'
import { startTestServer } from '#tests/support/server.ts'
import { storageFor } from '#tests/support/storage.ts'
import { tusFor } from '#tests/support/tus.ts'

const muster = await startTestServer()
const { anOrganisation, signedInAs, inside, dataDir } = muster
const { upload, download, folder, group, names, verbs } = storageFor(muster)

/** An organisation with an administrator and two people, one of whom is in a group. */
async function aWorld(config: Parameters<typeof anOrganisation>[0] = {}) {
  const organisation = await anOrganisation({ groupsEnabled: true, ...config })
  const admin = await signedInAs(organisation, 'ADMIN')
  const [ana, bo] = [await signedInAs(organisation), await signedInAs(organisation)]
  const crew = await group(admin, 'Crew', [ana])
  return { organisation, admin, ana, bo, crew }
}
const onDisk = async (): Promise<number> =>
  (await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true }).catch(() => [])).filter(
    (entry) => entry.isFile(),
  ).length
const blobsOf = (organisation: { id: string; code: string }) =>
  inside(organisation, (db) => db.selectFrom('blobs').select(['id', 'size']).execute())

describe('a file', () => {
  test('comes back as it was, with what it is', async () => {
    const { ana } = await aWorld()
    const plans = await folder(ana, 'Plans')
    const { status, body } = await upload(ana, PDF, 'Évacuation – 避難.PDF', { parentFolderId: plans.id })
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        name: 'Évacuation – 避難',
        extension: 'PDF',
        size: PDF.length,
        isFolder: false,
        parentFolderId: plans.id,
        folderType: 'PUBLIC',
        groupIds: [],
        createdBy: ana.email,
        createdByName: expect.stringMatching(/^Ana Person/),
        createTimestamp: expect.any(String),
        updateTimestamp: expect.any(String),
        isEditable: true,
        isOnHold: false,
        isStarred: false,
        type: 'application/pdf',
        sha256: sha256(PDF),
        fileVersion: 1,
        version: 1,
      },
    ])
    const file = await download(ana, body.id)
    expect(file.bytes.equals(PDF)).toBe(true)
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-disposition': expect.stringMatching(/^attachment; .*filename\*=UTF-8''%C3%89vacuation/),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    })
    expect(await verbs(ana, body.id)).toEqual(['added', 'downloaded'])
  })

  test('may be called by the form, and nothing in a name leads anywhere', async () => {
    const { ana } = await aWorld()
    const long = '漢'.repeat(255)
    for (const [fields, given, name, extension] of [
      [{ name: 'Site plan', extension: 'pdf' }, 'x.txt', 'Site plan', 'pdf'],
      [{ name: '../../etc/passwd', extension: '.PDF' }, 'x.pdf', 'passwd', 'PDF'],
      [{}, '../../plan.pdf', 'plan', 'pdf'],
      [{}, 'C:\\ana\\map.pdf', 'map', 'pdf'],
      [{ name: long, extension: 'pdf' }, 'x.pdf', long, 'pdf'],
    ] as const) {
      const { status, body } = await upload(ana, PDF, given, fields)
      expect([status, body.name, body.extension], given).toEqual([201, name, extension])
      expect((await download(ana, body.id)).status).toBe(200)
    }
    expect((await upload(ana, PDF, 'a.pdf', { name: 'line\nbreak' })).status).toBe(400)
    expect((await upload(ana, PDF, 'a.pdf', { name: 'x'.repeat(256) })).status).toBe(400)
  })

  test('whose name is too long is refused: cut, it could be that of another file', async () => {
    const { ana } = await aWorld()
    for (const character of ['😀', '👩‍🚒', 'e\u0301\u0302', '漢']) {
      const { status, body } = await upload(ana, PDF, `a${character.repeat(300)}.pdf`)
      expect([status, body.message]).toEqual([400, 'Maximum length of 255 characters exceeded.'])
    }
    expect(await names(ana)).toEqual([])
    const { body } = await upload(ana, PDF, '\u200b\u2800.pdf', { name: '\u200b' })
    expect(body.name).toBe('file')
  })

  test('of the same name becomes a new version, whatever its case or how its letters are composed', async () => {
    const { admin, ana, bo } = await aWorld()
    const first = (await upload(ana, PDF, 'Über.pdf')).body
    const larger = Buffer.concat([PDF, Buffer.from('\n')])
    const second = (await upload(ana, larger, 'u\u0308BER.PDF')).body
    expect(second).toMatchObject({ id: first.id, name: 'Über', fileVersion: 2, size: larger.length })
    const refused = await upload(bo, PDF, 'über.pdf')
    expect([refused.status, refused.body.message]).toEqual([409, NAME_TAKEN])
    expect((await upload(admin, PDF, 'über.pdf')).body).toMatchObject({ id: first.id, fileVersion: 3 })

    const versions = (await bo.get(`/sfs/item/${first.id}/versions`)).body
    expect(versions.map((one: { fileVersion: number }) => one.fileVersion)).toEqual([3, 2, 1])
    expect(versions[1]).toMatchObject({ size: larger.length, createdBy: ana.email, sha256: sha256(larger) })
    const { bytes } = await storageFor(muster).fetched(`/sfs/item/${first.id}/versions/2`, bo.headers)
    expect(bytes.equals(larger)).toBe(true)
    expect((await bo.post(`/sfs/item/${first.id}/versions/2/restore`)).status).toBe(403)
    const restored = await ana.post(`/sfs/item/${first.id}/versions/2/restore`)
    expect(restored.body).toMatchObject({ fileVersion: 4, sha256: sha256(larger) })
    expect((await download(bo, first.id)).bytes.equals(larger)).toBe(true)
  })

  test.each<[string, Buffer | string, string, number]>([
    ['a program that is called a PDF', EXE, 'invoice.pdf', 415],
    ['a program', EXE, 'tool.exe', 415],
    ['a zip that is called a document', zipOf({ 'a.exe': 'MZ' }), 'letter.docx', 415],
    ['a page', '<script>alert(1)</script>', 'page.html', 415],
    ['a drawing with a script', '<svg onload="alert(1)"/>', 'logo.svg', 415],
    ['a picture of another kind', JPEG, 'photo.png', 415],
    ['nothing', '', 'empty.txt', 400],
    ['one without an extension', 'text', 'README', 415],
  ])('%s is refused and leaves nothing', async (_, bytes, name, status) => {
    const { organisation, ana } = await aWorld()
    const before = await onDisk()
    expect((await upload(ana, bytes, name)).status).toBe(status)
    expect(await names(ana)).toEqual([])
    expect(await blobsOf(organisation)).toEqual([])
    await vi.waitFor(async () => expect(await onDisk()).toBe(before))
  })

  test('in which something could run is saved and never shown', async () => {
    const { ana } = await aWorld({ allowedFileExtensions: ['html', 'svg'] })
    for (const [name, bytes] of [
      ['page.html', '<script>alert(1)</script>'],
      ['logo.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ] as const) {
      const { status, body } = await upload(ana, bytes, name)
      expect([status, body.type]).toEqual([201, 'application/octet-stream'])
      const { headers } = await download(ana, body.id)
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-disposition': expect.stringMatching(/^attachment;/),
        'x-content-type-options': 'nosniff',
      })
    }
  })

  test('of the same name that arrives at the same time becomes a version, and none is lost', async () => {
    const { organisation, ana } = await aWorld()
    const replies = await Promise.all(
      [1, 2, 3, 4].map((n) => upload(ana, Buffer.concat([PDF, Buffer.alloc(n)]), 'plan.pdf')),
    )
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1)
    expect(new Set(replies.map(({ body }) => body.fileVersion))).toEqual(new Set([1, 2, 3, 4]))
    expect(await blobsOf(organisation)).toHaveLength(4)
  })

  test('is limited as the organisation is configured', async () => {
    const { ana } = await aWorld({ maxFileSize: 1, allowedFileExtensions: ['PDF'], fileQuotaMegabytes: 1 })
    const large = await upload(ana, Buffer.concat([PDF, Buffer.alloc(1024 * 1024)]))
    expect([large.status, large.body.message]).toEqual([
      413,
      'Sorry, this file exceeds the maximum size of 1 MB.',
    ])
    expect((await upload(ana, PNG, 'photo.png')).status).toBe(415)
    const half = Buffer.concat([PDF, Buffer.alloc(600_000)])
    expect((await upload(ana, half, 'one.pdf')).status).toBe(201)
    const full = await upload(ana, half, 'two.pdf')
    expect([full.status, full.body.message]).toEqual([409, NO_ROOM_FOR_FILE])
    expect(await names(ana)).toEqual(['one'])
  })

  test('with one flipped byte on the disk is not handed out', async () => {
    const { organisation, ana } = await aWorld()
    const { body } = await upload(ana)
    const [blob] = await blobsOf(organisation)
    const path = blobPathOf(join(dataDir, 'files'), blob!.id)
    const stored = await readFile(path)
    stored[stored.length - 1]! ^= 1
    await writeFile(path, stored)
    const { status, bytes } = await download(ana, body.id)
    expect(status).toBe(500)
    expect(bytes.includes('%PDF')).toBe(false)
  })
})

describe('a folder', () => {
  test('lists what lies in it: folders first, in pages, sorted, also only what one added', async () => {
    const { ana, bo } = await aWorld()
    const plans = await folder(ana, 'Plans')
    for (const name of ['beta', 'Älpha']) await folder(bo, name, { parentFolderId: plans.id })
    for (const name of ['zulu.txt', 'kilo.txt'])
      await upload(ana, name.repeat(name === 'kilo.txt' ? 9 : 1), name, { parentFolderId: plans.id })
    expect(await names(ana, plans.id)).toEqual(['Älpha', 'beta', 'kilo', 'zulu'])
    const page = await ana.get(
      `/sfs/folder/${plans.id}?range=[1,2]&sort=${encodeURIComponent('["size","DESC"]')}`,
    )
    expect(page.headers.get('content-range')).toBe('items 1-2/4')
    expect(page.body.map(({ name }: { name: string }) => name)).toEqual(['beta', 'kilo'])
    const mine = await ana.get(`/sfs/folder/${plans.id}?filter={"isCreatedByMe":true}`)
    expect(mine.body).toHaveLength(2)
    const folders = await ana.get(`/sfs/folder/${plans.id}?filter={"isFolder":true}`)
    expect(folders.body).toHaveLength(2)

    const details = (await ana.get(`/sfs/item/${folders.body[0].id}`)).body
    expect(details).toMatchObject({ path: [{ id: plans.id, name: 'Plans' }], itemsCount: 0, peopleCount: 3 })
    const whole = (await ana.get(`/sfs/item/${plans.id}`)).body
    expect(whole).toMatchObject({ path: [], itemsCount: 4, totalSize: 80 })
    expect((await ana.get('/sfs/item/0')).body).toMatchObject({ id: 0, itemsCount: 1, totalSize: 80 })
    expect((await ana.get(`/sfs/folder/${details.id + 1_000}`)).status).toBe(404)
    expect((await ana.get('/sfs/folder/abc')).status).toBe(400)
  })

  test('is part of the tree and of what a search finds', async () => {
    const { ana } = await aWorld()
    const plans = await folder(ana, 'Plans')
    const inner = await folder(ana, 'Hall 3', { parentFolderId: plans.id })
    await upload(ana, PDF, 'Évacuation 100%.pdf', { parentFolderId: inner.id })
    const tree = (await ana.get('/sfs?hideIncidentsData=true')).body as StorageTree
    expect(tree).toMatchObject({
      id: 0,
      children: [{ name: 'Plans', children: [{ name: 'Hall 3', children: [{ extension: 'pdf' }] }] }],
    })
    const found = async (words: string) =>
      ((await ana.get(`/sfs/search?query=${encodeURIComponent(words)}`)).body as { name: string }[]).map(
        ({ name }) => name,
      )
    expect(await found('evacuation PDF')).toEqual(['Évacuation 100%'])
    expect(await found('100%')).toEqual(['Évacuation 100%'])
    expect(await found('hall')).toEqual(['Hall 3'])
    expect(await found('_')).toEqual([])
    const [placed] = (await ana.get('/sfs/search?query=evacuation')).body as PlacedItem[]
    expect(placed!.path).toEqual([
      { id: plans.id, name: 'Plans' },
      { id: inner.id, name: 'Hall 3' },
    ])
  })

  test('lies in the root where its parent is null, like everything else', async () => {
    const { ana } = await aWorld()
    const made = await ana.post('/sfs/folder', { name: 'Plans', parentFolderId: null })
    expect([made.status, made.body.parentFolderId]).toEqual([201, 0])
    const uploaded = await upload(ana, PDF, 'a.pdf', { parentFolderId: 'null' })
    expect([uploaded.status, uploaded.body.parentFolderId]).toEqual([201, 0])
    await ana.post('/sfs/move', { ids: [uploaded.body.id], parentFolderId: made.body.id })
    const moved = await ana.post('/sfs/move', { ids: [uploaded.body.id], parentFolderId: null })
    expect([moved.status, moved.body[0].parentFolderId]).toEqual([200, 0])
    expect((await ana.post('/sfs/folder', { name: 'Maps', parentFolderId: 'elsewhere' })).status).toBe(400)
    const tus = tusFor(`${muster.url}/api`, ana.headers)
    const begun = await tus.tryBegin('b.pdf', PDF.length, { parentFolderId: 'null' })
    expect(begun.status).toBe(201)
  })

  test('needs a name of its own', async () => {
    const { ana } = await aWorld()
    const plans = await folder(ana, ' Plans ')
    expect(plans.name).toBe('Plans')
    for (const [name, status, message] of [
      ['', 400, 'Please enter a folder name.'],
      ['ab ', 400, FOLDER_NAME_TOO_SHORT],
      ['x'.repeat(256), 400, 'Maximum length of 255 characters exceeded.'],
      ['a\u0000bc', 400, expect.any(String)],
      ['a\ud800bc', 400, expect.any(String)],
      ['PLANS', 409, NAME_TAKEN],
    ] as const) {
      const reply = await ana.post('/sfs/folder', { name })
      expect([reply.status, reply.body.message], name).toEqual([status, message])
    }
    expect((await ana.post('/sfs/folder', { name: '漢'.repeat(255) })).status).toBe(201)
    expect((await upload(ana, PDF, 'Plans.pdf')).status).toBe(201)
  })

  test('is renamed by its creator and by administrators, and a late change is refused', async () => {
    const { admin, ana, bo } = await aWorld()
    const { id, version } = await folder(ana, 'Plans')
    expect((await bo.patch(`/sfs/${id}`, { name: 'Mine' })).status).toBe(403)
    expect((await bo.get(`/sfs/item/${id}`)).body.isEditable).toBe(false)
    const renamed = await ana.patch(`/sfs/${id}`, { name: ' Maps ', version })
    expect(renamed.body).toMatchObject({ name: 'Maps', version: version + 1 })
    const late = await admin.patch(`/sfs/${id}`, { name: 'Charts', version })
    expect([late.status, late.body.code]).toEqual([409, 'stale'])
    expect((await admin.patch(`/sfs/${id}`, { name: 'MAPS' })).status).toBe(200)
    const file = (await upload(ana)).body
    expect((await ana.patch(`/sfs/${file.id}`, { name: 'ab ' })).status).toBe(400)
    expect((await ana.patch(`/sfs/${file.id}`, { name: 'Site plan' })).body).toMatchObject({
      name: 'Site plan',
      extension: 'pdf',
      sha256: sha256(PDF),
    })
  })
})

describe('who may open a folder', () => {
  test('is decided by the one in the root, for everything below it, at once', async () => {
    const { admin, ana, bo, crew } = await aWorld()
    const secret = await folder(ana, 'Secret', { folderType: 'PRIVATE', groupIds: [crew] })
    expect(secret).toMatchObject({ folderType: 'PRIVATE', groupIds: [crew] })
    const inner = await folder(ana, 'Inner', { parentFolderId: secret.id })
    const file = (await upload(ana, PDF, 'secret.pdf', { parentFolderId: inner.id })).body
    expect(file).toMatchObject({ folderType: 'PRIVATE', groupIds: [crew] })

    const sees = async (who: typeof bo) => ({
      root: await names(who),
      found: (await who.get('/sfs/search?query=secret')).body.length,
      tree: ((await who.get('/sfs')).body as StorageTree).children!.length,
      statuses: [
        (await who.get(`/sfs/folder/${inner.id}`)).status,
        (await who.get(`/sfs/item/${file.id}`)).status,
        (await download(who, file.id)).status,
        (await who.get(`/sfs/archive?ids=${inner.id}`)).status,
        (await who.get(`/sfs/item/${file.id}/people`)).status,
        (await who.post(`/sfs/item/${file.id}/preview`, {})).status,
      ],
    })
    const everything = { root: ['Secret'], found: 2, tree: 1, statuses: [200, 200, 200, 200, 200, 200] }
    const none = { root: [], found: 0, tree: 0, statuses: [404, 404, 404, 404, 404, 404] }
    expect(await sees(admin)).toEqual(everything)
    expect(await sees(ana)).toEqual(everything)
    expect(await sees(bo)).toEqual(none)
    expect((await upload(bo, PDF, 'a.pdf', { parentFolderId: inner.id })).status).toBe(404)
    const mine = await folder(bo, 'Mine')
    expect((await bo.post('/sfs/move', { ids: [mine.id], parentFolderId: inner.id })).status).toBe(404)

    const people = (await ana.get(`/sfs/item/${file.id}/people`)).body as { email: string }[]
    expect(people.map(({ email }) => email).toSorted()).toEqual([admin.email, ana.email].toSorted())
    await admin.put(`/useradmin/group/${crew}`, { name: 'Crew', userIds: [bo.email] })
    expect((await sees(bo)).statuses).toEqual(everything.statuses)
    expect((await sees(ana)).statuses).toEqual(none.statuses)
  })

  test('is told to who may open it, without people who cannot sign in', async () => {
    const { organisation, admin, ana, crew } = await aWorld()
    const gone = await signedInAs(organisation)
    const outside = await signedInAs(organisation, 'USER', { type: 'EXTERNAL' })
    await admin.put(`/useradmin/group/${crew}`, { name: 'Crew', userIds: [ana.email, gone.email] })
    await inside(organisation, (db) =>
      db.updateTable('users').set({ active: false }).where('email', '=', gone.email).execute(),
    )
    const secret = await folder(ana, 'Secret', { folderType: 'PRIVATE', groupIds: [crew] })
    const file = (await upload(ana)).body
    const readersOf = async (id: number) => {
      const { body } = await ana.get(`/sfs/item/${id}/people?range=[0,9]`)
      return (body as { email: string }[]).map(({ email }) => email)
    }
    expect(new Set(await readersOf(secret.id))).toEqual(new Set([admin.email, ana.email]))
    expect((await ana.get(`/sfs/item/${secret.id}`)).body.peopleCount).toBe(2)
    expect(await readersOf(file.id)).not.toContain(outside.email)
    expect((await ana.get(`/sfs/item/${file.id}`)).body.peopleCount).toBe(3)
    // Without its last group, only administrators have access.
    await admin.delete(`/useradmin/group/${crew}`)
    expect([(await ana.get(`/sfs/item/${secret.id}`)).status, await names(admin)]).toEqual([
      404,
      ['Secret', 'plan'],
    ])
  })

  test('is for administrators alone in their folders', async () => {
    const { admin, ana } = await aWorld()
    const refused = await ana.post('/sfs/folder', { name: 'Board', folderType: 'ADMIN' })
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([403, ['folderType']])
    const board = await folder(admin, 'Board', { folderType: 'ADMIN' })
    const { body } = await upload(admin, PDF, 'minutes.pdf', { parentFolderId: board.id })
    expect(await names(ana)).toEqual([])
    expect((await download(ana, body.id)).status).toBe(404)
    // Names of invisible items are not taken.
    const mine = await folder(ana, 'Board')
    expect(await names(ana)).toEqual(['Board'])
    const opened = await admin.patch(`/sfs/${board.id}`, { folderType: 'PUBLIC' })
    expect([opened.status, opened.body.message]).toEqual([409, NAME_TAKEN])
    await ana.patch(`/sfs/${mine.id}`, { name: 'Our board' })
    expect((await admin.patch(`/sfs/${board.id}`, { folderType: 'PUBLIC' })).status).toBe(200)
    expect((await download(ana, body.id)).status).toBe(200)
  })

  test('is chosen among one’s own groups, and nobody locks themselves out', async () => {
    const { admin, ana, bo, crew } = await aWorld()
    const other = await group(admin, 'Other', [bo])
    for (const [body, status, message] of [
      [{ folderType: 'PRIVATE' }, 400, GROUP_REQUIRED],
      [{ folderType: 'PRIVATE', groupIds: [other] }, 403, NOT_YOUR_GROUP],
      [{ folderType: 'PRIVATE', groupIds: [crew, other] }, 403, NOT_YOUR_GROUP],
      [{ folderType: 'PRIVATE', groupIds: [crypto.randomUUID()] }, 403, NOT_YOUR_GROUP],
    ] as const) {
      const reply = await ana.post('/sfs/folder', { name: 'Plans', ...body })
      expect([reply.status, reply.body.fields]).toEqual([status, { groupIds: message }])
    }
    const unknown = await admin.post('/sfs/folder', {
      name: 'Plans',
      folderType: 'PRIVATE',
      groupIds: [crypto.randomUUID()],
    })
    expect(unknown.status).toBe(400)
    const { id } = await folder(ana, 'Plans', { folderType: 'PRIVATE', groupIds: [crew] })
    const shared = await admin.patch(`/sfs/${id}`, { groupIds: [crew, other] })
    expect(shared.body.groupIds).toHaveLength(2)
    const locked = await ana.patch(`/sfs/${id}`, { folderType: 'PRIVATE', groupIds: [other] })
    expect([locked.status, locked.body.message]).toEqual([403, OWN_GROUPS_NEEDED])
    expect((await ana.get(`/sfs/item/${id}`)).body.groupIds).toHaveLength(2)
    expect((await ana.patch(`/sfs/${id}`, { groupIds: [] })).status).toBe(400)
    const open = await ana.patch(`/sfs/${id}`, { folderType: 'PUBLIC', groupIds: [] })
    expect(open.body).toMatchObject({ folderType: 'PUBLIC', groupIds: [] })
    expect(await verbs(ana, id)).toEqual(['added', 'access changed', 'access changed'])
  })

  test('cannot be said of a folder below the root, nor of a file', async () => {
    const { ana, crew } = await aWorld()
    const plans = await folder(ana, 'Plans')
    const inner = await folder(ana, 'Inner', { parentFolderId: plans.id })
    const file = (await upload(ana)).body
    const access = { folderType: 'PRIVATE', groupIds: [crew] }
    const made = await ana.post('/sfs/folder', { name: 'Deep', parentFolderId: plans.id, ...access })
    const changed = await ana.patch(`/sfs/${inner.id}`, access)
    const ofFile = await ana.patch(`/sfs/${file.id}`, { folderType: 'PUBLIC' })
    expect([made.status, changed.status, ofFile.status]).toEqual([400, 400, 400])
  })
})
