import { describe, expect, test } from 'vitest'

import type { StorageItem } from '#contract/files/schema.ts'
import { COPY_INTO_ITSELF, ITEMS_AT_ONCE, ON_LEGAL_HOLD, TOO_MANY_COPIES } from '#contract/files/schema.ts'
import { PDF, PNG } from '#tests/support/files.ts'
import { startTestServer } from '#tests/support/server.ts'
import { storageFor } from '#tests/support/storage.ts'

const muster = await startTestServer()
const { anOrganisation, signedInAs, inside, send } = muster
const { upload, download, folder, group, names, verbs } = storageFor(muster)

async function aWorld() {
  const organisation = await anOrganisation({
    groupsEnabled: true,
    allowedFileExtensions: ['pdf', 'txt', 'png'],
  })
  const admin = await signedInAs(organisation, 'ADMIN')
  const [ana, bo] = [await signedInAs(organisation), await signedInAs(organisation)]
  const crew = await group(admin, 'Crew', [ana])
  return { organisation, admin, ana, bo, crew }
}
type World = Awaited<ReturnType<typeof aWorld>>
const keptBytes = ({ organisation }: World) =>
  inside(organisation, async (db) => (await db.selectFrom('blobs').select('size').execute()).length)

describe('copying', () => {
  test('takes the newest content and everything below along, and leaves the originals', async () => {
    const world = await aWorld()
    const { ana, bo } = world
    const plans = await folder(ana, 'Plans')
    const inner = await folder(ana, 'Inner', { parentFolderId: plans.id })
    const file = (await upload(ana, 'first', 'note.txt', { parentFolderId: inner.id })).body
    await upload(ana, 'second', 'note.txt', { parentFolderId: inner.id })
    const target = await folder(bo, 'Target')
    const blobs = await keptBytes(world)
    const { status, body } = await bo.post('/sfs/copy', {
      ids: [plans.id, file.id],
      parentFolderId: target.id,
    })
    expect(status).toBe(201)
    // The file lies in the folder that is copied.
    expect(body).toMatchObject([
      { name: 'Plans', parentFolderId: target.id, createdBy: bo.email, isEditable: true },
    ])
    const [copiedInner] = (await bo.get(`/sfs/folder/${body[0].id}`)).body
    const [copy] = (await bo.get(`/sfs/folder/${copiedInner.id}`)).body as StorageItem[]
    expect(copy).toMatchObject({ name: 'note', extension: 'txt', fileVersion: 1, createdBy: bo.email })
    expect(String((await download(bo, copy!.id)).bytes)).toBe('second')
    expect((await ana.get(`/sfs/item/${copy!.id}`)).body.path.map(({ name }: StorageItem) => name)).toEqual([
      'Target',
      'Plans',
      'Inner',
    ])
    expect(await keptBytes(world)).toBe(blobs)
    expect(await verbs(ana, plans.id)).toEqual(['added', 'copied'])
    expect(await verbs(ana, copy!.id)).toEqual(['added', 'downloaded'])
    // The copies live on without the originals.
    await ana.delete(`/sfs/${plans.id}`)
    await world.admin.delete(`/sfs/trash/${plans.id}`)
    expect(String((await download(bo, copy!.id)).bytes)).toBe('second')
  })

  test('gives names that are taken a number, also beside the original', async () => {
    const { ana } = await aWorld()
    const file = (await upload(ana, PDF, 'plan.pdf')).body
    const other = await folder(ana, 'Other')
    const same = (await upload(ana, PDF, 'plan.pdf', { parentFolderId: other.id })).body
    await ana.post('/sfs/copy', { ids: [file.id], parentFolderId: 0 })
    await ana.post('/sfs/copy', { ids: [file.id, same.id], parentFolderId: 0 })
    expect(await names(ana)).toEqual(['Other', 'plan', 'plan (2)', 'plan (3)', 'plan (4)'])
  })

  test('is done once when the answer is lost, and for all or for none', async () => {
    const { ana, bo } = await aWorld()
    const file = (await upload(ana, PDF, 'plan.pdf')).body
    const target = await folder(ana, 'Target')
    const body = { ids: [file.id], parentFolderId: target.id }
    const headers = { ...ana.headers, 'Idempotency-Key': crypto.randomUUID() }
    const first = await send('POST', '/sfs/copy', { headers, body })
    const again = await send('POST', '/sfs/copy', { headers, body })
    expect(again.body).toEqual(first.body)
    const missing = await ana.post('/sfs/copy', { ids: [file.id, 1_000_000_000], parentFolderId: target.id })
    const nowhere = await bo.post('/sfs/copy', { ids: [file.id], parentFolderId: 1_000_000_000 })
    const none = await bo.post('/sfs/copy', { ids: [], parentFolderId: 0 })
    expect([missing.status, nowhere.status, none.status]).toEqual([404, 404, 400])
    expect(await names(ana, target.id)).toEqual(['plan'])
  })

  test('opens nothing to people who could not open it', async () => {
    const { admin, ana, bo, crew } = await aWorld()
    const secret = await folder(ana, 'Secret', { folderType: 'PRIVATE', groupIds: [crew] })
    const inner = await folder(ana, 'Inner', { parentFolderId: secret.id })
    const file = (await upload(ana, PDF, 'a.pdf', { parentFolderId: inner.id })).body
    const open = await folder(bo, 'Open')
    expect((await bo.post('/sfs/copy', { ids: [file.id], parentFolderId: open.id })).status).toBe(404)
    expect((await bo.post('/sfs/copy', { ids: [open.id], parentFolderId: secret.id })).status).toBe(404)
    // A folder that is copied to the root keeps its readers.
    const [copy] = (await ana.post('/sfs/copy', { ids: [inner.id], parentFolderId: 0 })).body
    expect(copy).toMatchObject({ folderType: 'PRIVATE', groupIds: [crew] })
    expect((await bo.get(`/sfs/folder/${copy.id}`)).status).toBe(404)
    await admin.put(`/sfs/item/${open.id}/hold`, { isOnHold: true })
    const onHold = await ana.post('/sfs/copy', { ids: [inner.id], parentFolderId: open.id })
    expect([onHold.status, onHold.body.message]).toEqual([409, ON_LEGAL_HOLD])
    // Evidence is read, and its copy is free.
    const [freed] = (await bo.post('/sfs/copy', { ids: [open.id], parentFolderId: 0 })).body
    expect(freed).toMatchObject({ name: 'Open (2)', isOnHold: false })
  })

  test('refuses a folder within itself, and more than is copied at once', async () => {
    const { organisation, ana } = await aWorld()
    const outer = await folder(ana, 'Outer')
    const inner = await folder(ana, 'Inner', { parentFolderId: outer.id })
    const itself = await ana.post('/sfs/copy', { ids: [outer.id], parentFolderId: inner.id })
    expect([itself.status, itself.body.message]).toEqual([400, COPY_INTO_ITSELF])
    const at = new Date().toISOString()
    await inside(organisation, (db) =>
      db
        .insertInto('file_items')
        .values(
          Array.from({ length: ITEMS_AT_ONCE - 1 }, (_, n) => ({
            parent_id: inner.id,
            path: [outer.id, inner.id],
            root_id: outer.id,
            is_folder: true,
            name: `Folder ${n}`,
            extension: '',
            name_key: `folder ${n}`,
            folder_type: 'PUBLIC' as const,
            created_by: ana.email,
            create_timestamp: at,
            update_timestamp: at,
          })) as never,
        )
        .execute(),
    )
    const many = await ana.post('/sfs/copy', { ids: [outer.id], parentFolderId: 0 })
    expect([many.status, many.body.message]).toEqual([400, TOO_MANY_COPIES])
    expect((await ana.post('/sfs/copy', { ids: [inner.id], parentFolderId: 0 })).status).toBe(201)
  })
})

describe('recent and starred files', () => {
  const listed = async (who: World['ana'], which: 'recent' | 'starred', query = '') =>
    (await who.get(`/sfs/${which}${query}`)).body.map(({ name }: StorageItem) => name)

  test('are those of a person alone, the last one first, in pages', async () => {
    const { ana, bo } = await aWorld()
    const plans = await folder(ana, 'Plans')
    const a = (await upload(ana, PDF, 'aaa.pdf', { parentFolderId: plans.id })).body
    const b = (await upload(ana, PDF, 'bbb.pdf')).body
    expect(await listed(ana, 'recent')).toEqual(['bbb', 'aaa'])
    expect(await listed(bo, 'recent')).toEqual([])
    await download(ana, a.id)
    await download(bo, b.id)
    expect(await listed(ana, 'recent')).toEqual(['aaa', 'bbb'])
    expect(await listed(bo, 'recent')).toEqual(['bbb'])
    const page = await ana.get(`/sfs/recent?range=${encodeURIComponent('[1,1]')}`)
    expect(page.body).toMatchObject([{ name: 'bbb', path: [] }])
    expect(page.headers.get('content-range')).toMatch(/1-1\/2$/)
    for (const id of [plans.id, b.id]) await ana.put(`/sfs/item/${id}/star`, { isStarred: true })
    const again = await ana.put(`/sfs/item/${plans.id}/star`, { isStarred: true })
    expect(again.body).toMatchObject({ name: 'Plans', isStarred: true })
    expect(await listed(ana, 'starred')).toEqual(['bbb', 'Plans'])
    expect(await listed(bo, 'starred')).toEqual([])
    const rows = (await ana.get('/sfs/folder/0')).body as StorageItem[]
    expect(rows.map(({ name, isStarred }) => [name, isStarred])).toEqual([
      ['Plans', true],
      ['bbb', true],
    ])
    expect((await bo.get(`/sfs/item/${b.id}`)).body.isStarred).toBe(false)
    // Without the star the file is still one that was used.
    await ana.put(`/sfs/item/${b.id}/star`, { isStarred: false })
    expect(await listed(ana, 'starred')).toEqual(['Plans'])
    expect(await listed(ana, 'recent')).toEqual(['aaa', 'bbb'])
  })

  test('leave out what is deleted and what cannot be opened any more', async () => {
    const { admin, ana, bo, crew } = await aWorld()
    const shared = await folder(ana, 'Shared')
    const file = (await upload(bo, PDF, 'aaa.pdf', { parentFolderId: shared.id })).body
    await bo.put(`/sfs/item/${file.id}/star`, { isStarred: true })
    expect((await bo.put('/sfs/item/1000000000/star', { isStarred: true })).status).toBe(404)
    await ana.patch(`/sfs/${shared.id}`, { folderType: 'PRIVATE', groupIds: [crew] })
    expect([await listed(bo, 'recent'), await listed(bo, 'starred')]).toEqual([[], []])
    expect((await bo.put(`/sfs/item/${file.id}/star`, { isStarred: false })).status).toBe(404)
    await ana.patch(`/sfs/${shared.id}`, { folderType: 'PUBLIC' })
    expect(await listed(bo, 'starred')).toEqual(['aaa'])
    await admin.delete(`/sfs/${shared.id}`)
    expect([await listed(bo, 'recent'), await listed(bo, 'starred')]).toEqual([[], []])
    await admin.delete(`/sfs/trash/${shared.id}`)
    expect(await listed(bo, 'starred')).toEqual([])
  })
})

describe('thumbnails', () => {
  test('are small pictures of images, and no views of the file', async () => {
    const { ana, bo, crew } = await aWorld()
    const secret = await folder(ana, 'Secret', { folderType: 'PRIVATE', groupIds: [crew] })
    const image = (await upload(ana, PNG, 'map.png', { parentFolderId: secret.id })).body
    const text = (await upload(ana, 'words', 'note.txt')).body
    const answer = await fetch(`${muster.url}/api/sfs/item/${image.id}/thumbnail`, { headers: ana.headers })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect(Buffer.from(await answer.arrayBuffer()).toString('latin1', 8, 12)).toBe('WEBP')
    expect((await ana.get(`/sfs/item/${text.id}/thumbnail`)).status).toBe(415)
    expect((await bo.get(`/sfs/item/${image.id}/thumbnail`)).status).toBe(404)
    expect(await verbs(ana, image.id)).toEqual(['added'])
  })
})
