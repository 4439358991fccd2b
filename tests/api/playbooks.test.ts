import { sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'

import type { OpenedPlaybook, PlaybookVersionContent } from '#contract/playbooks/schema.ts'
import { DAY, MINUTE } from '#server/kit/core/clock.ts'
import { remindAll } from '#server/playbooks/reviews.flows.ts'
import { filesFor } from '#tests/support/attachments.ts'
import { PDF, PNG } from '#tests/support/files.ts'
import { HEADING, madePlaybook, PLAYBOOK, PLAYBOOKS, TASK } from '#tests/support/playbooks.ts'
import { type Caller, type Organisation, startTestServer } from '#tests/support/server.ts'
import { later } from '#tests/support/sign-in.ts'

const muster = await startTestServer()
const { anOrganisation, aUser, inside, send, services, signedInAs } = muster
const { upload, download, listed } = filesFor(muster)
afterEach(() => vi.restoreAllMocks())

const aTeam = async (config: Parameters<typeof anOrganisation>[0] = {}) => {
  const org = await anOrganisation({ playbookMaxTemplates: 20, ...config })
  return { org, planner: await signedInAs(org, 'PLAYBOOK_MANAGER'), user: await signedInAs(org) }
}
const headings = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ type: 'HEADING', title: `Hour ${n}` }))
const eventsOf = (org: Organisation, noun: string) =>
  inside(org, (db) =>
    db.selectFrom('events').selectAll().where('noun', '=', noun).orderBy('sequence').execute(),
  )
const countOf = async (caller: Caller): Promise<number> => (await caller.get(PLAYBOOKS)).body.length
const attach = async (planner: Caller, { id }: { id: string }, name = 'plan.pdf') => {
  const { status, body } = await upload(planner, id, name.endsWith('pdf') ? PDF : PNG, name, 'PLAYBOOK')
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { id: string }
}
/** Saves a playbook with changes. */
const save = (planner: Caller, { id, name, activities, version }: OpenedPlaybook, changes: object = {}) =>
  planner.put(`${PLAYBOOK}/${id}`, { name, activities, version, ...changes })
const today = (days = 0) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)

describe('a playbook', () => {
  test('keeps its headings and tasks in their order', async () => {
    const { planner, user } = await aTeam()
    const playbook = await madePlaybook(planner, { description: 'Water in the hall.' })
    expect(playbook).toMatchObject({
      name: 'Flood',
      categoryId: null,
      description: 'Water in the hall.',
      attachmentsFolderId: playbook.id,
      activitiesCount: 2,
      tasksCount: 1,
      usesCount: 0,
      createdBy: planner.email,
      updatedBy: planner.email,
      owner: null,
      reviewDate: null,
      sharedBy: null,
      version: 1,
      activities: [
        { ...HEADING, description: '', index: 0 },
        { ...TASK, type: 'TASK', priority: 'MEDIUM', idealTitleToExecute: null, index: 1 },
      ],
      people: [{ email: planner.email }],
    })
    expect((await user.get(`${PLAYBOOK}/${playbook.id}`)).body).toEqual(playbook)
    const { people: _, start: __, ...whole } = playbook
    expect((await user.get(PLAYBOOKS)).body).toEqual([whole])
  })

  test('keeps the text and the level of a heading, and is found by it', async () => {
    const { planner } = await aTeam()
    const heading = { ...HEADING, description: 'Nobody enters the Heizungskeller.', level: 3 }
    const { id, activities } = await madePlaybook(planner, { activities: [heading, { ...TASK, level: 4 }] })
    expect(activities).toMatchObject([heading, { ...TASK, level: 1 }])
    const search = `filter=${encodeURIComponent(JSON.stringify({ q: 'heizungskeller' }))}`
    expect((await planner.get(`${PLAYBOOKS}?${search}`)).body).toMatchObject([{ id }])
    const deep = await planner.post(PLAYBOOK, { name: 'Deep', activities: [{ ...heading, level: 6 }] })
    expect([deep.status, Object.keys(deep.body.fields)]).toEqual([400, ['activities.0.level']])
  })

  test('keeps everything of a task', async () => {
    const { planner } = await aTeam()
    const task = { ...TASK, priority: 'HIGH', idealTitleToExecute: 'Fitter', expectedTimeToComplete: 90 }
    const { activities } = await madePlaybook(planner, { activities: [task] })
    expect(activities).toMatchObject([task])
  })

  const title = 'Title cannot be empty.'
  const tooLong = (max: number) => `Maximum length of ${max} characters exceeded.`
  test.each<[string, object, object]>([
    ['no name', { name: ' ' }, { name: 'Playbook name is required.' }],
    ['a long name', { name: 'x'.repeat(256) }, { name: tooLong(255) }],
    ['a long description', { description: 'x'.repeat(1_001) }, { description: tooLong(1_000) }],
    ['no items', { activities: [] }, { activities: 'Please include at least one heading or task.' }],
    [
      'missing items',
      { activities: undefined },
      { activities: 'Please include at least one heading or task.' },
    ],
    ['a task without a title', { activities: [{ ...TASK, title: '  ' }] }, { 'activities.0.title': title }],
    [
      'a task without a description',
      { activities: [HEADING, { ...TASK, description: '' }] },
      { 'activities.1.description': 'Description cannot be empty.' },
    ],
    [
      'an empty heading',
      { activities: [{ type: 'HEADING', title: '' }] },
      { 'activities.0.title': 'Heading cannot be empty.' },
    ],
    [
      'a long ideal title',
      { activities: [{ ...TASK, idealTitleToExecute: 'x'.repeat(256) }] },
      { 'activities.0.idealTitleToExecute': tooLong(255) },
    ],
    [
      'a category of nobody',
      { categoryId: '00000000-0000-4000-8000-000000000000' },
      { categoryId: 'This category does not exist.' },
    ],
    ['an owner of nobody', { owner: 'nobody@example.org' }, { owner: 'This is not an active user.' }],
    ['a date that is none', { reviewDate: '2026-02-30' }, { reviewDate: 'Please enter a valid date.' }],
    [
      'a file of nobody',
      { activities: [{ ...TASK, attachedFileIds: ['00000000-0000-4000-8000-000000000000'] }] },
      { 'activities.0.attachedFileIds.0': 'This file does not belong to the playbook.' },
    ],
  ])('is refused with %s', async (_, given, fields) => {
    const { planner } = await aTeam()
    const { status, body } = await planner.post(PLAYBOOK, { name: 'Flood', activities: [TASK], ...given })
    expect([status, body.fields]).toEqual([400, fields])
    expect(await countOf(planner)).toBe(0)
  })

  test.each([
    ['an unknown priority', { priority: 'URGENT' }],
    ['an unknown type', { type: 'CHAPTER' }],
    ['half a minute', { expectedTimeToComplete: 0.5 }],
    ['a NUL', { description: 'a\u0000b' }],
    ['half a character', { description: '\uD800' }],
    ['an object for a title', { title: { $ne: '' } }],
  ])('is refused with %s in a task', async (_, given) => {
    const { planner } = await aTeam()
    const reply = await planner.post(PLAYBOOK, { name: 'Flood', activities: [{ ...TASK, ...given }] })
    expect(reply.status).toBe(400)
    expect(Object.keys(reply.body.fields)[0]).toMatch(/^activities\.0/)
  })

  test('keeps hostile words as words', async () => {
    const { planner } = await aTeam()
    const words = `'); drop table playbooks; -- <script>alert(1)</script> =1+1 ../../etc %_\\ \u202e`
    const { id } = await madePlaybook(planner, {
      name: words,
      description: words,
      activities: [{ title: words, description: words }],
    })
    const { body } = await planner.get(`${PLAYBOOK}/${id}`)
    expect(body).toMatchObject({ name: words.trim(), description: words })
    expect(body.activities[0]).toMatchObject({ title: words.trim(), description: words })
    const found = async (q: string) =>
      (await planner.get(`${PLAYBOOKS}?filter=${encodeURIComponent(JSON.stringify({ q }))}`)).body.length
    // A search matches words and prefixes; operators and quotes have no meaning.
    expect(
      await Promise.all(['<SCRIPT>', 'dro tabl', "'etc':* & 'passwd'", 'etc | passwd', '%', "')"].map(found)),
    ).toEqual([1, 1, 0, 0, 0, 0])
  })

  test('is not among those of another organisation', async () => {
    const { planner } = await aTeam()
    const { id } = await madePlaybook(planner)
    const stranger = await signedInAs(await anOrganisation(), 'ADMIN')
    expect((await stranger.get(`${PLAYBOOK}/${id}`)).status).toBe(404)
    expect(await countOf(stranger)).toBe(0)
  })

  test('is read by all roles and by keys, and written by planners', async () => {
    const { org, planner, user } = await aTeam()
    const admin = await signedInAs(org, 'ADMIN')
    const { id } = await madePlaybook(planner)
    const { key } = (await admin.post('/apiManagement/credentials', { name: 'Wall display' })).body
    expect((await send('GET', `${PLAYBOOK}/${id}`, { headers: { 'X-Api-Key': key } })).status).toBe(200)
    for (const reader of [user, await signedInAs(org, 'BUSINESS_USER')]) {
      expect((await reader.get(`${PLAYBOOK}/${id}`)).status).toBe(200)
      expect((await reader.post(PLAYBOOK, { name: 'Fire', activities: [TASK] })).status).toBe(403)
      expect((await reader.put(`${PLAYBOOK}/${id}`, { name: 'Fire', activities: [TASK] })).status).toBe(403)
      expect((await reader.delete(`${PLAYBOOK}/${id}`)).status).toBe(403)
      expect((await reader.put(`${PLAYBOOK}/${id}/editing/${crypto.randomUUID()}`)).status).toBe(403)
    }
    const guest = await signedInAs(org, 'USER', { type: 'EXTERNAL' })
    expect((await guest.get(PLAYBOOKS)).status).toBe(403)
    expect((await admin.put(`${PLAYBOOK}/${id}`, { name: 'Fire', activities: [TASK] })).status).toBe(200)
  })

  test('is hidden from external people by the database itself', async () => {
    const { org, planner } = await aTeam()
    await madePlaybook(planner)
    const guest = await aUser(org, { type: 'EXTERNAL' })
    const seen = await inside(org, async (db) => {
      await sql`set local role muster_external; set local app.viewer = ${sql.raw(`'${guest.uuid}'`)}`.execute(
        db,
      )
      return (await sql`select from playbooks`.execute(db)).rows.length
    })
    expect(seen).toBe(0)
  })
})

describe('limits', () => {
  test('a playbook holds as many headings and tasks as are configured', async () => {
    const { planner } = await aTeam({ maxActivitiesPerPlaybook: 3 })
    const { status, body } = await planner.post(PLAYBOOK, { name: 'Flood', activities: headings(4) })
    const sentence = 'The number of headings/tasks has exceeded the maximum of 3.'
    expect([status, body.message, body.fields]).toEqual([400, sentence, { activities: sentence }])
    const playbook = await madePlaybook(planner, { activities: headings(3) })
    const more = [...playbook.activities, HEADING]
    expect((await save(planner, playbook, { activities: more })).body.fields).toEqual({
      activities: sentence,
    })
  })

  test('the default is 150 of them, and three playbooks', async () => {
    const planner = await signedInAs(await anOrganisation(), 'PLAYBOOK_MANAGER')
    expect((await planner.post(PLAYBOOK, { name: 'Flood', activities: headings(151) })).status).toBe(400)
    for (let n = 0; n < 3; n += 1) await madePlaybook(planner, { activities: headings(150) })
    const { status, body } = await planner.post(PLAYBOOK, { name: 'Flood', activities: [TASK] })
    expect([status, body.message]).toEqual([403, 'Maximum playbooks created.'])
    const [{ id }] = (await planner.get(PLAYBOOKS)).body
    const clone = { name: 'Clone', activities: [TASK], attachmentsFolderIdForDuplication: id }
    expect((await planner.post(PLAYBOOK, clone)).status).toBe(403)
    await planner.delete(`${PLAYBOOK}/${id}`)
    expect((await planner.post(PLAYBOOK, clone)).status).toBe(404)
    await madePlaybook(planner)
  })

  test('two at once do not pass the limit', async () => {
    const { planner } = await aTeam({ playbookMaxTemplates: 1 })
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => planner.post(PLAYBOOK, { name: 'Flood', activities: [TASK] })),
    )
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 403, 403, 403, 403])
    expect(await countOf(planner)).toBe(1)
  })

  test('a list of items without end costs one sentence', async () => {
    const { planner } = await aTeam({ maxActivitiesPerPlaybook: 1_000 })
    const { status, body } = await planner.post(PLAYBOOK, { name: 'x', activities: Array(10_001).fill(7) })
    expect([status, Object.keys(body.fields)]).toEqual([400, ['activities']])
  })
})

describe('saving', () => {
  test('counts the saves, and an equal one is none', async () => {
    const { org, planner } = await aTeam()
    const playbook = await madePlaybook(planner, { owner: planner.email, reviewDate: '2031-05-01' })
    const before = (await eventsOf(org, 'playbooks')).length
    expect((await save(planner, playbook)).body).toEqual(playbook)
    expect(await eventsOf(org, 'playbooks')).toHaveLength(before)
    const turned = playbook.activities.toReversed()
    const { body } = await save(planner, playbook, { activities: turned })
    expect(body).toMatchObject({ version: 2, owner: planner.email, reviewDate: '2031-05-01' })
    const items: OpenedPlaybook['activities'] = body.activities
    expect(items.map(({ id, index }) => [id, index])).toEqual(turned.map(({ id }, n) => [id, n]))
    expect(Date.parse(body.updateTimestamp)).toBeGreaterThanOrEqual(Date.parse(playbook.updateTimestamp))
  })

  test('is refused where somebody saved meanwhile, and nothing is lost', async () => {
    const { org, planner } = await aTeam()
    const other = await signedInAs(org, 'ADMIN')
    const playbook = await madePlaybook(planner)
    await save(other, playbook, { name: 'Theirs' })
    const { status, body } = await save(planner, playbook, { name: 'Mine' })
    expect([status, body.code]).toEqual([409, 'stale'])
    expect(body.message).toContain(other.email)
    const move = await planner.patch(`${PLAYBOOK}/${playbook.id}/category`, { categoryId: null, version: 1 })
    expect(move.status).toBe(409)
    expect((await planner.get(`${PLAYBOOK}/${playbook.id}`)).body).toMatchObject({
      name: 'Theirs',
      version: 2,
    })
  })

  test('gives each item an id of its own, and keeps those that the playbook has', async () => {
    const { planner } = await aTeam()
    const [ours, theirs] = [await madePlaybook(planner), await madePlaybook(planner)]
    const [known, foreign] = [ours.activities[0]!.id, theirs.activities[0]!.id]
    const sent = [known, known, foreign, crypto.randomUUID(), undefined].map((id) => ({ ...HEADING, id }))
    const { body } = await save(planner, ours, { activities: sent })
    const ids = (body as OpenedPlaybook).activities.map(({ id }) => id)
    expect(ids[0]).toBe(known)
    expect(new Set([...ids, foreign, sent[3]!.id]).size).toBe(7)
  })

  test('tells in the log what was added, changed, moved and removed', async () => {
    const { org, planner } = await aTeam()
    const playbook = await madePlaybook(planner, {
      activities: [TASK, { ...TASK, title: 'Call' }, HEADING],
    })
    const [valve, call, heading] = playbook.activities
    const activities = [heading, { ...valve, priority: 'HIGH' }, { ...TASK, title: 'Pump' }]
    await save(planner, playbook, { name: 'Flood 2', activities })
    expect(call!.title).toBe('Call')
    expect((await eventsOf(org, 'playbooks')).at(-1)).toMatchObject({
      verb: 'updated',
      actor: { name: planner.email },
      changes: {
        name: { from: 'Flood', to: 'Flood 2' },
        itemsAdded: { to: 'Pump' },
        itemsRemoved: { from: 'Call' },
        itemsChanged: { to: 'Close the valve' },
        itemsMoved: { to: true },
      },
    })
  })

  test('takes an owner who is active and of the organisation, and keeps them', async () => {
    const { org, planner, user } = await aTeam()
    const [gone, guest] = [await aUser(org, { active: false }), await aUser(org, { type: 'EXTERNAL' })]
    const playbook = await madePlaybook(planner, { owner: user.email.toUpperCase() })
    expect(playbook.owner).toBe(user.email)
    for (const { email } of [gone, guest])
      expect((await save(planner, playbook, { owner: email })).body.fields).toEqual({
        owner: 'This is not an active user.',
      })
    await inside(org, (db) =>
      db.updateTable('users').set({ active: false }).where('id', '=', user.uuid).execute(),
    )
    // An owner who was archived does not block a save.
    const kept = await save(planner, playbook, { name: 'Fire', owner: user.email })
    expect([kept.status, kept.body.owner]).toEqual([200, user.email])
    expect((await save(planner, kept.body, { owner: null })).body.owner).toBeNull()
  })
})

describe('versions', () => {
  test('keep what each save left, and bring it back', async () => {
    const { org, planner, user } = await aTeam()
    const first = await madePlaybook(planner, { description: 'Brief' })
    const file = await attach(planner, first)
    const withFile = first.activities.map((item) => ({
      ...item,
      attachedFileIds: item.type === 'TASK' ? [file.id] : [],
    }))
    const second = (await save(planner, first, { activities: withFile })).body as OpenedPlaybook
    await planner.delete(`/fa/${file.id}`)
    const third = await save(planner, second, { name: 'Other', activities: [HEADING] })
    expect(third.body.version).toBe(3)

    const path = `${PLAYBOOK}/${first.id}/versions`
    expect((await user.get(path)).body).toMatchObject([{ version: 3 }, { version: 2 }, { version: 1 }])
    const page = await user.get(`${path}?range=[0,0]`)
    expect([page.body, page.headers.get('content-range')]).toMatchObject([[{ version: 3 }], 'items 0-0/3'])
    const kept = (await user.get(`${path}/2`)).body as PlaybookVersionContent
    expect(kept).toMatchObject({
      savedBy: planner.email,
      restoredFrom: null,
      fileNames: { [file.id]: 'plan.pdf' },
    })
    expect(kept.content.activities).toEqual(second.activities)

    expect((await user.post(`${path}/2/restore`, {})).status).toBe(403)
    expect((await planner.post(`${path}/2/restore`, { version: 2 })).status).toBe(409)
    const restored = await planner.post(`${path}/2/restore`, { version: 3 })
    expect(restored.body).toMatchObject({ version: 4, name: 'Flood', description: '' })
    // The file is deleted, so no task refers to it.
    expect(restored.body.activities).toEqual(first.activities)
    expect((await user.get(path)).body[0]).toMatchObject({ version: 4, restoredFrom: 2 })
    expect((await eventsOf(org, 'playbooks')).at(-1)).toMatchObject({
      verb: 'restored',
      changes: { restoredFrom: { to: 2 } },
    })
  })

  test('are restored without a category that is gone, and not beyond a limit', async () => {
    const { org, planner } = await aTeam()
    const category = (await planner.post('/playbook/category', { name: 'Cyber' })).body
    const playbook = await madePlaybook(planner, { categoryId: category.id, activities: headings(5) })
    await save(planner, playbook, { activities: headings(1) })
    await planner.delete(`/playbook/category/${category.id}`)
    const restore = () => planner.post(`${PLAYBOOK}/${playbook.id}/versions/1/restore`, {})
    const restored = await restore()
    expect(restored.body).toMatchObject({ categoryId: null, activitiesCount: 5 })
    await services.database.directory
      .updateTable('organisations')
      .set({ config: sql`config || '{"maxActivitiesPerPlaybook": 2}'` })
      .where('id', '=', org.id)
      .execute()
    await save(planner, restored.body, { activities: headings(2) })
    expect((await restore()).body.fields).toEqual({
      activities: 'The number of headings/tasks has exceeded the maximum of 2.',
    })
    for (const version of ['0', '99', 'x', '1.5'])
      expect([400, 404]).toContain(
        (await planner.get(`${PLAYBOOK}/${playbook.id}/versions/${version}`)).status,
      )
  })
})

describe('files', () => {
  test('of tasks are those of the playbook, and a deleted one is forgotten', async () => {
    const { planner } = await aTeam()
    const [playbook, other] = [await madePlaybook(planner), await madePlaybook(planner)]
    const [plan, map, foreign] = [
      await attach(planner, playbook),
      await attach(planner, playbook, 'map.png'),
      await attach(planner, other),
    ]
    const withFiles = (ids: string[]) => [{ ...playbook.activities[1], attachedFileIds: ids }]
    const refused = await save(planner, playbook, { activities: withFiles([plan.id, foreign.id]) })
    expect(refused.body.fields).toEqual({
      'activities.0.attachedFileIds.1': 'This file does not belong to the playbook.',
    })
    const { body } = await save(planner, playbook, { activities: withFiles([plan.id, map.id, plan.id]) })
    expect(body.activities[0].attachedFileIds).toEqual([plan.id, map.id])
    await planner.delete(`/fa/${plan.id}`)
    const opened = (await planner.get(`${PLAYBOOK}/${playbook.id}`)).body
    expect(opened.activities[0].attachedFileIds).toEqual([map.id])
    // An open editor still refers to the deleted file.
    expect((await save(planner, body)).status).toBe(200)
  })

  test('are none of a new one: a reference to a file that it has not got is refused at its field', async () => {
    const { planner } = await aTeam()
    const playbook = await madePlaybook(planner)
    const file = await attach(planner, playbook)
    const before = await countOf(planner)
    const create = (more: object) =>
      planner.post(PLAYBOOK, {
        name: 'Flood, again',
        activities: [{ ...TASK, attachedFileIds: [file.id] }],
        ...more,
      })
    const empty = await madePlaybook(planner)
    for (const more of [{}, { attachmentsFolderIdForDuplication: empty.attachmentsFolderId }]) {
      const { status, body } = await create(more)
      expect([status, body.fields]).toEqual([
        400,
        { 'activities.0.attachedFileIds.0': 'This file does not belong to the playbook.' },
      ])
    }
    expect(await countOf(planner)).toBe(before + 1)
  })

  test('of a clone are copies, which its tasks refer to', async () => {
    const { planner } = await aTeam()
    const playbook = await madePlaybook(planner)
    const file = await attach(planner, playbook)
    const activities = playbook.activities.map((item) => ({
      ...item,
      attachedFileIds: item.type === 'TASK' ? [file.id] : [],
    }))
    await save(planner, playbook, { activities })
    const clone = await madePlaybook(planner, {
      name: 'Flood, clone',
      activities,
      attachmentsFolderIdForDuplication: playbook.attachmentsFolderId,
    })
    const [copy, ...more] = await listed(planner, clone.id, 'PLAYBOOK')
    expect(more).toEqual([])
    expect(copy!.id).not.toBe(file.id)
    expect(clone.activities[1]!.attachedFileIds).toEqual([copy!.id])
    const ids = [...playbook.activities, ...clone.activities].map(({ id }) => id)
    expect(new Set(ids).size).toBe(4)
    await planner.delete(`${PLAYBOOK}/${playbook.id}`)
    expect((await download(planner, file.id)).status).toBe(404)
    expect((await download(planner, copy!.id)).bytes.equals(PDF)).toBe(true)
  })

  test('of another organisation are not copied', async () => {
    const [{ planner }, other] = [await aTeam(), await aTeam()]
    const theirs = await madePlaybook(other.planner)
    await attach(other.planner, theirs)
    const body = { name: 'Ours', activities: [TASK], attachmentsFolderIdForDuplication: theirs.id }
    expect((await planner.post(PLAYBOOK, body)).status).toBe(404)
    expect(await countOf(planner)).toBe(0)
  })

  test('and versions go with their playbook', async () => {
    const { org, planner } = await aTeam()
    const playbook = await madePlaybook(planner)
    await attach(planner, playbook)
    await planner.put(`${PLAYBOOK}/${playbook.id}/editing/${crypto.randomUUID()}`)
    expect((await planner.delete(`${PLAYBOOK}/${playbook.id}`)).status).toBe(204)
    expect((await planner.get(`${PLAYBOOK}/${playbook.id}`)).status).toBe(404)
    expect((await planner.delete(`${PLAYBOOK}/${playbook.id}`)).status).toBe(404)
    expect((await planner.delete(`/playbook/bin/${playbook.id}`)).status).toBe(204)
    const left: number[] = []
    for (const table of ['playbook_versions', 'playbook_editors', 'attachments', 'blobs'] as const)
      left.push((await inside(org, (db) => db.selectFrom(table).selectAll().execute())).length)
    expect(left).toEqual([0, 0, 0, 0])
    expect((await eventsOf(org, 'playbooks')).at(-1)).toMatchObject({
      verb: 'deleted for good',
      changes: { name: { from: 'Flood', to: null } },
    })
  })
})

describe('the list', () => {
  const list = async (who: Caller, query: Record<string, unknown>) => {
    const search = new URLSearchParams(
      Object.entries(query).map(([key, value]) => [key, JSON.stringify(value)]),
    )
    const { status, body, headers } = await who.get(`${PLAYBOOKS}?${search.toString()}`)
    return { status, body: body as OpenedPlaybook[], range: headers.get('content-range') }
  }
  const names = async (who: Caller, query: Record<string, unknown>) =>
    (await list(who, query)).body.map(({ name }) => name)

  test('is sorted, searched, filtered and paged by the server', async () => {
    const { planner, user } = await aTeam()
    const category = (await planner.post('/playbook/category', { name: 'Cyber' })).body
    await madePlaybook(planner, { name: 'Écran', categoryId: category.id, reviewDate: today(-3) })
    await madePlaybook(planner, { name: 'flood', description: 'Pumps', reviewDate: today(30) })
    await madePlaybook(planner, {
      name: 'Arson',
      activities: [{ ...TASK, description: 'Ring the Bürgeramt' }],
    })
    expect(await names(user, {})).toEqual(['Arson', 'Écran', 'flood'])
    expect(await names(user, { sort: ['name', 'DESC'] })).toEqual(['flood', 'Écran', 'Arson'])
    expect(await names(user, { sort: ['reviewDate', 'ASC'] })).toEqual(['Écran', 'flood', 'Arson'])
    expect(await names(user, { sort: ['reviewDate', 'DESC'] })).toEqual(['flood', 'Écran', 'Arson'])
    expect((await list(user, { sort: ['updateTimestamp', 'DESC'] })).body[0]!.name).toBe('Arson')
    expect(await names(user, { filter: { q: 'ecran' } })).toEqual(['Écran'])
    expect(await names(user, { filter: { q: 'PUMPS flo' } })).toEqual(['flood'])
    expect(await names(user, { filter: { q: 'burgeramt' } })).toEqual(['Arson'])
    expect(await names(user, { filter: { categoryId: category.id } })).toEqual(['Écran'])
    expect(await names(user, { filter: { categoryId: null } })).toEqual(['Arson', 'flood'])
    expect(await names(user, { filter: { reviewDue: true } })).toEqual(['Écran'])
    expect(await names(user, { filter: { reviewDue: false } })).toEqual(['Arson', 'flood'])
    const page = await list(user, { range: [1, 1] })
    expect([page.range, page.body.map(({ name }) => name)]).toEqual(['items 1-1/3', ['Écran']])
    // Pages leave headings and tasks out; the whole list includes them.
    expect(page.body[0]).not.toHaveProperty('activities')
    expect((await list(user, {})).body[0]!.activities).toHaveLength(1)
    expect((await list(user, { sort: ['createdBy', 'ASC'] })).status).toBe(400)
    expect((await list(user, { filter: { categoryId: "' or 1" } })).status).toBe(400)
  })

  test('has numbers in names in their order, also with zeros before them and of any length', async () => {
    const { planner, user } = await aTeam()
    const inOrder = [
      'Pier 2',
      'Pier 02 b',
      'Pier 10',
      'Pier 10.2',
      'Pier 10.11',
      'Pier A',
      `Quay ${'9'.repeat(40)}`,
    ]
    for (const name of inOrder.toReversed()) {
      await madePlaybook(planner, { name })
      expect((await planner.post('/playbook/category', { name })).status).toBe(201)
    }
    expect(await names(user, {})).toEqual(inOrder)
    const categories = (await user.get('/playbook/categories')).body as { name: string }[]
    expect(categories.map(({ name }) => name)).toEqual(inOrder)
  })
})

describe('editing', () => {
  const editing = async (who: Caller, id: string, editor: string) => {
    const { status, body } = await who.put(`${PLAYBOOK}/${id}/editing/${editor}`)
    expect(status).toBe(200)
    return body.editors as { email: string; name: string; sinceTimestamp: string }[]
  }
  test('is known to the others until it ends or falls silent', async () => {
    const { org, planner } = await aTeam()
    const other = await signedInAs(org, 'ADMIN', { firstName: 'Bo', lastName: 'Lee' })
    const { id } = await madePlaybook(planner)
    const [mine, second, theirs] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
    expect(await editing(planner, id, mine)).toEqual([])
    expect(await editing(planner, id, second)).toEqual([])
    expect(await editing(other, id, theirs)).toMatchObject([{ email: planner.email }])
    expect(await editing(planner, id, mine)).toMatchObject([{ email: other.email, name: 'Bo Lee' }])
    // Heartbeats are no events: each editor was opened once.
    expect((await eventsOf(org, 'playbook-editors')).map(({ verb, parent }) => [verb, parent])).toEqual([
      ['opened', id],
      ['opened', id],
      ['opened', id],
    ])
    // One editor cannot end another person's.
    await planner.delete(`${PLAYBOOK}/${id}/editing/${theirs}`)
    expect(await editing(planner, id, mine)).toHaveLength(1)
    expect((await other.delete(`${PLAYBOOK}/${id}/editing/${theirs}`)).status).toBe(204)
    expect((await other.delete(`${PLAYBOOK}/${id}/editing/${theirs}`)).status).toBe(204)
    expect(await editing(planner, id, mine)).toEqual([])
    await editing(other, id, theirs)
    later(2 * MINUTE)
    expect(await editing(planner, id, mine)).toEqual([])
  })
})

describe('a review', () => {
  const remindersOf = async (who: Caller) =>
    (await who.get('/notifications')).body.data.map(
      ({ title, details, playbookId }: Record<string, string>) => [title, details, playbookId],
    )
  test('is said once to the owner when its day has come', async () => {
    const { org, planner, user } = await aTeam()
    const due = await madePlaybook(planner, { name: 'Flood', owner: user.email, reviewDate: today() })
    await madePlaybook(planner, { owner: user.email, reviewDate: today(2) })
    await madePlaybook(planner, { reviewDate: today(-1) })
    await remindAll(services)
    await remindAll(services)
    const line = ['A playbook of yours is due for review', 'Flood', due.id]
    expect(await remindersOf(user)).toEqual([line])
    const mails = await inside(org, (db) =>
      db.selectFrom('messages').select(['recipient', 'subject', 'text']).execute(),
    )
    expect(mails).toMatchObject([{ recipient: user.email, subject: `${line[0]}: Flood` }])
    expect(mails[0]!.text).toContain(`/playbooks/${due.id}`)
    // A new review date causes a new reminder.
    await save(planner, due, { reviewDate: today(-1) })
    await remindAll(services)
    expect(await remindersOf(user)).toEqual([line, line])
  })

  test('is not said to somebody who is archived, nor where playbooks are off', async () => {
    const { org, planner, user } = await aTeam()
    await madePlaybook(planner, { owner: user.email, reviewDate: today(-1) })
    await inside(org, (db) =>
      db.updateTable('users').set({ active: false }).where('id', '=', user.uuid).execute(),
    )
    const off = await aTeam()
    await madePlaybook(off.planner, { owner: off.user.email, reviewDate: today(-1) })
    await services.database.directory
      .updateTable('organisations')
      .set({ config: sql`config || '{"playbookEnabled": false}'` })
      .where('id', '=', off.org.id)
      .execute()
    await remindAll(services)
    for (const { id } of [org, off.org]) {
      const sent = await inside({ id, code: '' }, (db) =>
        db.selectFrom('notifications').select('id').execute(),
      )
      expect(sent).toEqual([])
    }
  })
})
