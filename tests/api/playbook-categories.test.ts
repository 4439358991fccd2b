import { describe, expect, test } from 'vitest'

import { madePlaybook, PLAYBOOK } from '#tests/support/playbooks.ts'
import { type Organisation, startTestServer } from '#tests/support/server.ts'

const { anOrganisation, inside, signedInAs } = await startTestServer()

const CATEGORY = '/playbook/category'
const CATEGORIES = '/playbook/categories'
const aTeam = async () => {
  const org = await anOrganisation({ playbookMaxTemplates: 10 })
  return { org, planner: await signedInAs(org, 'PLAYBOOK_MANAGER'), user: await signedInAs(org) }
}
const eventsOf = (org: Organisation) =>
  inside(org, (db) =>
    db
      .selectFrom('events')
      .select(['verb', 'changes'])
      .where('noun', '=', 'playbook-categories')
      .orderBy('sequence')
      .execute(),
  )

describe('a category', () => {
  test('has a trimmed name and its playbooks', async () => {
    const { planner, user } = await aTeam()
    const { status, body } = await planner.post(CATEGORY, { name: ' abc ' })
    expect([status, body]).toMatchObject([
      201,
      { name: 'abc', categoryName: 'abc', playbooksCount: 0, version: 1 },
    ])
    await madePlaybook(planner, { name: 'Second', categoryId: body.id })
    const first = await madePlaybook(planner, { name: 'First', categoryId: body.id })
    await madePlaybook(planner, { name: 'Elsewhere' })
    const [category, ...more] = (await user.get(CATEGORIES)).body
    expect(more).toEqual([])
    expect(category).toMatchObject({ id: body.id, playbooksCount: 2 })
    expect(category.playbooks.map(({ name }: { name: string }) => name)).toEqual(['First', 'Second'])
    expect(category.playbooks[0]).toMatchObject({ id: first.id, categoryId: body.id })
    expect(category.playbooks[0]).not.toHaveProperty('activities')
    const [plain] = (await user.get(`${CATEGORIES}?withPlaybooks=false`)).body
    expect(plain).not.toHaveProperty('playbooks')
    expect(plain.playbooksCount).toBe(2)
  })

  test.each([
    ['short', ' ab ', 'The category name must have at least 3 characters.'],
    ['empty', '', 'The category name must have at least 3 characters.'],
    ['long', 'x'.repeat(256), 'Maximum length of 255 characters exceeded.'],
    ['not text', { $gt: '' }, 'The category name must have at least 3 characters.'],
  ])('is refused with a name that is %s', async (_, name, sentence) => {
    const { planner } = await aTeam()
    const { status, body } = await planner.post(CATEGORY, { name })
    expect([status, body.fields]).toEqual([400, { name: sentence }])
  })

  test('has a name that no other one has, regardless of case', async () => {
    const { planner } = await aTeam()
    const taken = [409, { name: 'This category name is already in use.' }]
    const cyber = (await planner.post(CATEGORY, { name: 'Cyber' })).body
    const same = await planner.post(CATEGORY, { name: 'cYBER' })
    expect([same.status, same.body.fields]).toEqual(taken)
    const other = (await planner.post(CATEGORY, { name: 'Weather' })).body
    const renamed = await planner.put(`${CATEGORY}/${other.id}`, { name: ' cyber ' })
    expect([renamed.status, renamed.body.fields]).toEqual(taken)
    // A category may change the case of its own name.
    expect((await planner.put(`${CATEGORY}/${cyber.id}`, { name: 'CYBER' })).body).toMatchObject({
      name: 'CYBER',
    })
    const replies = await Promise.all(
      ['Fire', 'fire', 'FIRE'].map((name) => planner.post(CATEGORY, { name })),
    )
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
    const stranger = await signedInAs(await anOrganisation(), 'ADMIN')
    expect((await stranger.post(CATEGORY, { name: 'Fire' })).status).toBe(201)
  })

  test('is renamed, unless somebody did so meanwhile', async () => {
    const { org, planner } = await aTeam()
    const { id } = (await planner.post(CATEGORY, { name: 'Cyber' })).body
    expect((await planner.put(`${CATEGORY}/${id}`, { name: 'Weather', version: 1 })).body.version).toBe(2)
    const late = await planner.put(`${CATEGORY}/${id}`, { name: 'Fire', version: 1 })
    expect([late.status, late.body.code]).toEqual([409, 'stale'])
    expect(await eventsOf(org)).toMatchObject([
      { verb: 'created' },
      { verb: 'updated', changes: { name: { from: 'Cyber', to: 'Weather' } } },
    ])
  })

  test('leaves its playbooks as Uncategorized when it is deleted, and their editors can still save', async () => {
    const { planner } = await aTeam()
    const { id } = (await planner.post(CATEGORY, { name: 'Cyber' })).body
    const playbook = await madePlaybook(planner, { categoryId: id })
    expect((await planner.delete(`${CATEGORY}/${id}`)).status).toBe(204)
    expect((await planner.get(CATEGORIES)).body).toEqual([])
    const left = (await planner.get(`${PLAYBOOK}/${playbook.id}`)).body
    expect(left).toEqual({ ...playbook, categoryId: null })
    const { name, activities, version } = playbook
    const saved = await planner.put(`${PLAYBOOK}/${playbook.id}`, { name: `${name}!`, activities, version })
    expect(saved.body).toMatchObject({ version: 2, categoryId: null })
    const stale = await planner.put(`${PLAYBOOK}/${playbook.id}`, { name, activities, categoryId: id })
    expect(stale.body.fields).toEqual({ categoryId: 'This category does not exist.' })
  })

  test('takes a playbook in as one of its saves', async () => {
    const { org, planner, user } = await aTeam()
    const { id } = (await planner.post(CATEGORY, { name: 'Cyber' })).body
    const playbook = await madePlaybook(planner)
    const path = `${PLAYBOOK}/${playbook.id}/category`
    expect((await user.patch(path, { categoryId: id })).status).toBe(403)
    expect((await planner.patch(path, { categoryId: id, version: 1 })).body).toMatchObject({
      categoryId: id,
      version: 2,
      activities: playbook.activities,
    })
    expect((await planner.patch(path, { categoryId: id, version: 2 })).body.version).toBe(2)
    const moves = await inside(org, (db) =>
      db.selectFrom('events').select('changes').where('verb', '=', 'moved').execute(),
    )
    expect(moves).toEqual([{ changes: { category: { from: null, to: 'Cyber' } } }])
    expect((await planner.patch(path, { categoryId: playbook.id })).body.fields).toEqual({
      categoryId: 'This category does not exist.',
    })
    expect((await planner.patch(path, {})).status).toBe(400)
  })

  test('is read by all and written by planners, of its own organisation', async () => {
    const { planner, user } = await aTeam()
    const { id } = (await planner.post(CATEGORY, { name: 'Cyber' })).body
    const stranger = await signedInAs(await anOrganisation(), 'ADMIN')
    const statuses = async (who: typeof user) => [
      (await who.get(CATEGORIES)).body.length,
      (await who.post(CATEGORY, { name: 'Fire' })).status,
      (await who.put(`${CATEGORY}/${id}`, { name: 'Fire' })).status,
      (await who.delete(`${CATEGORY}/${id}`)).status,
    ]
    expect(await statuses(user)).toEqual([1, 403, 403, 403])
    expect(await statuses(stranger)).toEqual([0, 201, 404, 404])
    const theirs = await stranger.post(PLAYBOOK, {
      name: 'x',
      categoryId: id,
      activities: [{ type: 'HEADING', title: 'x' }],
    })
    expect(theirs.body.fields).toEqual({ categoryId: 'This category does not exist.' })
    expect((await planner.get(CATEGORIES)).body).toMatchObject([{ id, name: 'Cyber', version: 1 }])
  })
})
