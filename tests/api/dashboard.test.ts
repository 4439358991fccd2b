import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { clock, MINUTE } from '#server/kit/core/clock.ts'
import { startTestServer } from '#tests/support/server.ts'

const { anOrganisation, aUser, inside, send, signedInAs } = await startTestServer()

const LATER = 10 * MINUTE
/** Noon; events of the tests happen around it. */
const NOON = Date.parse('2031-06-01T12:00:00.000Z')
const at = (offset: number) => vi.spyOn(clock, 'now').mockReturnValue(NOON + offset)
const stamp = (offset: number) => new Date(NOON + offset).toISOString()
beforeEach(() => void at(0))
afterEach(() => void vi.restoreAllMocks())

async function aTeam(config = {}, more = {}) {
  const org = await anOrganisation(config, more)
  const admin = await signedInAs(org, 'ADMIN')
  const declare = async (body: object = {}) => {
    const made = await admin.post('/incident', { title: 'Flood', fullText: '<p>Water.</p>', ...body })
    expect(made.status).toBe(201)
    return made.body.id as string
  }
  const resolve = async (id: string) =>
    expect((await admin.patch(`/incident/${id}`, { isActive: false })).status).toBe(200)
  const dashboard = async () => (await admin.get('/dashboard')).body
  return { org, admin, declare, resolve, dashboard }
}

test('is safe since the organisation began', async () => {
  const { org, dashboard } = await aTeam({}, { maxUsers: 25 })
  await aUser(org)
  await aUser(org, { active: false })
  at(LATER)
  expect(await dashboard()).toEqual({
    timestamp: stamp(LATER),
    lastIncidentTimestamp: null,
    activeIncident: null,
    activeIncidents: [],
    incidentsCount: 0,
    exercisesCount: 0,
    secondsInIncident: null,
    secondsIncidentFree: 600,
    currentUsers: 2,
    maxUsers: 25,
    subscriptionLevel: 'BASIC',
  })
})

test('counts the time in an incident, and afterwards the time without one', async () => {
  const { declare, resolve, dashboard } = await aTeam()
  const id = await declare({ severity: 'HIGH' })
  at(90_500)
  expect(await dashboard()).toMatchObject({
    activeIncident: { id, title: 'Flood', isTabletop: false, severity: 'HIGH', createTimestamp: stamp(0) },
    incidentsCount: 1,
    secondsInIncident: 90,
    secondsIncidentFree: null,
    lastIncidentTimestamp: null,
  })
  at(LATER)
  await resolve(id)
  at(LATER + MINUTE)
  expect(await dashboard()).toMatchObject({
    activeIncident: null,
    incidentsCount: 0,
    secondsInIncident: null,
    secondsIncidentFree: 60,
    lastIncidentTimestamp: stamp(LATER),
  })
})

test('an exercise is shown but is no incident', async () => {
  const { declare, resolve, dashboard } = await aTeam()
  const id = await declare({ isTabletop: true })
  at(LATER)
  expect(await dashboard()).toMatchObject({
    activeIncident: { id, isTabletop: true },
    incidentsCount: 0,
    exercisesCount: 1,
    secondsInIncident: null,
    secondsIncidentFree: 600,
  })
  await resolve(id)
  expect(await dashboard()).toMatchObject({ lastIncidentTimestamp: null, secondsIncidentFree: 600 })
})

test('incidents come before exercises, the gravest first, then the newest', async () => {
  const { declare, dashboard } = await aTeam({ multiIncident: true })
  await declare({ title: 'Drill', isTabletop: true })
  for (const [index, title] of ['First', 'Grave', 'Second'].entries()) {
    at((index + 1) * MINUTE)
    await declare({ title, severity: title === 'Grave' ? 'CRITICAL' : 'MEDIUM' })
  }
  const { activeIncident, activeIncidents, ...rest } = await dashboard()
  expect(activeIncidents.map(({ title }: { title: string }) => title)).toEqual([
    'Grave',
    'Second',
    'First',
    'Drill',
  ])
  expect(activeIncident).toEqual(activeIncidents[0])
  expect(rest).toMatchObject({ incidentsCount: 3, exercisesCount: 1, secondsInIncident: 120 })
})

test('lists twenty, and counts them all', async () => {
  const { declare, dashboard } = await aTeam({ multiIncident: true })
  for (let i = 0; i < 22; i += 1) await declare()
  const body = await dashboard()
  expect([body.activeIncidents.length, body.incidentsCount]).toEqual([20, 22])
})

test('says what is asked of the caller, and what was written last', async () => {
  const { org, admin, declare } = await aTeam({ multiIncident: true })
  const mine = await signedInAs(org, 'USER')
  const asked = async () => (await mine.get('/dashboard/asked')).body
  expect(await asked()).toEqual({
    checkIns: [],
    checkInsCount: 0,
    decisions: [],
    decisionsCount: 0,
    tasks: [],
    tasksCount: 0,
    latestUpdate: null,
    lastExerciseTimestamp: null,
    demonstration: null,
  })
  const drill = await declare({ title: 'Drill', isTabletop: true })
  const flood = await declare({ severity: 'CRITICAL' })
  // Targets other people, so the caller has nothing to check in to.
  await declare({ title: 'Secret', targetedUsers: [admin.email] })
  const add = async (id: string, body: object) => {
    const made = await admin.post(`/incident/${id}/activity`, body)
    expect(made.status).toBe(201)
    return made.body
  }
  const task = { type: 'TASK', description: 'Now.', assignedTo: mine.email }
  for (let n = 1; n <= 6; n += 1)
    await add(flood, { ...task, title: `Task ${n}`, priority: n === 6 ? 'HIGH' : 'LOW' })
  await add(flood, { ...task, title: 'Done', progress: 100 })
  await add(flood, { ...task, title: 'Of others', assignedTo: admin.email })
  await add(flood, { type: 'UPDATE', description: 'The first word.' })
  const propose = async (title: string, decider: string) => {
    const made = await admin.post(`/incident/${flood}/decision`, { title, context: 'Water rises.', decider })
    expect(made.status).toBe(201)
    return made.body
  }
  const close = await propose('Close the site', mine.email)
  await propose('Of others', admin.email)
  at(MINUTE)
  await add(flood, { type: 'UPDATE', description: `The last word. ${'x'.repeat(400)}` })

  const body = await asked()
  expect(body.checkIns.map(({ incidentTitle }: { incidentTitle: string }) => incidentTitle)).toEqual([
    'Flood',
    'Drill',
  ])
  expect(body.tasks.map(({ title }: { title: string }) => title)).toEqual([
    'Task 6',
    'Task 1',
    'Task 2',
    'Task 3',
    'Task 4',
  ])
  expect(body).toMatchObject({ checkInsCount: 2, tasksCount: 6, lastExerciseTimestamp: stamp(0) })
  expect(body.latestUpdate).toMatchObject({ incidentId: flood, createTimestamp: stamp(MINUTE) })
  expect(body.latestUpdate.text).toMatch(/^The last word\. x+$/)
  expect(body.latestUpdate.text).toHaveLength(300)

  expect(body.decisions).toEqual([
    {
      incidentId: flood,
      incidentTitle: 'Flood',
      isTabletop: false,
      id: close.id,
      number: 1,
      title: 'Close the site',
    },
  ])
  expect(body.decisionsCount).toBe(1)
  const made = { decision: 'Nobody enters.', version: close.version }
  expect((await mine.put(`/incident/decision/${close.id}/confirmation`, made)).status).toBe(200)
  expect((await asked()).decisionsCount).toBe(0)

  await mine.post(`/incident/${flood}/checkIn`, {})
  expect((await asked()).checkIns).toEqual([{ incidentId: drill, incidentTitle: 'Drill', isTabletop: true }])
  expect(
    (await (await signedInAs(await anOrganisation(), 'USER')).get('/dashboard/asked')).body.latestUpdate,
  ).toBeNull()
})

test('shows one organisation and nobody else', async () => {
  const { org, declare } = await aTeam()
  const elsewhere = await aTeam({}, { parentId: org.id })
  await declare()
  expect(await elsewhere.dashboard()).toMatchObject({ activeIncident: null, currentUsers: 1 })
  await elsewhere.declare()
  expect((await (await aTeam()).dashboard()).incidentsCount).toBe(0)
})

test('is for people with the permission, and for keys', async () => {
  const { org, admin } = await aTeam()
  expect((await send('GET', '/dashboard')).status).toBe(401)
  expect((await (await signedInAs(org, 'USER')).get('/dashboard')).status).toBe(200)
  expect((await (await signedInAs(org, 'BUSINESS_USER')).get('/dashboard')).status).toBe(403)
  expect((await (await signedInAs(org, 'USER', { type: 'EXTERNAL' })).get('/dashboard')).status).toBe(403)
  const { body } = await admin.post('/apiManagement/credentials', { name: 'Wall' })
  const byKey = await send('GET', '/dashboard', { headers: { 'X-Api-Key': body.key } })
  expect([byKey.status, byKey.body.currentUsers]).toEqual([200, 4])
})

test('never shows a negative time', async () => {
  const { org, declare, dashboard } = await aTeam()
  const id = await declare()
  await inside(org, (db) =>
    db
      .updateTable('incidents')
      .set({ create_timestamp: stamp(LATER) })
      .where('id', '=', id)
      .execute(),
  )
  expect((await dashboard()).secondsInIncident).toBe(0)
})
