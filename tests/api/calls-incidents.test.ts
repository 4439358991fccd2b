import { describe, expect, test } from 'vitest'

import { joinedCall, openCallPage } from '../support/calls.ts'
import { addCrowd } from '../support/crowd.ts'
import { declared } from '../support/incidents.ts'
import { type Caller, startTestServer } from '../support/server.ts'

const muster = await startTestServer()
const page = () => ({ participantId: crypto.randomUUID() })

const callsOf = async (who: Caller, id: string) =>
  muster.inside(who.organisation, (db) =>
    db
      .selectFrom('events')
      .select(['verb', 'changes'])
      .where('noun', '=', 'calls')
      .where('parent', '=', id)
      .orderBy('sequence')
      .execute(),
  )
const membersOf = async (who: Caller, roomId: string): Promise<string[]> =>
  (await who.get(`/chat/rooms/${roomId}/members`)).body.map(({ user_id }: { user_id: string }) => user_id)

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
  // Repeating the request changes nothing.
  expect((await ana.post(`/incident/${id}/call`, asked)).body.call).toEqual(body.call)
  const incident = await ana.get(`/incident/${id}`)
  expect(incident.body).toMatchObject({ breakoutRoomId: body.roomId, version: 2 })
  const room = await ben.get(`/chat/rooms/${body.roomId}`)
  expect(room.body).toMatchObject({ kind: 'BREAKOUT_ROOM', incidentId: id, member_count: 3 })
  // A call gives no access to a room.
  expect((await admin.post(`/incident/${id}/call`, page())).status).toBe(403)

  await joinedCall(counsel, body.call.callId)
  await ben.post(`/calls/${body.call.callId}/decline`)
  await ana.delete(`/calls/${body.call.callId}`)
  const happened = await callsOf(ana, id)
  expect(happened.map(({ verb }) => verb)).toEqual(['started', 'rung', 'joined', 'declined', 'ended'])
  expect(happened.at(-1)!.changes).toEqual({
    participants: { from: [ana.email, counsel.email].sort(), to: null },
  })
})

describe('an incident for everybody', () => {
  test.each([
    ['without a room', {}],
    ['with a room', { createBreakoutRoom: true }],
  ])('%s rings every colleague, who becomes a member of its room', async (_, given) => {
    const { ana, ben, counsel, admin } = await world()
    const { id } = await declared(ana, given)
    const pages = [await openCallPage(muster, ben), await openCallPage(muster, admin)]
    const { status, body } = await ana.post(`/incident/${id}/call`, page())
    expect(status, JSON.stringify(body)).toBe(201)
    for (const one of pages) expect((await one.frame('call-ring')).incoming.roomId).toBe(body.roomId)
    // External people are not expected to check in.
    expect((await membersOf(ben, body.roomId)).sort()).toEqual([ana.uuid, ben.uuid, admin.uuid].sort())
    expect((await counsel.get(`/chat/rooms/${body.roomId}`)).status).toBe(404)
    expect((await callsOf(ana, id)).map(({ verb, changes }) => [verb, changes['participants']?.to])).toEqual([
      ['started', [ana.email]],
      ['rung', [admin.email, ben.email].sort()],
    ])
  })

  test('rings those who come later, too, and nobody who left its room', async () => {
    const { org, ana, ben, admin } = await world()
    const { id } = await declared(ana)
    const { body } = await ana.post(`/incident/${id}/call`, page())
    expect((await ben.post(`/chat/rooms/${body.roomId}/leave`)).status).toBe(204)
    const eve = await muster.signedInAs(org, 'USER', { firstName: 'Eve' })
    const rung = await ana.post(`/calls/${body.call.callId}/rings`, { who: 'INCIDENT' })
    expect(rung.body).toEqual({ rung: 2 })
    expect((await membersOf(ana, body.roomId)).sort()).toEqual([ana.uuid, admin.uuid, eve.uuid].sort())
    expect((await ben.post(`/incident/${id}/call`, page())).status).toBe(403)
  })

  test('is called by anybody whom it asks, who enters its room by that', async () => {
    const { ana, ben } = await world()
    const { id, breakoutRoomId } = await declared(ana, { createBreakoutRoom: true })
    const ring = await openCallPage(muster, ana)
    expect((await ben.post(`/incident/${id}/call`, page())).status).toBe(201)
    expect((await ring.frame('call-ring')).incoming.roomId).toBe(breakoutRoomId)
  })

  test('is not called where that would ring nobody: there is no call, no room and no word in the report', async () => {
    const ana = await muster.signedInAs(await muster.anOrganisation({ multiIncident: true }), 'USER')
    const { id } = await declared(ana)
    const { status, body } = await ana.post(`/incident/${id}/call`, page())
    expect([status, body.message]).toEqual([409, 'There is nobody else to call.'])
    expect(await callsOf(ana, id)).toEqual([])
    expect((await ana.get(`/incident/${id}`)).body).toMatchObject({ breakoutRoomId: null, version: 1 })
    const { breakoutRoomId, ...incident } = await declared(ana, { createBreakoutRoom: true })
    expect((await ana.post(`/incident/${incident.id}/call`, page())).status).toBe(409)
    const room = await ana.get(`/chat/rooms/${breakoutRoomId}`)
    expect(room.body).toMatchObject({ callDetails: null, sequence: 0 })
    expect(await callsOf(ana, incident.id)).toEqual([])
  })

  test('is not called where it asks more than 500 people', async () => {
    const { org, ana } = await world()
    const { id, breakoutRoomId } = await declared(ana, { createBreakoutRoom: true })
    await addCrowd(muster, org, 501)
    const { status, body } = await ana.post(`/incident/${id}/call`, page())
    expect([status, body.fields]).toEqual([
      400,
      { ringing: 'A maximum of 500 people can be called at once.' },
    ])
    expect(await membersOf(ana, breakoutRoomId!)).toEqual([ana.uuid])
    expect((await ana.get(`/chat/rooms/${breakoutRoomId}`)).body.callDetails).toBeNull()
  })

  test('has a room that a colleague enters with the first visit', async () => {
    const { ana, ben, counsel } = await world()
    const { id, breakoutRoomId } = await declared(ana, { createBreakoutRoom: true })
    const accessOf = async (who: Caller): Promise<string> =>
      (await who.get(`/incident/${id}`)).body.breakoutRoomAccess
    expect([await accessOf(ana), await accessOf(ben)]).toEqual(['MEMBER', 'OPEN'])
    expect((await ben.get(`/chat/rooms/${breakoutRoomId}`)).status).toBe(404)
    const opened = await ben.post(`/incident/${id}/room`)
    expect(opened).toMatchObject({ status: 200, body: { id: breakoutRoomId, member_count: 2 } })
    expect((await ben.post(`/incident/${id}/room`)).body).toEqual(opened.body)
    expect(await accessOf(ben)).toBe('MEMBER')
    // External people see only incidents that target them.
    expect((await counsel.post(`/incident/${id}/room`)).status).toBe(404)
    // A person who has left cannot enter again.
    await ben.post(`/chat/rooms/${breakoutRoomId}/leave`)
    expect(await accessOf(ben)).toBe('NONE')
    expect((await ben.post(`/incident/${id}/room`)).status).toBe(403)
  })
})

test('the room of an incident that targets people is closed to others, and that of a resolved one', async () => {
  const { ana, ben, admin } = await world()
  const targeted = await declared(ana, { targetedUsers: [ana.email], createBreakoutRoom: true })
  const resolved = await declared(ana, { createBreakoutRoom: true })
  expect((await admin.patch(`/incident/${resolved.id}`, { isActive: false })).status).toBe(200)
  const roomless = await declared(ana)
  for (const [{ id }, status] of [
    [targeted, 403],
    [resolved, 403],
    [roomless, 404],
  ] as const) {
    expect((await ben.get(`/incident/${id}`)).body.breakoutRoomAccess).toBe('NONE')
    expect((await ben.post(`/incident/${id}/room`)).status).toBe(status)
  }
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
