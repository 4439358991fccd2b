import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import type { CallDetails, JoinedCall } from '#contract/calls/schema.ts'
import type { Room } from '#contract/chat/schema.ts'

import { joinedCall, openCallPage, startedCall } from '../support/calls.ts'
import { madeRoom } from '../support/chat.ts'
import { addCrowd } from '../support/crowd.ts'
import { type Caller, type Organisation, startTestServer } from '../support/server.ts'

const muster = await startTestServer()

const people = async (org: Organisation, ...names: string[]): Promise<Caller[]> => {
  const found: Caller[] = []
  for (const firstName of names) found.push(await muster.signedInAs(org, 'USER', { firstName }))
  return found
}
/** Ana and Ben in a room, Cleo outside. */
async function world() {
  const org = await muster.anOrganisation()
  const [ana, ben, cleo] = (await people(org, 'Ana', 'Ben', 'Cleo')) as [Caller, Caller, Caller]
  const room = await madeRoom(ana, { userIds: [ben.uuid] })
  return { org, ana, ben, cleo, room }
}
const roomOf = async (who: Caller, id: string): Promise<Room> => (await who.get(`/chat/rooms/${id}`)).body
const callOf = async (who: Caller, id: string): Promise<CallDetails | null> =>
  (await roomOf(who, id)).callDetails
const messageOf = async (who: Caller, { call }: JoinedCall) =>
  (await who.get(`/chat/messages/${call.messageId}`)).body.message
const leave = (who: Caller, { call, participantId }: JoinedCall) =>
  who.delete(`/calls/${call.callId}/participants/${participantId}`)

describe('a call', () => {
  test('is started in a room, is joined, and ends with the last who leaves', async () => {
    const { ana, ben, room } = await world()
    const page = await openCallPage(muster, ben)
    const mine = await startedCall(ana, room.id)
    expect(mine).toMatchObject({ roomId: room.id, title: room.name, engine: { kind: 'built-in' } })
    expect(mine.call.meetingId).toMatch(/^\d{9}$/)
    expect(mine.call.participants).toMatchObject([{ userId: ana.uuid, participantId: mine.participantId }])
    expect(await messageOf(ben, mine)).toMatchObject({
      isCall: true,
      user: ana.uuid,
      call: { id: mine.call.callId, endedAt: null, isMissed: false },
    })

    const theirs = await joinedCall(ben, mine.call.callId)
    expect(theirs.call.participants.map(({ userId }) => userId)).toEqual([ana.uuid, ben.uuid])
    expect(theirs.call).toMatchObject({ messageId: mine.call.messageId, meetingId: mine.call.meetingId })
    await page.page.until(() => page.page.of('room').at(-1)?.room.callDetails?.participants.length === 2)

    expect((await leave(ana, mine)).status).toBe(204)
    expect((await callOf(ben, room.id))?.participants).toMatchObject([{ userId: ben.uuid }])
    expect((await leave(ben, theirs)).status).toBe(204)
    expect(await callOf(ben, room.id)).toBeNull()
    await page.page.until(() => page.page.of('room').at(-1)?.room.callDetails === null)
    await page.page.until(() => page.page.messages(room.id).at(-1)?.call?.endedAt !== null)
    expect(await messageOf(ben, mine)).toMatchObject({ isCall: true, call: { isMissed: false } })
    // Repeating the request is harmless.
    expect((await leave(ben, theirs)).status).toBe(204)
    await page.page.close()
  })

  test('is one for a room, also where two start it at once', async () => {
    const { ana, ben, room } = await world()
    const [mine, theirs] = await Promise.all([startedCall(ana, room.id), startedCall(ben, room.id)])
    expect(mine.call.callId).toBe(theirs.call.callId)
    expect((await callOf(ana, room.id))?.participants).toHaveLength(2)
    const { messages } = (await ana.get(`/chat/rooms/${room.id}/messages`)).body
    expect(messages).toHaveLength(1)
  })

  test('counts a page once, however often it joins, and a second device twice', async () => {
    const { ana, room } = await world()
    const participantId = crypto.randomUUID()
    const first = await startedCall(ana, room.id, { participantId })
    expect((await startedCall(ana, room.id, { participantId })).call).toEqual(first.call)
    await startedCall(ana, room.id)
    expect((await callOf(ana, room.id))?.participants).toHaveLength(2)
  })

  test('is nobody else’s', async () => {
    const { ana, ben, cleo, room } = await world()
    const call = await startedCall(ana, room.id)
    const { callId } = call.call
    const participantId = crypto.randomUUID()
    const tries = [
      cleo.post('/calls', { roomId: room.id, participantId }),
      cleo.post(`/calls/${callId}/participants`, { participantId }),
      cleo.get(`/calls/${callId}`),
      cleo.post(`/calls/${callId}/rings`, { who: 'EVERYBODY' }),
      cleo.post(`/calls/${callId}/decline`),
      cleo.delete(`/calls/${callId}`),
      cleo.delete(`/calls/${callId}/participants/${call.participantId}`),
      cleo.get(`/stream/${room.id}/callDetails`),
      // Members cannot remove another person's page.
      ben.delete(`/calls/${callId}/participants/${call.participantId}`),
    ]
    for (const { status } of await Promise.all(tries)) expect(status).toBe(404)
    expect(
      (await ben.post(`/calls/${callId}/participants`, { participantId: call.participantId })).status,
    ).toBe(409)
    expect((await callOf(ana, room.id))?.participants).toHaveLength(1)
  })

  test('is joined no more once it has ended', async () => {
    const { ana, ben, room } = await world()
    const mine = await startedCall(ana, room.id)
    await leave(ana, mine)
    const late = await ben.post(`/calls/${mine.call.callId}/participants`, {
      participantId: crypto.randomUUID(),
    })
    expect(late).toMatchObject({ status: 409, body: { message: 'This call has ended.' } })
    const next = await startedCall(ben, room.id)
    expect(next.call.callId).not.toBe(mine.call.callId)
  })

  test('is full with twelve', async () => {
    const { ana, ben, room } = await world()
    for (let n = 0; n < 12; n += 1) await startedCall(ana, room.id)
    const { status, body } = await ben.post('/calls', { roomId: room.id, participantId: crypto.randomUUID() })
    expect(status).toBe(409)
    expect(body.message).toBe('This call is full. A call can have at most 12 people.')
  })

  test('is ended for everybody by a manager of its room only', async () => {
    const { ana, ben, room } = await world()
    const { call } = await startedCall(ben, room.id)
    await startedCall(ana, room.id)
    expect((await ben.delete(`/calls/${call.callId}`)).status).toBe(403)
    expect((await ana.delete(`/calls/${call.callId}`)).status).toBe(204)
    expect(await callOf(ben, room.id)).toBeNull()
    expect((await ana.delete(`/calls/${call.callId}`)).status).toBe(204)
  })

  test('remembers who was in it and when', async () => {
    const { ana, ben, room } = await world()
    const mine = await startedCall(ana, room.id)
    const theirs = await joinedCall(ben, mine.call.callId)
    await leave(ben, theirs)
    const { body } = await ana.get(`/calls/${mine.call.callId}`)
    expect(body).toMatchObject({
      startedBy: { uuid: ana.uuid },
      endedAt: null,
      attendance: [
        { person: { uuid: ana.uuid }, leftAt: null },
        { person: { uuid: ben.uuid }, leftAt: expect.any(String) },
      ],
    })
  })

  test('tells programs who is in it', async () => {
    const { ana, ben, room } = await world()
    const mine = await startedCall(ana, room.id)
    const { data } = (await ben.get(`/stream/${room.id}/callDetails`)).body
    expect(data.currentParticipants.map((one: string) => JSON.parse(one))).toEqual([
      { avatar: null, name: expect.stringMatching(/^Ana /), participantId: mine.participantId },
    ])
  })

  test('that would ring nobody is not started', async () => {
    const { ana, ben, room } = await world()
    await ben.post(`/chat/rooms/${room.id}/leave`)
    const ringing = { who: 'EVERYBODY' }
    const { status, body } = await ana.post('/calls', {
      roomId: room.id,
      participantId: crypto.randomUUID(),
      ringing,
    })
    expect([status, body.message]).toEqual([409, 'There is nobody else to call.'])
    expect(await roomOf(ana, room.id)).toMatchObject({ callDetails: null, sequence: 0 })
  })

  test('rings no more than 500 people at once', async () => {
    const { org, ana, room } = await world()
    const ringing = { who: 'EVERYBODY' }
    const start = () => ana.post('/calls', { roomId: room.id, participantId: crypto.randomUUID(), ringing })
    const crowd = await addCrowd(muster, org, 500)
    await muster.inside(org, (db) =>
      sql`insert into room_members (room_id, user_id, role, read_sequence, create_timestamp, change_sequence)
        select ${room.id}, one, 'member', 0, now(), 0 from unnest(${crowd}::uuid[]) one`.execute(db),
    )
    const { status, body } = await start()
    expect([status, body.fields]).toEqual([
      400,
      { ringing: 'A maximum of 500 people can be called at once.' },
    ])
    expect(await callOf(ana, room.id)).toBeNull()
    await ana.delete(`/chat/rooms/${room.id}/members/${crowd[0]}`)
    expect((await start()).status).toBe(201)
  })

  test('cannot be started in an archived direct message', async () => {
    const { ana, ben, org } = await world()
    const room = await madeRoom(ana, { kind: 'DIRECT_MESSAGE', name: undefined, userIds: [ben.uuid] })
    await muster.inside(org, (db) =>
      db.updateTable('users').set({ active: false }).where('id', '=', ben.uuid).execute(),
    )
    const { status } = await ana.post('/calls', { roomId: room.id, participantId: crypto.randomUUID() })
    expect(status).toBe(409)
  })
})

describe('a page in a call', () => {
  test('speaks to the others', async () => {
    const { ana, ben, room } = await world()
    const [left, right] = [await openCallPage(muster, ana), await openCallPage(muster, ben)]
    const mine = await startedCall(ana, room.id)
    const theirs = await joinedCall(ben, mine.call.callId)
    const { callId } = mine.call
    expect(await left.sign(mine)).toBe(true)
    left.say({
      type: 'call-media',
      callId,
      participantId: mine.participantId,
      media: { audio: true, video: false, screen: false, hand: 1_000 },
    })
    expect(await right.sign(theirs)).toBe(true)
    // A later participant gets the state as well.
    expect(await right.frame('call-media')).toMatchObject({
      participantId: mine.participantId,
      media: { hand: 1_000 },
    })
    const signal = { type: 'call-signal', callId, from: theirs.participantId, to: mine.participantId }
    for (let n = 0; n < 50; n += 1) right.say({ ...signal, data: { n, text: 'é'.repeat(1_000) } })
    const last = await left.frame('call-signal', 50)
    expect(left.frames('call-signal').map(({ data }) => (data as { n: number }).n)).toEqual(
      Array.from({ length: 50 }, (_, n) => n),
    )
    expect(last).toMatchObject({ from: theirs.participantId, data: { text: 'é'.repeat(1_000) } })
    await left.page.close()
    await right.page.close()
  })
})
