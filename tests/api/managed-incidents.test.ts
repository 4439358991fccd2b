import { describe, expect, test } from 'vitest'

import { PROVIDER_ID } from '#server/kit/database/db.ts'

import { added, declared, resolve, UPDATE } from '../support/incidents.ts'
import { type Caller, startTestServer } from '../support/server.ts'

const muster = await startTestServer()
const staff = await muster.signedInAsStaff()

async function anAdmin(): Promise<Caller> {
  return muster.signedInAs(await muster.anOrganisation({ multiIncident: true }), 'ADMIN')
}
const overview = async (query: object = {}) => {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, JSON.stringify(value)]),
  )
  const { status, body, headers } = await staff.get(`/enterprises/incidents?${text}`)
  expect(status).toBe(200)
  return { rows: body as any[], range: headers.get('content-range') }
}
const stateOf = async ({ organisation: { code } }: Caller) =>
  (await overview({ filter: { q: code } })).rows[0]

describe('incidents by organisation', () => {
  test('show each organisation with the incident that is running', async () => {
    const admin = await anAdmin()
    expect(await stateOf(admin)).toMatchObject({
      status: 'SAFE',
      title: null,
      lastIncidentTimestamp: null,
      checkIns: 0,
      currentUsers: 1,
      updates: 0,
      tasks: 0,
      attachments: 0,
    })
    const exercise = await declared(admin, { title: 'Drill', isTabletop: true })
    expect(await stateOf(admin)).toMatchObject({ status: 'TABLETOP_IN_PROGRESS', title: 'Drill' })
    const incident = await declared(admin, { title: 'Flood' })
    await added(admin, incident)
    await added(admin, incident)
    await added(admin, incident, UPDATE)
    await admin.post(`/incident/${incident.id}/check-in`)
    // An incident takes precedence over an older exercise.
    expect(await stateOf(admin)).toMatchObject({
      enterprise: { id: admin.organisation.id, code: admin.organisation.code },
      status: 'INCIDENT_IN_PROGRESS',
      title: 'Flood',
      tasks: 2,
      updates: 1,
      lastIncidentTimestamp: incident.createTimestamp,
    })
    await resolve(admin, incident)
    await resolve(admin, exercise)
    const safe = await stateOf(admin)
    expect([safe.status, safe.title]).toEqual(['SAFE', null])
    expect(safe.lastIncidentTimestamp).not.toBeNull()
  })

  test('are sorted, most urgent first, and paged by the server', async () => {
    const [calm, drill, crisis] = [await anAdmin(), await anAdmin(), await anAdmin()]
    await declared(drill, { isTabletop: true, title: 'A drill' })
    await declared(crisis, { title: 'B crisis' })
    const mine = [calm, drill, crisis].map(({ organisation }) => organisation.id)
    const order = async (query: object) =>
      (await overview(query)).rows.map(({ id }) => mine.indexOf(id)).filter((n) => n >= 0)
    expect(await order({})).toEqual([2, 1, 0])
    expect(await order({ sort: ['status', 'DESC'] })).toEqual([0, 1, 2])
    expect(await order({ sort: ['title', 'ASC'] })).toEqual([1, 2, 0])
    for (const field of ['displayName', 'duration', 'checkIns', 'updates', 'tasks', 'attachments'])
      expect((await order({ sort: [field, 'DESC'] })).toSorted((a, b) => a - b)).toEqual([0, 1, 2])
    const { rows, range } = await overview({ range: [0, 1] })
    const total = (await overview()).rows.length
    expect([rows.length, range]).toEqual([2, `items 0-1/${total}`])
    expect(
      (await staff.get(`/enterprises/incidents?sort=${encodeURIComponent('["id","ASC"]')}`)).status,
    ).toBe(400)
    expect((await overview()).rows.some(({ id }) => id === PROVIDER_ID)).toBe(false)
  })

  test('are counted on the dashboard', async () => {
    const before = (await staff.get('/dashboard')).body
    await declared(await anAdmin())
    const { body } = await staff.get('/dashboard')
    expect(body.organizations).toBe(before.organizations + 1)
    expect(body.incidentsInProgress).toBe(before.incidentsInProgress + 1)
    expect(body.safe + body.incidentsInProgress + body.tabletopsInProgress).toBe(body.organizations)
  })
})

describe('the incidents of one organisation', () => {
  test('are shown after a reason was given, a page at a time', async () => {
    const admin = await anAdmin()
    const path = `/enterprise/${admin.organisation.id}`
    for (let n = 0; n < 6; n += 1) await resolve(admin, await declared(admin, { title: `Past ${n}` }))
    const running = await declared(admin, { title: 'Now', targetedUsers: [admin.email] })
    await added(admin, running, { title: 'Task', description: 'Do it', assignedTo: admin.email })
    const refused = await staff.get(`${path}/incidents`)
    expect([refused.status, refused.body.code]).toEqual([409, 'reason_required'])
    await staff.post(`${path}/access`, { reason: 'They asked for help' })
    const { status, body } = await staff.get(`${path}/incidents?page=0&size=5`)
    expect(status).toBe(200)
    expect([body.page, body.size, body.total, body.data.length]).toEqual([0, 5, 7, 5])
    expect(body.data[0]).toEqual({
      id: running.id,
      title: 'Now',
      isActive: true,
      isTabletop: false,
      outcome: null,
      createTimestamp: running.createTimestamp,
      resolveTimestamp: null,
      createdBy: admin.email,
      previewText: expect.stringContaining('Water'),
      checkIns: [],
      attachments: 0,
      activities: [{ id: expect.any(String), type: 'TASK', status: 'TO_DO', assignedTo: admin.email }],
      isTargeted: true,
      targetedUsers: [admin.email],
      postmortemDetails: null,
    })
    expect((await staff.get(`${path}/incidents?page=1`)).body.data).toHaveLength(2)
    const bare = await staff.get(`${path}/incidents?activityOnly=true`)
    expect(bare.body.data[0]).toMatchObject({ previewText: null, activities: [{ type: 'TASK' }] })
    for (const query of ['size=0', 'size=101', 'page=-1', 'activityOnly=perhaps'])
      expect((await staff.get(`${path}/incidents?${query}`)).status).toBe(400)
  })
})
