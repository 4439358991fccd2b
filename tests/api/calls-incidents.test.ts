import { expect, test } from 'vitest'

import { joinedCall, openCallPage } from '../support/calls.ts'
import { declared } from '../support/incidents.ts'
import { startTestServer } from '../support/server.ts'

const muster = await startTestServer()
const page = () => ({ participantId: crypto.randomUUID() })

async function world() {
  const org = await muster.anOrganisation({ multiIncident: true })
  const ana = await muster.signedInAs(org, 'USER', { firstName: 'Ana' })
  const ben = await muster.signedInAs(org, 'USER', { firstName: 'Ben' })
  const counsel = await muster.signedInAs(org, 'USER', { firstName: 'Cleo', type: 'EXTERNAL' })
  const admin = await muster.signedInAs(org, 'ADMIN', { firstName: 'Dan' })
  return { org, ana, ben, counsel, admin }
}

test('one press calls everybody of an incident, and makes the room that it lacks', async () => {
  const { ana, ben, counsel, admin } = await world()
  const targetedUsers = [ana.email, ben.email, counsel.email]
  const { id } = await declared(ana, { targetedUsers })
  const rings = [await openCallPage(muster, ben), await openCallPage(muster, counsel)]
  const asked = page()
  const { status, body } = await ana.post(`/incident/${id}/call`, asked)
  expect(status, JSON.stringify(body)).toBe(201)
  for (const one of rings)
    expect((await one.frame('call-ring')).incoming).toMatchObject({ roomId: body.roomId, title: body.title })
  // Asking again changes nothing.
  expect((await ana.post(`/incident/${id}/call`, asked)).body.call).toEqual(body.call)
  const incident = await ana.get(`/incident/${id}`)
  expect(incident.body).toMatchObject({ breakoutRoomId: body.roomId, version: 2 })
  const room = await ben.get(`/chat/rooms/${body.roomId}`)
  expect(room.body).toMatchObject({ kind: 'BREAKOUT_ROOM', incidentId: id, member_count: 3 })
  // Who is not in the room does not enter it by a call.
  expect((await admin.post(`/incident/${id}/call`, page())).status).toBe(403)

  await joinedCall(counsel, body.call.callId)
  await ben.post(`/calls/${body.call.callId}/decline`)
  await ana.delete(`/calls/${body.call.callId}`)
  const happened = await muster.inside(ana.organisation, (db) =>
    db
      .selectFrom('events')
      .select(['verb', 'changes'])
      .where('noun', '=', 'calls')
      .where('parent', '=', id)
      .orderBy('sequence')
      .execute(),
  )
  expect(happened.map(({ verb }) => verb)).toEqual(['started', 'rung', 'joined', 'declined', 'ended'])
  expect(happened.at(-1)!.changes).toEqual({
    participants: { from: [ana.email, counsel.email].sort(), to: null },
  })
})

test('an incident for everybody rings everybody in its room', async () => {
  const { org, ana, ben } = await world()
  const { id, breakoutRoomId } = await declared(ana, { createBreakoutRoom: true })
  await ana.post(`/chat/rooms/${breakoutRoomId}/members`, { userIds: [ben.uuid] })
  const ring = await openCallPage(muster, ben)
  await ana.post(`/incident/${id}/call`, page())
  expect((await ring.frame('call-ring')).incoming.roomId).toBe(breakoutRoomId)
  const alone = await declared(ana)
  const { body } = await ana.post(`/incident/${alone.id}/call`, page())
  expect(body.call.participants).toMatchObject([{ userId: ana.uuid }])
  expect(org.id).toBe(ana.organisation.id)
})

test('an exercise says so in a call that rings, and in a missed one', async () => {
  const { ana, ben } = await world()
  const { id } = await declared(ana, { targetedUsers: [ana.email, ben.email], isTabletop: true })
  const rings = await openCallPage(muster, ben)
  const { body } = await ana.post(`/incident/${id}/call`, page())
  const { incoming } = await rings.frame('call-ring')
  expect(incoming).toMatchObject({ callId: body.call.callId, isExercise: true })
  expect(await rings.rings()).toEqual([incoming])
  const real = await declared(ana, { targetedUsers: [ana.email, ben.email] })
  await ana.post(`/incident/${real.id}/call`, page())
  expect((await rings.frame('call-ring', 2)).incoming.isExercise).toBe(false)
  await ana.delete(`/calls/${body.call.callId}/participants/${body.participantId}`)
  const { data } = (await ben.get('/notifications')).body
  expect(data.map(({ title }: { title: string }) => title)).toContainEqual(
    expect.stringMatching(/^EXERCISE: Missed call from Ana /),
  )
})

test('a room is made by who may change the incident, while it is active', async () => {
  const { ana, counsel, admin } = await world()
  const { id } = await declared(ana, { targetedUsers: [ana.email, counsel.email] })
  const refused = await counsel.post(`/incident/${id}/call`, page())
  expect([refused.status, refused.body.message]).toEqual([403, 'This incident has no breakout room.'])
  expect((await admin.patch(`/incident/${id}`, { isActive: false })).status).toBe(200)
  expect((await ana.post(`/incident/${id}/call`, page())).status).toBe(409)
})
