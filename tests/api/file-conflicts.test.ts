import { describe, expect, test } from 'vitest'

import { ITEMS_AT_ONCE, NAME_TAKEN, type NameConflict, ON_LEGAL_HOLD } from '#contract/files/schema.ts'
import { PDF, PNG } from '#tests/support/files.ts'
import { type Caller, startTestServer } from '#tests/support/server.ts'
import { storageFor } from '#tests/support/storage.ts'
import { tusFor } from '#tests/support/tus.ts'

const muster = await startTestServer()
const { anOrganisation, signedInAs, url } = muster
const { upload, download, folder, group, names, verbs } = storageFor(muster)

async function aWorld() {
  const organisation = await anOrganisation({ groupsEnabled: true })
  const admin = await signedInAs(organisation, 'ADMIN')
  const [ana, bo] = [await signedInAs(organisation), await signedInAs(organisation)]
  return { organisation, admin, ana, bo }
}
const conflicts = async (who: Caller, id: number, folders: unknown) =>
  who.post(`/sfs/folder/${id}/conflicts`, { folders })
const found = ({ body }: { body: NameConflict[] }) =>
  body.map(({ folder: at, name, item, canReplace }) => [at, name, item.id, canReplace])

describe('names that are taken', () => {
  test('are named before anything is sent, also below the folder, in any case and normal form', async () => {
    const { ana, bo } = await aWorld()
    const plans = await folder(ana, 'Plans')
    const maps = await folder(ana, 'Maps', { parentFolderId: plans.id })
    const ours = await upload(ana, PDF, 'Évacuation.pdf', { parentFolderId: plans.id })
    const theirs = await upload(bo, PDF, 'gate.pdf', { parentFolderId: maps.id })
    const asked = [
      { path: [], names: ['ÉVACUATION.PDF', 'new.pdf', 'maps'] },
      { path: ['MAPS'], names: ['gate.pdf', 'other.pdf'] },
      { path: ['Maps', 'Nowhere'], names: ['gate.pdf'] },
      // A file is no folder.
      { path: ['Évacuation.pdf'], names: ['gate.pdf'] },
    ]
    expect(found(await conflicts(ana, plans.id, asked))).toEqual([
      [0, 'ÉVACUATION.PDF', ours.body.id, true],
      [0, 'maps', maps.id, false],
      [1, 'gate.pdf', theirs.body.id, false],
    ])
  })

  test('of folders that somebody may not open are not named', async () => {
    const { admin, ana, bo } = await aWorld()
    const crew = await group(admin, 'Crew', [ana])
    const secret = await folder(ana, 'Secret', { folderType: 'PRIVATE', groupIds: [crew] })
    await upload(ana, PDF, 'plan.pdf', { parentFolderId: secret.id })
    const asked = [
      { path: [], names: ['Secret'] },
      { path: ['Secret'], names: ['plan.pdf'] },
    ]
    expect(found(await conflicts(bo, 0, asked))).toEqual([])
    expect(found(await conflicts(ana, 0, asked))).toHaveLength(2)
    expect((await conflicts(bo, secret.id, asked)).status).toBe(404)
  })

  test('are looked up for a thousand files at a time and no more', async () => {
    const { ana } = await aWorld()
    const many = (count: number) => Array.from({ length: count }, (_, n) => `${n}.pdf`)
    const half = { path: [], names: many(ITEMS_AT_ONCE / 2) }
    expect((await conflicts(ana, 0, [half, half])).status).toBe(200)
    expect((await conflicts(ana, 0, [half, half, { path: [], names: ['a'] }])).status).toBe(400)
    expect((await conflicts(ana, 0, [{ path: many(51), names: ['a'] }])).status).toBe(400)
  })
})

describe('an upload of a name that is taken', () => {
  test('is kept beside the other, by the next free number', async () => {
    const { ana, bo } = await aWorld()
    const before = await upload(ana, PDF, 'plan.pdf')
    const kept = await upload(bo, PNG, 'PLAN.png', { onConflict: 'keepBoth' })
    expect([kept.status, kept.body.name]).toEqual([201, 'PLAN'])
    const second = await upload(bo, PDF, 'plan.pdf', { onConflict: 'keepBoth' })
    const third = await upload(bo, PDF, 'Plan.pdf', { onConflict: 'keepBoth' })
    expect([second.body.name, third.body.name]).toEqual(['plan (2)', 'Plan (3)'])
    expect((await download(ana, before.body.id)).bytes.equals(PDF)).toBe(true)
    const long = 'n'.repeat(255)
    await upload(ana, PDF, 'x.pdf', { name: long })
    const cut = await upload(ana, PDF, 'x.pdf', { name: long, onConflict: 'keepBoth' })
    expect([cut.status, cut.body.name]).toEqual([201, `${'n'.repeat(251)} (2)`])
  })

  test('is refused where that is the choice, and a new version without one', async () => {
    const { ana } = await aWorld()
    await upload(ana, PDF, 'plan.pdf')
    const refused = await upload(ana, PDF, 'plan.pdf', { onConflict: 'refuse' })
    expect([refused.status, refused.body]).toMatchObject([409, { fields: { name: NAME_TAKEN } }])
    expect((await upload(ana, PDF, 'plan.pdf')).body.fileVersion).toBe(2)
    expect((await upload(ana, PDF, 'plan.pdf', { onConflict: 'ask' })).status).toBe(400)
  })

  test('that is sent in parts is treated as it was chosen at the beginning', async () => {
    const { ana } = await aWorld()
    const tus = tusFor(`${url}/api`, ana.headers)
    await upload(ana, PDF, 'plan.pdf')
    expect((await tus.tryBegin('plan.pdf', PDF.length, { onConflict: 'refuse' })).status).toBe(409)
    const id = await tus.begin('plan.pdf', PDF.length, { onConflict: 'keepBoth' })
    // Somebody takes the number meanwhile.
    await upload(ana, PDF, 'plan (2).pdf')
    expect((await tus.send(id, 0, PDF)).status).toBe(204)
    const free = await tus.begin('late.pdf', PDF.length, { onConflict: 'refuse' })
    await upload(ana, PDF, 'late.pdf')
    expect((await tus.send(free, 0, PDF)).status).toBe(409)
    expect((await names(ana)).toSorted()).toEqual(['late', 'plan', 'plan (2)', 'plan (3)'])
  })
})

describe('a move to where the name is taken', () => {
  async function twoPlans() {
    const world = await aWorld()
    const target = await folder(world.ana, 'Target')
    const moved = await upload(world.ana, PDF, 'plan.pdf')
    const other = await upload(world.ana, PDF, 'plan.pdf', { parentFolderId: target.id })
    return { ...world, target, moved: moved.body, other: other.body }
  }
  const move = (who: Caller, ids: readonly number[], parentFolderId: number, choices?: unknown) =>
    who.post('/sfs/move', { ids, parentFolderId, ...(choices ? { choices } : {}) })

  test('keeps both, by the next free number', async () => {
    const { ana, target, moved, other } = await twoPlans()
    expect((await move(ana, [moved.id], target.id)).status).toBe(409)
    const { status, body } = await move(ana, [moved.id], target.id, [{ id: moved.id, choice: 'keepBoth' }])
    expect([status, body[0].name, body[0].parentFolderId]).toEqual([200, 'plan (2)', target.id])
    expect(await verbs(ana, moved.id)).toEqual(['added', 'moved', 'renamed'])
    expect((await ana.get(`/sfs/item/${other.id}`)).body.name).toBe('plan')
  })

  test('replaces a file, which can be restored from the trash', async () => {
    const { ana, target, moved, other } = await twoPlans()
    const { status } = await move(ana, [moved.id], target.id, [{ id: moved.id, choice: 'replace' }])
    expect(status).toBe(200)
    expect((await ana.get(`/sfs/item/${other.id}`)).status).toBe(404)
    expect(await verbs(ana, other.id)).toEqual(['added', 'deleted'])
    expect((await ana.get('/sfs/trash')).body.map(({ id }: { id: number }) => id)).toEqual([other.id])
  })

  test('replaces nothing of others, nothing on legal hold and no folder', async () => {
    const { admin, ana, bo, target, other } = await twoPlans()
    const replace = (id: number) => [{ id, choice: 'replace' }]
    const theirs = await upload(bo, PDF, 'plan.pdf', { parentFolderId: (await folder(bo, 'Bos')).id })
    expect(await move(bo, [theirs.body.id], target.id, replace(theirs.body.id))).toMatchObject({
      status: 409,
      body: { fields: { name: NAME_TAKEN } },
    })
    await admin.put(`/sfs/item/${other.id}/hold`, { isOnHold: true })
    const again = await upload(ana, PDF, 'plan.pdf', { parentFolderId: (await folder(ana, 'Anas')).id })
    expect(await move(ana, [again.body.id], target.id, replace(again.body.id))).toMatchObject({
      status: 409,
      body: { message: ON_LEGAL_HOLD },
    })
    const [one, two] = [await folder(ana, 'Inner'), await folder(ana, 'Outer')]
    await folder(ana, 'Inner', { parentFolderId: two.id })
    expect((await move(ana, [one.id], two.id, replace(one.id))).status).toBe(409)
    const both = await move(ana, [one.id], two.id, [{ id: one.id, choice: 'keepBoth' }])
    expect(both.body[0].name).toBe('Inner (2)')
  })

  test('tells apart items of the same name that are moved together', async () => {
    const { ana } = await aWorld()
    const [one, two, target] = [
      await folder(ana, 'One'),
      await folder(ana, 'Two'),
      await folder(ana, 'Target'),
    ]
    const ids = [
      (await upload(ana, PDF, 'plan.pdf', { parentFolderId: one.id })).body.id,
      (await upload(ana, PDF, 'plan.pdf', { parentFolderId: two.id })).body.id,
      (await upload(ana, PDF, 'plan (2).pdf', { parentFolderId: two.id })).body.id,
    ]
    const choices = ids.map((id) => ({ id, choice: 'keepBoth' }))
    expect((await move(ana, ids, target.id, choices)).status).toBe(200)
    expect((await names(ana, target.id)).toSorted()).toEqual(['plan', 'plan (2)', 'plan (2) (2)'])
  })
})
