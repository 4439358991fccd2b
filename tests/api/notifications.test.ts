import { describe, expect, test } from 'vitest'

import type { Notification, Notifications } from '#contract/notifications/schema.ts'

import { added, again, declared, TASK } from '../support/incidents.ts'
import { type Caller, startTestServer } from '../support/server.ts'

const muster = await startTestServer()

async function team() {
  const organisation = await muster.anOrganisation({ multiIncident: true })
  const [lead, ana, ext] = [
    await muster.signedInAs(organisation, 'ADMIN'),
    await muster.signedInAs(organisation, 'USER'),
    await muster.signedInAs(organisation, 'USER', { type: 'EXTERNAL' }),
  ]
  return { organisation, lead, ana, ext }
}
const told = async (caller: Caller): Promise<Notifications> => (await caller.get('/notifications')).body
const lines = async (caller: Caller) =>
  (await told(caller)).data.map(({ title, details }) => `${title}: ${details}`)

describe('people are told', () => {
  test('of an incident that targets them, and not of their own deeds', async () => {
    const { lead, ana, ext } = await team()
    const incident = await declared(lead, { targetedUsers: [lead.email, ana.email, ext.email] })
    expect((await told(ana)).data).toEqual([
      {
        id: expect.any(String),
        title: 'You were added to an incident',
        details: incident.title,
        createTimestamp: expect.any(String),
        incidentId: incident.id,
        activityId: null,
        roomId: null,
        messageId: null,
        playbookId: null,
        approvalId: null,
        hasBeenRead: false,
      } satisfies Record<keyof Notification, unknown>,
    ])
    expect((await told(ext)).unreadCount).toBe(1)
    expect(await told(lead)).toEqual({ data: [], unreadCount: 0 })
  })

  test('of a task that becomes theirs, once', async () => {
    const { lead, ana } = await team()
    const incident = await declared(lead)
    const task = await added(lead, incident, { ...TASK, assignedTo: ana.email })
    await lead.patch(`/incident/activity/${task.id}`, { progress: 50 })
    await lead.patch(`/incident/activity/${task.id}`, { assignedTo: null })
    await lead.patch(`/incident/activity/${task.id}`, { assignedTo: ana.email })
    await ana.patch(`/incident/activity/${task.id}`, { assignedTo: lead.email })
    const line = `A task was assigned to you: ${TASK.title} – ${incident.title}`
    expect(await lines(ana)).toEqual([line, line])
    expect(await lines(lead)).toEqual([line])
    expect((await told(lead)).data[0]).toMatchObject({ activityId: task.id, incidentId: incident.id })
  })

  test('of many tasks at once in one line', async () => {
    const { lead, ana } = await team()
    const { status, body } = await lead.post('/incident/withActivities', {
      title: 'Fire',
      fullText: '<p>In the hall</p>',
      isTabletop: true,
      targetedUsers: [ana.email],
      activityCreateRequests: [
        { ...TASK, assignedTo: ana.email },
        { ...TASK, assignedTo: ana.email },
        { ...TASK, assignedTo: lead.email },
      ],
    })
    expect(status, JSON.stringify(body)).toBe(201)
    expect((await lines(ana)).sort()).toEqual([
      'EXERCISE: 2 tasks were assigned to you: Fire',
      'EXERCISE: You were added to an exercise: Fire',
    ])
    expect(await lines(lead)).toEqual([])
  })

  test('nothing of what they may not see', async () => {
    const { lead, ana, ext } = await team()
    const hidden = await declared(lead)
    await added(lead, hidden, { ...TASK, assignedTo: ext.email })
    expect(await told(ext)).toEqual({ data: [], unreadCount: 0 })

    const incident = await declared(lead, { targetedUsers: [ext.email, ana.email] })
    expect((await told(ext)).unreadCount).toBe(1)
    const { version } = await again(lead, incident)
    await lead.patch(`/incident/${incident.id}`, { targetedUsers: [ana.email], version })
    expect(await told(ext)).toEqual({ data: [], unreadCount: 0 })
    expect((await told(ana)).unreadCount).toBe(1)
  })
})

describe('reading', () => {
  test('marks one, and then all of them', async () => {
    const { lead, ana } = await team()
    for (const title of ['One', 'Two', 'Three']) await declared(lead, { title, targetedUsers: [ana.email] })
    const [newest] = (await told(ana)).data
    expect(newest!.details).toBe('Three')
    for (let twice = 0; twice < 2; twice++)
      expect((await ana.post(`/notifications/read/${newest!.id}`)).status).toBe(204)
    const now = await told(ana)
    expect(now.data.map(({ hasBeenRead }) => hasBeenRead)).toEqual([true, false, false])
    expect(now.unreadCount).toBe(2)
    expect((await ana.post('/notifications/read')).status).toBe(204)
    expect(await told(ana)).toMatchObject({ unreadCount: 0, data: [{}, {}, {}] })
  })

  test("leaves other people's alone", async () => {
    const { lead, ana } = await team()
    await declared(lead, { targetedUsers: [ana.email] })
    const [theirs] = (await told(ana)).data
    expect((await lead.post(`/notifications/read/${theirs!.id}`)).status).toBe(404)
    expect((await lead.post('/notifications/read/no-id')).status).toBe(400)
    await lead.post('/notifications/read')
    expect((await told(ana)).unreadCount).toBe(1)
  })

  test('counts beyond what is listed', async () => {
    const { organisation, lead, ana } = await team()
    const incident = await declared(lead)
    await muster.inside(organisation, (db) =>
      db
        .insertInto('notifications')
        .values(
          Array.from({ length: 130 }, (_, n) => ({
            id: crypto.randomUUID(),
            user_id: ana.uuid,
            title: `${n}`,
            details: '',
            incident_id: incident.id,
            activity_id: null,
            create_timestamp: new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString(),
            read_timestamp: null,
          })),
        )
        .execute(),
    )
    const { data, unreadCount } = await told(ana)
    expect([data.length, unreadCount, data[0]!.title]).toEqual([100, 130, '129'])
  })
})
