import { describe, expect, test, vi } from 'vitest'

import type { Notification } from '#contract/notifications/schema.ts'
import type { MyTask } from '#contract/incidents/schema.ts'
import { REMIND_BEFORE } from '#server/incidents/due.flows.ts'
import { added, declared, resolve, TASK } from '#tests/support/incidents.ts'
import { type Caller, startTestServer } from '#tests/support/server.ts'

const { anOrganisation, inside, services, signedInAs } = await startTestServer()

vi.setConfig({ testTimeout: 60_000 })

const from = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()
const SOON = 'A task of yours is due in 15 minutes'
const OVERDUE = 'A task of yours is overdue'
const LEADS = 'A task is overdue'
const remindersOf = async (caller: Caller): Promise<readonly Notification[]> =>
  (await caller.get('/notifications')).body.data.filter(({ title }: Notification) =>
    /due in 15 minutes|is overdue/.test(title),
  )
const until = (condition: () => Promise<void>) => vi.waitFor(condition, { timeout: 20_000, interval: 100 })

describe('a reminder of a task', () => {
  test('comes before the due time, and once it is overdue, to its declarer too', async () => {
    const org = await anOrganisation({ multiIncident: true })
    const [ana, ben] = [await signedInAs(org), await signedInAs(org)]
    const incident = await declared(ana, { isTabletop: true })
    const soon = await added(ana, incident, {
      ...TASK,
      assignedTo: ben.email,
      dueTimestamp: from(REMIND_BEFORE + 500),
    })
    const late = await added(ana, incident, { ...TASK, assignedTo: ben.email, dueTimestamp: from(700) })
    const free = await added(ana, incident, { ...TASK, title: 'Free', dueTimestamp: from(700) })
    await until(async () => expect(await remindersOf(ben)).toHaveLength(2))
    await until(async () => expect(await remindersOf(ana)).toHaveLength(2))
    expect(
      new Set((await remindersOf(ben)).map(({ title, activityId }) => `${title} ${activityId}`)),
    ).toEqual(new Set([`EXERCISE: ${SOON} ${soon.id}`, `EXERCISE: ${OVERDUE} ${late.id}`]))
    const toLeader = await remindersOf(ana)
    expect(toLeader.every(({ title }) => title === `EXERCISE: ${LEADS}`)).toBe(true)
    expect(toLeader.find(({ activityId }) => activityId === free.id)?.details).toContain('nobody has it')
  })

  test('goes to the commander of the incident instead of its declarer', async () => {
    const org = await anOrganisation()
    const [ana, ben] = [await signedInAs(org), await signedInAs(org)]
    const incident = await declared(ana, { roles: [{ title: 'Commander', assignedTo: ben.email }] })
    await added(ana, incident, { ...TASK, dueTimestamp: from(500) })
    await until(async () => expect(await remindersOf(ben)).toHaveLength(1))
    expect(await remindersOf(ana)).toEqual([])
  })

  test('comes not for a task that was moved, completed, deleted or ended with its incident, and never twice', async () => {
    const org = await anOrganisation({ multiIncident: true })
    const [ana, ben] = [await signedInAs(org), await signedInAs(org)]
    const incident = await declared(ana)
    const ended = await declared(ana)
    const due = { ...TASK, assignedTo: ben.email, dueTimestamp: from(1_500) }
    const [moved, done, gone] = [
      await added(ana, incident, due),
      await added(ana, incident, due),
      await added(ana, incident, due),
    ]
    await added(ana, ended, due)
    await ana.patch(`/incident/activity/${moved.id}`, { dueTimestamp: from(9_000_000) })
    await ana.patch(`/incident/activity/${done.id}`, { status: 'COMPLETE' })
    await ana.delete(`/incident/activity/${gone.id}`)
    await resolve(ana, ended)
    const at = from(1_500)
    const last = await added(ana, incident, { ...due, dueTimestamp: at })
    const job = { id: last.id, at, kind: 'OVERDUE' }
    await inside(org, (db) => services.jobs.enqueueAt(db, 'task-reminders', at, job, job))
    const closing = await added(ana, incident, { ...due, title: 'Last', dueTimestamp: from(2_500) })
    await until(async () =>
      expect((await remindersOf(ben)).map(({ activityId }) => activityId)).toContain(closing.id),
    )
    expect(await remindersOf(ben)).toHaveLength(2)
    expect((await remindersOf(ben)).map(({ activityId }) => activityId)).toContain(last.id)
  })
})

describe('the tasks of a person', () => {
  const listed = async (
    caller: Caller,
    query = '',
  ): Promise<{ data: MyTask[]; total: number; incidents: unknown[] }> =>
    (await caller.get(`/incident/tasks/mine${query}`)).body
  const titles = async (caller: Caller, query = '') =>
    (await listed(caller, query)).data.map(({ title }) => title)

  test('stand across incidents by due time, overdue first, a page at a time', async () => {
    const org = await anOrganisation({ multiIncident: true })
    const [ana, ben] = [await signedInAs(org), await signedInAs(org)]
    const [one, two, ended] = [
      await declared(ana, { title: 'One' }),
      await declared(ana, { title: 'Two', isTabletop: true }),
      await declared(ana),
    ]
    const give = (incident: { id: string }, title: string, more: object = {}) =>
      added(ana, incident, { ...TASK, title, assignedTo: ben.email, ...more })
    await give(one, 'low', { priority: 'LOW' })
    await give(two, 'tomorrow', { dueTimestamp: from(86_400_000) })
    await give(one, 'overdue', { dueTimestamp: from(-60_000) })
    await give(one, 'high', { priority: 'HIGH' })
    const done = await give(one, 'done')
    await give(ended, 'ended')
    await ben.patch(`/incident/activity/${done.id}`, { progress: 100 })
    await resolve(ana, ended)
    await added(ana, one, { ...TASK, title: 'free' })

    expect(await titles(ben)).toEqual(['overdue', 'tomorrow', 'high', 'low'])
    const page = await listed(ben, '?page=1&size=3')
    expect([page.data.map(({ title }) => title), page.total]).toEqual([['low'], 4])
    expect(page.incidents).toEqual([
      { id: two.id, title: 'Two', isTabletop: true },
      { id: one.id, title: 'One', isTabletop: false },
    ])
    expect(await titles(ben, `?incidentId=${two.id}`)).toEqual(['tomorrow'])
    expect(await titles(ben, '?list=DONE')).toEqual(['done'])
    expect(await titles(ben, '?list=FREE')).toEqual(['free'])
    expect(await titles(ana)).toEqual([])
    for (const query of ['?size=101', '?page=-1', '?list=ALL', '?incidentId=x'])
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await ben.get(`/incident/tasks/mine${query}`)).status).toBe(400)
  })

  test('are changed from there while their incident is in progress', async () => {
    const org = await anOrganisation()
    const [ana, board] = [await signedInAs(org), await signedInAs(org, 'BUSINESS_USER')]
    const incident = await declared(ana)
    await added(ana, incident, { ...TASK, assignedTo: ana.email })
    const [task] = (await listed(ana)).data
    expect(task).toMatchObject({ canEdit: true, incidentId: incident.id, version: 1 })
    const taken = await ana.patch(`/incident/activity/${task!.id}`, { status: 'IN_PROGRESS', version: 1 })
    expect(taken.status).toBe(200)
    expect((await ana.patch(`/incident/activity/${task!.id}`, { progress: 100, version: 1 })).status).toBe(
      409,
    )
    expect((await listed(board)).data).toEqual([])
  })

  test('of another organisation, or of incidents that an external person does not see, are not listed', async () => {
    const org = await anOrganisation({ multiIncident: true })
    const ana = await signedInAs(org)
    const counsel = await signedInAs(org, 'USER', { type: 'EXTERNAL' })
    await added(ana, await declared(ana), { ...TASK, title: 'hidden' })
    await added(ana, await declared(ana, { targetedUsers: [counsel.email] }), { ...TASK, title: 'seen' })
    expect(await titles(counsel, '?list=FREE')).toEqual(['seen'])
    expect(await titles(await signedInAs(await anOrganisation()), '?list=FREE')).toEqual([])
  })
})
