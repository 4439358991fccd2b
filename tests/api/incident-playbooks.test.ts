import { beforeEach, describe, expect, test } from 'vitest'

import type { IncidentPlaybook, TaskUse } from '#contract/incident-playbooks/schema.ts'
import type { Activity } from '#contract/incidents/schema.ts'
import { tasksOf } from '#contract/playbooks/rules.ts'
import type { OpenedPlaybook } from '#contract/playbooks/schema.ts'
import { filesFor } from '#tests/support/attachments.ts'
import { PDF } from '#tests/support/files.ts'
import { again, declared, NEW, resolve } from '#tests/support/incidents.ts'
import { type Caller, startTestServer } from '#tests/support/server.ts'

const muster = await startTestServer()
const { anOrganisation, signedInAs } = muster
const { upload, download, listed } = filesFor(muster)

const heading = (title: string) => ({ type: 'HEADING', title })
const task = (title: string, more: object = {}) => ({
  type: 'TASK',
  title,
  description: `${title}.`,
  ...more,
})
const ITEMS = [
  task('Look around'),
  heading('At once'),
  task('Close the doors', { priority: 'HIGH', idealTitleToExecute: 'Warden', expectedTimeToComplete: 5 }),
  heading('Then'),
  heading('Outside'),
  task('Count everybody'),
]
let [planner, user, playbook] = [] as unknown as [Caller, Caller, OpenedPlaybook]
const aPlaybook = async (given: object = {}): Promise<OpenedPlaybook> => {
  const { status, body } = await planner.post('/playbook/template', {
    name: 'Fire',
    description: 'Everybody out.',
    activities: ITEMS,
    ...given,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const saved = async (changes: object): Promise<OpenedPlaybook> => {
  const { status, body } = await planner.put(`/playbook/template/${playbook.id}`, { ...playbook, ...changes })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const taken = async (who: Caller, incident: { id: string }): Promise<IncidentPlaybook[]> =>
  (await who.get(`/incident/${incident.id}/playbooks`)).body
const add = (who: Caller, incident: { id: string }, given: object = {}) =>
  who.post(`/incident/${incident.id}/playbook`, { playbookId: playbook.id, ...given })
const steps = (activities: readonly Activity[]) =>
  activities.map(({ title, section }) => (section === null ? title : `${section}: ${title}`))

beforeEach(async () => {
  const organisation = await anOrganisation({ multiIncident: true, playbookMaxTemplates: 10 })
  planner = await signedInAs(organisation, 'PLAYBOOK_MANAGER')
  user = await signedInAs(organisation)
  playbook = await aPlaybook()
})

describe('an incident that begins with a playbook', () => {
  const begun = (given: object = {}) =>
    declared(user, {
      activityCreateRequests: tasksOf(playbook),
      attachmentsFolderIdForDuplication: playbook.attachmentsFolderId,
      playbookId: playbook.id,
      playbookVersion: playbook.version,
      ...given,
    })

  test('has the text of each heading with its tasks', async () => {
    playbook = await saved({
      activities: [
        heading('At once'),
        { ...heading('Inside'), level: 2, description: 'Mind the smoke.' },
        task('Look'),
      ],
    })
    const incident = await begun()
    expect(incident.activities).toMatchObject([
      { title: 'Look', section: 'At once › Inside', sectionDescription: 'Mind the smoke.' },
    ])
    expect(await declared(user)).toMatchObject({ activities: [] })
  })

  test('has every step in order, each under its heading', async () => {
    const incident = await begun()
    expect(steps(incident.activities)).toEqual([
      'Look around',
      'At once: Close the doors',
      'Then › Outside: Count everybody',
    ])
    expect(incident.activities[1]).toMatchObject({
      description: 'Close the doors.',
      priority: 'HIGH',
      idealTitleToExecute: 'Warden',
      expectedTimeToComplete: 5,
    })
    expect(await taken(user, incident)).toEqual([
      {
        id: expect.any(String),
        incidentId: incident.id,
        playbookId: playbook.id,
        name: 'Fire',
        version: 1,
        currentVersion: 1,
        tasksCount: 3,
        addedBy: user.email,
        addedTimestamp: incident.createTimestamp,
        notificationTemplateId: null,
        conditions: [],
      },
    ])
  })

  test('stays as it is when the playbook changes, and says so', async () => {
    const incident = await begun()
    playbook = await saved({ name: 'Fire and smoke', activities: playbook.activities.toReversed() })
    expect(steps((await again(user, incident)).activities)).toEqual(steps(incident.activities))
    expect(await taken(user, incident)).toMatchObject([{ name: 'Fire', version: 1, currentVersion: 2 }])
    expect((await planner.delete(`/playbook/template/${playbook.id}`)).status).toBe(204)
    expect(await taken(user, incident)).toMatchObject([
      { name: 'Fire', playbookId: null, currentVersion: null },
    ])
    expect((await again(user, incident)).activities).toHaveLength(3)
  })

  test('is refused with a playbook of another organisation, and nothing is declared', async () => {
    const stranger = await signedInAs(await anOrganisation(), 'ADMIN')
    expect((await stranger.post('/incident', { ...NEW, playbookId: playbook.id })).status).toBe(404)
    expect((await stranger.get('/incident')).body.total).toBe(0)
  })

  test('tells external people neither of changes nor of other incidents', async () => {
    const { organisation } = planner
    const guest = await signedInAs(organisation, 'USER', { type: 'EXTERNAL' })
    const incident = await begun({ targetedUsers: [guest.email] })
    const other = await begun()
    playbook = await saved({ name: 'Smoke' })
    expect(await taken(guest, incident)).toMatchObject([{ name: 'Fire', version: 1, currentVersion: null }])
    expect((await guest.get(`/incident/${other.id}/playbooks`)).status).toBe(404)
  })
})

describe('a playbook that is added to a running incident', () => {
  test('brings its tasks after those that are there, with copies of its files', async () => {
    const plan = (await upload(planner, playbook.id, PDF, 'plan.pdf', 'PLAYBOOK')).body
    const [first, ...rest] = playbook.activities
    playbook = await saved({ activities: [{ ...first, attachedFileIds: [plan.id] }, ...rest] })
    const incident = await declared(user, { activityCreateRequests: [task('Breathe')] })
    const { status, body } = await add(user, incident, { version: playbook.version })
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body).toMatchObject({ playbookId: playbook.id, version: 2, currentVersion: 2, tasksCount: 3 })
    const { activities } = await again(user, incident)
    expect(steps(activities)).toEqual([
      'Breathe',
      'Look around',
      'At once: Close the doors',
      'Then › Outside: Count everybody',
    ])
    const [copy] = await listed(user, incident.id)
    expect(copy).toMatchObject({ name: 'plan', parentType: 'INCIDENT', parentId: incident.id })
    expect(copy!.id).not.toBe(plan.id)
    expect(activities[1]!.attachedFileIds).toEqual([copy!.id])
    // The copy survives the playbook.
    expect((await planner.delete(`/playbook/template/${playbook.id}`)).status).toBe(204)
    expect((await download(user, copy!.id)).bytes.equals(PDF)).toBe(true)
  })

  test('brings only the tasks that are asked for', async () => {
    const incident = await declared(user)
    const wanted = playbook.activities.at(-1)!.id
    expect((await add(user, incident, { activityIds: [wanted] })).status).toBe(201)
    expect(steps((await again(user, incident)).activities)).toEqual(['Then › Outside: Count everybody'])
    const refused = [
      [[wanted, crypto.randomUUID()], 'activityIds.1'],
      [[playbook.activities[1]!.id], 'activityIds.0'],
      [[], 'activityIds'],
    ] as const
    for (const [activityIds, field] of refused) {
      const { status, body } = await add(user, incident, { activityIds })
      expect(status).toBe(400)
      expect(Object.keys(body.fields)).toEqual([field])
    }
    expect((await again(user, incident)).activities).toHaveLength(1)
  })

  test('is refused in an older version, beyond the limit and once the incident is resolved', async () => {
    const organisation = await anOrganisation({ multiIncident: true, maxActivitiesPerIncident: 4 })
    planner = await signedInAs(organisation, 'ADMIN')
    playbook = await aPlaybook()
    const incident = await declared(planner)
    expect((await add(planner, incident, { version: 7 })).status).toBe(409)
    expect((await add(planner, incident)).status).toBe(201)
    const full = await add(planner, incident)
    expect([full.status, full.body.message]).toEqual([
      400,
      'The number of tasks/updates has reached the maximum of 4.',
    ])
    await resolve(planner, incident)
    expect((await add(planner, incident)).status).toBe(409)
    expect((await again(planner, incident)).activities).toHaveLength(3)
    expect(await taken(planner, incident)).toHaveLength(1)
  })

  test('is for those who change incidents and read playbooks', async () => {
    const { organisation } = planner
    const incident = await declared(user)
    const board = await signedInAs(organisation, 'BUSINESS_USER')
    expect((await add(board, incident)).status).toBe(403)
    const stranger = await signedInAs(await anOrganisation({ multiIncident: true }), 'ADMIN')
    expect((await add(stranger, incident)).status).toBe(404)
    expect((await add(stranger, await declared(stranger))).status).toBe(404)
    const without = await signedInAs(await anOrganisation({ playbookEnabled: false }), 'ADMIN')
    expect((await add(without, await declared(without))).status).toBe(403)
  })
})

describe('the use of a playbook', () => {
  const useOf = async (who: Caller) => (await who.get(`/playbook/template/${playbook.id}/use`)).body
  const tasksOfUse = async (who: Caller, range = '[0,9]') => {
    const { body, headers } = await who.get(`/playbook/template/${playbook.id}/use/tasks?range=${range}`)
    const rows = (body as TaskUse[]).map(
      ({ title, takenCount, completedCount, openCount, deletedCount }) =>
        `${title}: ${[takenCount, completedCount, openCount, deletedCount].join(' ')}`,
    )
    return [headers.get('content-range'), rows] as const
  }
  const begin = (given: object = {}) =>
    declared(user, {
      activityCreateRequests: tasksOf(playbook),
      playbookId: playbook.id,
      playbookVersion: playbook.version,
      ...given,
    })
  const complete = async ({ activities }: Awaited<ReturnType<typeof begin>>, ...titles: string[]) => {
    for (const { id, title } of activities)
      if (titles.includes(title)) await user.patch(`/incident/activity/${id}`, { status: 'COMPLETE' })
  }

  test('counts incidents and exercises once each, and names the last', async () => {
    expect(await useOf(user)).toEqual({ incidentsCount: 0, exercisesCount: 0, hasMore: false, last: null })
    const first = await begin()
    await begin({ isTabletop: true })
    // For a second site.
    await add(user, first)
    expect(await useOf(user)).toMatchObject({
      incidentsCount: 1,
      exercisesCount: 1,
      hasMore: false,
      last: { incidentId: first.id, title: first.title, isTabletop: false },
    })
    const { lastUsedTimestamp, usesCount } = (await user.get(`/playbook/template/${playbook.id}`)).body
    expect(usesCount).toBe(3)
    expect(lastUsedTimestamp).toBe((await useOf(user)).last.timestamp)
  })

  test('says for each task what became of it once an incident is resolved, the most skipped first', async () => {
    const [first, second] = [await begin(), await begin()]
    await begin()
    await complete(first, 'Look around', 'Count everybody')
    const doors = second.activities.find(({ title }) => title === 'Close the doors')!
    expect((await user.delete(`/incident/activity/${doors.id}`)).status).toBe(204)
    await complete(second, 'Count everybody')
    expect(await tasksOfUse(user)).toEqual(['items */0', []])
    for (const one of [first, second]) expect((await resolve(user, one)).status).toBe(200)
    const rows = ['Close the doors: 2 0 1 1', 'Look around: 2 1 1 0', 'Count everybody: 2 2 0 0']
    expect(await tasksOfUse(user)).toEqual(['items 0-2/3', rows])
    expect(await tasksOfUse(user, '[1,1]')).toEqual(['items 1-1/3', rows.slice(1, 2)])
    // Names follow the playbook; a task that it has no more is left out.
    const [look, ...others] = playbook.activities
    playbook = await saved({ activities: [{ ...look, title: 'Look' }, others[0], others.at(-1)] })
    expect(await tasksOfUse(user)).toEqual(['items 0-1/2', ['Look: 2 1 1 0', 'Count everybody: 2 2 0 0']])
  })

  test('knows the tasks that were added one by one, and nothing that a caller makes up', async () => {
    const strange = [
      { ...task('Mine'), playbookItemId: crypto.randomUUID() },
      { ...task('Twice'), playbookItemId: playbook.activities[0]!.id },
      { ...task('Twice'), playbookItemId: playbook.activities[0]!.id },
    ]
    const incident = await begin({ activityCreateRequests: strange })
    await add(user, incident, { activityIds: [playbook.activities.at(-1)!.id] })
    await resolve(user, incident)
    expect((await tasksOfUse(user))[1]).toEqual(['Look around: 1 0 1 0', 'Count everybody: 1 0 1 0'])
  })

  test('sorts and filters the list', async () => {
    await aPlaybook({ name: 'Storm' })
    const last = await aPlaybook({ name: 'Ash' })
    await begin()
    await add(user, await declared(user), { playbookId: last.id })
    const names = async (query: Record<string, unknown>) => {
      const params = Object.entries(query).map(
        ([key, value]) => `${key}=${encodeURIComponent(JSON.stringify(value))}`,
      )
      const { body } = await user.get(`/playbook/templates?${params.join('&')}`)
      return body.map(({ name }: OpenedPlaybook) => name)
    }
    expect(await names({ sort: ['lastUsedTimestamp', 'DESC'] })).toEqual(['Ash', 'Fire', 'Storm'])
    expect(await names({ sort: ['lastUsedTimestamp', 'ASC'] })).toEqual(['Fire', 'Ash', 'Storm'])
    expect(await names({ filter: { used: false } })).toEqual(['Storm'])
    expect(await names({ filter: { used: true } })).toEqual(['Ash', 'Fire'])
  })
})
