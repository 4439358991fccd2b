import { describe, expect, test } from 'vitest'

import type { Activity } from '#contract/incidents/schema.ts'
import type { Message } from '#contract/chat/schema.ts'

import { startedCall } from '../support/calls.ts'
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

  test('of which an external member of the room receives no id', async () => {
    const { organisation, lead, ana, room, incident } = await team()
    const counsel = await muster.signedInAs(organisation, 'USER', { type: 'EXTERNAL' })
    await lead.post(`/chat/rooms/${room.id}/members`, { userIds: [counsel.uuid] })
    const [inside, outside] = [await openPage(muster, ana), await openPage(muster, counsel)]
    const before = outside.last()
    const message = await sent(lead, room.id, 'Not for counsel')
    await adding(lead, message, { incidentId: incident.id, type: 'UPDATE' })
    await inside.until(() => inside.messages(room.id).at(-1)?.activities !== undefined)
    await outside.until(() => outside.last() === inside.last())
    // The external person's reaction must not strip the activities from what other people receive.
    expect((await counsel.put(`/chat/messages/${message.id}/reactions/👍`)).status).toBe(200)
    for (const page of [inside, outside])
      await page.until(() => (page.messages(room.id).at(-1)?.reactions.length ?? 0) > 0)
    expect(inside.messages(room.id).at(-1)!.activities).toHaveLength(1)
    const caughtUp = await openPage(muster, counsel, before)
    expect(caughtUp.messages(room.id).at(-1)!.id).toBe(message.id)
    const { body: missed } = await counsel.get(`/chat/changes?after=${before}`)
    expect(missed.changes).not.toEqual([])
    for (const received of [outside.frames, caughtUp.frames, missed])
      expect(JSON.stringify(received)).not.toContain(incident.id)
    const insideAgain = await openPage(muster, ana, before)
    expect(insideAgain.messages(room.id).at(-1)!.activities).toHaveLength(1)
  })

  test('whose external members receive the ids of incidents that they may read, and no other', async () => {
    const { organisation, lead, room, incident } = await team()
    const outsider = () => muster.signedInAs(organisation, 'USER', { type: 'EXTERNAL' })
    const [counsel, auditor] = [await outsider(), await outsider()]
    await lead.post(`/chat/rooms/${room.id}/members`, { userIds: [counsel.uuid, auditor.uuid] })
    const theirs = await declared(lead, { targetedUsers: [counsel.email] })
    const [page, other] = [await openPage(muster, counsel), await openPage(muster, auditor)]
    const before = page.last()
    const message = await sent(lead, room.id, 'For counsel')
    await adding(lead, message, { incidentId: incident.id, type: 'UPDATE' })
    await adding(lead, message, { incidentId: theirs.id, type: 'UPDATE' })
    await page.until(() => page.messages(room.id).at(-1)?.activities !== undefined)
    const shown = page.messages(room.id).at(-1)!.activities
    expect(shown).toMatchObject([{ incidentId: theirs.id, type: 'UPDATE' }])
    expect((await counsel.get(`/chat/messages/${message.id}`)).body.message.activities).toEqual(shown)
    const caughtUp = await openPage(muster, counsel, before)
    expect(caughtUp.messages(room.id).at(-1)!.activities).toEqual(shown)
    await other.until(() => other.last() === page.last())
    expect(other.messages(room.id).at(-1)!.id).toBe(message.id)
    for (const { frames } of [page, caughtUp]) expect(JSON.stringify(frames)).not.toContain(incident.id)
    for (const id of [incident.id, theirs.id]) expect(JSON.stringify(other.frames)).not.toContain(id)

    // Without the target, the next frame of the message no longer names the incident.
    const { version } = await again(lead, theirs)
    const untargeted = await lead.patch(`/incident/${theirs.id}`, { targetedUsers: [], version })
    expect(untargeted.status, JSON.stringify(untargeted.body)).toBe(200)
    await lead.put(`/chat/messages/${message.id}/reactions/👍`)
    await page.until(() => (page.messages(room.id).at(-1)?.reactions.length ?? 0) > 0)
    expect(page.messages(room.id).at(-1)!.activities).toBeUndefined()
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

  test('of the message of a call', async () => {
    const { lead, room, incident } = await team()
    const { call } = await startedCall(lead, room.id)
    const answer = await adding(lead, { id: call.messageId }, { incidentId: incident.id, type: 'UPDATE' })
    expect(answer.status).toBe(409)
    expect(await activitiesOf(lead, incident)).toEqual([])
  })

  test('by people who do not write to incidents', async () => {
    const { organisation, lead, incident } = await team()
    const reader = await muster.signedInAs(organisation, 'BUSINESS_USER')
    const room = await headquartersOf(reader)
    const message = await sent(lead, room.id, 'Read only')
    expect((await adding(reader, message, { incidentId: incident.id, type: 'UPDATE' })).status).toBe(403)
  })
})
