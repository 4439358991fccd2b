import { describe, expect, test } from 'vitest'

import type { Activity } from '#contract/incidents/schema.ts'
import type { Message } from '#contract/chat/schema.ts'

import { headquartersOf, madeRoom, openPage, sent } from '../support/chat.ts'
import { again, declared, resolve } from '../support/incidents.ts'
import { type Caller, startTestServer } from '../support/server.ts'

const muster = await startTestServer()

async function team() {
  const organisation = await muster.anOrganisation({ multiIncident: true })
  const [lead, ana, bo] = [
    await muster.signedInAs(organisation, 'ADMIN'),
    await muster.signedInAs(organisation),
    await muster.signedInAs(organisation),
  ]
  const room = await madeRoom(lead, { userIds: [ana.uuid] })
  return { organisation, lead, ana, bo, room, incident: await declared(lead) }
}
const adding = (caller: Caller, { id }: { id: string }, body: object) =>
  caller.post(`/chat/messages/${id}/activity`, body)
const nameOf = async (caller: Caller) => {
  const { user } = (await caller.get('/me')).body
  return `${user.firstName} ${user.lastName}`
}
const activitiesOf = async (caller: Caller, incident: { id: string }): Promise<readonly Activity[]> =>
  (await again(caller, incident)).activities

describe('a message becomes part of an incident', () => {
  test('as an update, and each leads to the other', async () => {
    const { lead, ana, room, incident } = await team()
    const page = await openPage(muster, ana)
    const message = await sent(lead, room.id, `The pump is dry, @${ana.email}`)
    const { status, body } = await adding(ana, message, { incidentId: incident.id, type: 'UPDATE' })
    expect(status, JSON.stringify(body)).toBe(201)
    const [update, ...others] = await activitiesOf(ana, incident)
    expect(others).toEqual([])
    expect(update).toMatchObject({
      type: 'UPDATE',
      title: '',
      description: `${await nameOf(lead)} wrote in the chat:\nThe pump is dry, @${await nameOf(ana)}`,
      createdBy: ana.email,
      message: { id: message.id, roomId: room.id },
    })
    const link = { id: update!.id, incidentId: incident.id, type: 'UPDATE' }
    expect((body as Message).activities).toEqual([link])
    await page.until(() => page.messages(room.id).some(({ activities }) => activities !== undefined))
    expect((await lead.get(`/chat/messages/${message.id}`)).body.message.activities).toEqual([link])
  })

  test('as a task, whose title is the first line or the one that is given', async () => {
    const { lead, room, incident } = await team()
    const first = await sent(lead, room.id, 'Close the valve</p><p>The red one')
    await adding(lead, first, { incidentId: incident.id, type: 'TASK' })
    const second = await sent(lead, room.id, 'Behind pump 3')
    await adding(lead, second, { incidentId: incident.id, type: 'TASK', title: 'Look behind it' })
    expect(await activitiesOf(lead, incident)).toMatchObject([
      { type: 'TASK', title: 'Close the valve', description: 'Close the valve\nThe red one' },
      { type: 'TASK', title: 'Look behind it', description: 'Behind pump 3' },
    ])
  })

  test('once for each incident', async () => {
    const { lead, ana, room, incident } = await team()
    const other = await declared(lead)
    const message = await sent(lead, room.id, 'Once')
    const body = { incidentId: incident.id, type: 'UPDATE' }
    const answers = await Promise.all([adding(lead, message, body), adding(ana, message, body)])
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(await activitiesOf(lead, incident)).toHaveLength(1)
    const { body: both } = await adding(lead, message, { ...body, incidentId: other.id })
    expect((both as Message).activities).toHaveLength(2)
  })

  test('whose link only members of its room see', async () => {
    const { lead, bo, room, incident } = await team()
    const message = await sent(lead, room.id, 'Between us')
    await adding(lead, message, { incidentId: incident.id, type: 'UPDATE' })
    expect((await activitiesOf(lead, incident))[0]!.message).toEqual({ id: message.id, roomId: room.id })
    expect((await activitiesOf(bo, incident))[0]!.message).toBeNull()
    expect((await adding(bo, message, { incidentId: incident.id, type: 'TASK' })).status).toBe(404)
  })

  test('until that is deleted, and the message says so', async () => {
    const { lead, ana, room, incident } = await team()
    const message = await sent(lead, room.id, 'For a while')
    await adding(lead, message, { incidentId: incident.id, type: 'UPDATE' })
    const [update] = await activitiesOf(lead, incident)
    const page = await openPage(muster, ana)
    expect((await lead.delete(`/incident/activity/${update!.id}`)).status).toBe(204)
    await page.until(() => page.messages(room.id).length > 0)
    expect(page.messages(room.id).at(-1)!.activities).toBeUndefined()
  })
})

describe('nothing is made', () => {
  test('of a deleted message, or in a resolved incident', async () => {
    const { lead, incident } = await team()
    const room = await headquartersOf(lead)
    const [kept, deleted] = [await sent(lead, room.id, 'Kept'), await sent(lead, room.id, 'Deleted')]
    await lead.delete(`/chat/messages/${deleted.id}`)
    const body = { incidentId: incident.id, type: 'UPDATE' }
    expect((await adding(lead, deleted, body)).status).toBe(409)
    expect(await activitiesOf(lead, incident)).toEqual([])
    await resolve(lead, incident)
    expect((await adding(lead, kept, body)).status).toBe(409)
  })

  test('by people who do not write to incidents', async () => {
    const { organisation, lead, incident } = await team()
    const reader = await muster.signedInAs(organisation, 'BUSINESS_USER')
    const room = await headquartersOf(reader)
    const message = await sent(lead, room.id, 'Read only')
    expect((await adding(reader, message, { incidentId: incident.id, type: 'UPDATE' })).status).toBe(403)
  })
})
