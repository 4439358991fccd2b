import { decodeJwt, jwtVerify } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'

import { mirrorOrganisation } from '#server/chat/hosted.flows.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { Caller, Organisation, Staff } from '#tests/support/server.ts'
import { startTestServer } from '#tests/support/server.ts'
import { hostedOrganisation, mirrored } from '#tests/support/hosted-api.ts'
import { FakeChatService, SERVICE_SECRET } from '#tests/support/hosted-chat.ts'

const service = new FakeChatService()
const muster = await startTestServer(await service.start())
afterAll(() => service.stop())

const key = new TextEncoder().encode(SERVICE_SECRET)
let staff: Staff
let organisation: Organisation
let ana: Caller
let ben: Caller

const settled = () => mirrored(muster, organisation)

beforeEach(async () => {
  service.users.clear()
  service.channels.clear()
  service.isDown = false
  staff ??= await muster.signedInAsStaff()
  organisation = await hostedOrganisation(staff)
  await settled()
  const marks = { markAsPrivilegedEnabled: true, statementOfPrivilege: 'Privileged and confidential.' }
  await sql`update organisations set config = config || ${JSON.stringify(marks)}::jsonb
    where id = ${organisation.id}`.execute(muster.services.database.directory)
  ana = await muster.signedInAs(organisation, 'ADMIN', { firstName: 'Ana' })
  ben = await muster.signedInAs(organisation, 'USER', { firstName: 'Ben' })
  await mirrorOrganisation(muster.services, organisation.id)
})

/** Writes all pending changes now, instead of at the next event or minute. */
const catchUp = () => mirrored(muster, organisation, { isWrittenNow: true })

const aRoom = async (more: object = {}) => {
  const given = { kind: 'WAR_ROOM', name: `Room ${crypto.randomUUID()}`, description: null, ...more }
  const { status, body } = await ana.post('/chat/rooms', { ...given, userIds: [ben.uuid] })
  expect(status, JSON.stringify(body)).toBe(201)
  await settled()
  return body
}
const channelOf = (room: { cid: string }) => service.channels.get(room.cid)!

describe('the token', () => {
  test('is one of the service for the caller alone, and the secret stays with the server', async () => {
    const { status, body, text } = await ben.get('/stream/accessToken')
    expect(status).toBe(200)
    const { payload, protectedHeader } = await jwtVerify(body.accessToken, key)
    expect(protectedHeader.alg).toBe('HS256')
    expect(payload).toEqual({ user_id: ben.uuid, iat: expect.any(Number), exp: expect.any(Number) })
    expect(payload.exp! - payload.iat!).toBeLessThanOrEqual(2 * 3_600)
    expect(body.serviceUrl).toBe(muster.services.settings.streamUrl)
    expect(text).not.toContain(SERVICE_SECRET)
    expect((await muster.send('GET', `/config/public/${organisation.code}`)).text).not.toContain(
      SERVICE_SECRET,
    )
  })

  test('is a ticket of our own for an organisation with the built-in chat', async () => {
    const other = await muster.signedInAs(await muster.anOrganisation())
    const { body } = await other.get('/stream/accessToken')
    expect(Object.keys(body)).toEqual(['accessToken'])
    expect(decodeJwt(body.accessToken)).not.toHaveProperty('user_id')
  })
})

describe('the service is told', () => {
  test('of Headquarters and everybody in it', async () => {
    await settled()
    const headquarters = service.channelNamed('Headquarters')!
    expect(headquarters.data).toMatchObject({ kind: 'WAR_ROOM', isWarRoom: true, isHeadquarters: true })
    expect([...headquarters.members.keys()]).toEqual(expect.arrayContaining([ana.uuid, ben.uuid]))
    expect(service.users.get(ben.uuid)).toMatchObject({
      name: expect.stringContaining('Ben'),
      person: { uuid: ben.uuid, email: ben.email, active: true },
    })
  })

  test('of a room, its changes, its roles and who leaves it', async () => {
    const room = await aRoom({ kind: 'BREAKOUT_ROOM', description: 'Where we talk' })
    expect(room.cid).toMatch(/^team:/)
    expect(channelOf(room).data).toMatchObject({
      isWarRoom: false,
      owner: ana.uuid,
      description: 'Where we talk',
    })
    expect(channelOf(room).members.get(ana.uuid)?.channel_role).toBe('channel_moderator')
    expect(channelOf(room).members.get(ben.uuid)?.channel_role).toBe('channel_member')

    await ana.patch(`/chat/rooms/${room.id}`, { name: 'Another name', isWarRoom: true })
    await ana.post('/stream/addModerator', { channelId: room.id, moderatorIds: [ben.uuid] })
    await settled()
    expect(channelOf(room).data).toMatchObject({ name: 'Another name', isWarRoom: true })
    expect(channelOf(room).members.get(ben.uuid)?.channel_role).toBe('channel_moderator')

    await ana.post('/stream/demoteModerator', { channelId: room.id, moderatorIds: [ben.uuid] })
    await settled()
    expect(channelOf(room).members.get(ben.uuid)?.channel_role).toBe('channel_member')

    const path = `/streamadmin/channels/team/${room.id}`
    await ana.post(path, { remove_members: [ben.uuid] })
    await settled()
    expect([...channelOf(room).members.keys()]).toEqual([ana.uuid])

    expect((await ana.delete(path)).status).toBe(204)
    await settled()
    expect(service.channels.has(room.cid)).toBe(false)
  })

  test('of a direct message as one', async () => {
    const { body } = await ana.post('/chat/rooms', { kind: 'DIRECT_MESSAGE', userIds: [ben.uuid] })
    await settled()
    expect(body.cid).toBe(`messaging:${body.id}`)
    expect([...channelOf(body).members.keys()].sort()).toEqual([ana.uuid, ben.uuid].sort())
  })

  test('of the breakout room of an incident', async () => {
    const given = {
      title: 'Flood',
      fullText: '<p>Water</p>',
      targetedUsers: [ben.email],
      createBreakoutRoom: true,
    }
    const { body } = await ana.post('/incident', given)
    await settled()
    const room = service.channels.get(`team:${body.breakoutRoomId}`)
    expect(room?.data, JSON.stringify(body)).toMatchObject({ incidentId: body.id, kind: 'BREAKOUT_ROOM' })
    expect([...room!.members.keys()]).toContain(ben.uuid)
  })

  test('of the mark of privilege, with the message that says so', async () => {
    const room = await aRoom()
    const { status, body } = await ana.post(`/privilege/${room.id}/true`)
    expect([status, body.privileged]).toEqual([200, true])
    await settled()
    expect(channelOf(room).data).toMatchObject({ privileged: true, privilegedStatus: { uuid: ana.uuid } })
    expect(channelOf(room).messages.map(({ text }) => text)).toEqual(['Marked this war room as privileged.'])
  })

  test('of archived people, whose tokens it takes no more', async () => {
    await settled()
    expect((await ana.delete(`/useradmin/user/${ben.uuid}`)).status).toBeLessThan(300)
    await settled()
    expect(service.users.get(ben.uuid)).toMatchObject({
      person: { active: false },
      revoke_tokens_issued_before: expect.any(String),
    })
    expect(service.channelNamed('Headquarters')!.members.has(ben.uuid)).toBe(false)
  })

  test('of everything that happened while it was away', async () => {
    await settled()
    service.isDown = true
    const asked = service.calls.length
    const { body: room } = await ana.post('/chat/rooms', {
      kind: 'WAR_ROOM',
      name: 'While it was away',
      description: null,
      userIds: [ben.uuid],
    })
    await vi.waitFor(() => expect(service.calls.length).toBeGreaterThan(asked))
    service.isDown = false
    await catchUp()
    expect([...channelOf(room).members.keys()].sort()).toEqual([ana.uuid, ben.uuid].sort())
  })

  test('by one process at a time', async () => {
    await settled()
    const until = new Date(clock.now() + 60_000).toISOString()
    await muster.inside(organisation, (db) =>
      sql`update chat_credentials set leased_until = ${until}`.execute(db),
    )
    await ana.post('/chat/rooms', { kind: 'WAR_ROOM', name: 'Leased', description: null, userIds: [] })
    expect(await mirrorOrganisation(muster.services, organisation.id)).toBe(0)
    expect(service.channelNamed('Leased')).toBeUndefined()
    await muster.inside(organisation, (db) =>
      sql`update chat_credentials set leased_until = null`.execute(db),
    )
    await catchUp()
    expect(service.channelNamed('Leased')).toBeDefined()
  })
})

test('an organisation that is cleared leaves no room at the service', async () => {
  const room = await aRoom()
  await staff.post(`/enterprise/${organisation.id}/access`, { reason: 'A question of theirs' })
  const { status, text } = await staff.delete(`/enterprise/${organisation.id}/clear`)
  expect(status, text).toBeLessThan(300)
  await catchUp()
  expect(service.channels.has(room.cid)).toBe(false)
  expect([...service.channels.values()].map(({ data }) => data['name'])).toEqual(['Headquarters'])
})

test('messages, exports of them and tasks from them are not taken by our own server', async () => {
  const room = await aRoom()
  const sent = await ana.post(`/chat/rooms/${room.id}/messages`, {
    clientId: crypto.randomUUID(),
    text: '<p>Hi</p>',
  })
  const exported = await ana.post('/stream/exportChannel', {
    id: room.id,
    type: 'team',
    messagesSince: '2020-01-01T00:00:00.000Z',
    messagesUntil: clock.timestamp(),
  })
  const message = `/chat/messages/${crypto.randomUUID()}/activity`
  const added = await ana.post(message, { incidentId: crypto.randomUUID(), type: 'TASK' })
  for (const { status, body } of [sent, exported, added])
    expect([status, body.message]).toEqual([409, "This organization's messages are at its chat service."])
})

test('pages may reach the service once an organisation uses it', async () => {
  const { headers } = await fetch(`${muster.url}/`, { headers: { Accept: 'text/html' } })
  const policy = headers.get('Content-Security-Policy')
  if (policy?.includes('nonce')) expect(policy).toContain(muster.services.settings.streamUrl)
})
