import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'

import type { Room } from '#contract/chat/schema.ts'
import type { Notification, Notifications } from '#contract/notifications/schema.ts'
import { madeRoom } from '#tests/support/chat.ts'
import { hostedOrganisation, mirrored } from '#tests/support/hosted-api.ts'
import { FakeChatService } from '#tests/support/hosted-chat.ts'
import { declared } from '#tests/support/incidents.ts'
import type { Caller, Organisation, Staff } from '#tests/support/server.ts'
import { startTestServer } from '#tests/support/server.ts'

const service = new FakeChatService()
const muster = await startTestServer(await service.start())
afterAll(() => service.stop())

let staff: Staff
let organisation: Organisation
let ana: Caller
let ben: Caller
let cy: Caller

beforeEach(async () => {
  service.isDown = false
  staff ??= await muster.signedInAsStaff()
  organisation = await hostedOrganisation(staff)
  ana = await muster.signedInAs(organisation, 'ADMIN', { firstName: 'Ana' })
  ben = await muster.signedInAs(organisation, 'USER', { firstName: 'Ben' })
  cy = await muster.signedInAs(organisation, 'USER', { firstName: 'Cy' })
})

const settled = () => mirrored(muster, organisation, { isWrittenNow: true })
const aRoom = async (people: readonly Caller[] = [ben], more: object = {}): Promise<Room> => {
  const room = await madeRoom(ana, { userIds: people.map(({ uuid }) => uuid), ...more })
  await settled()
  return room
}
const written = (room: Pick<Room, 'cid'>, by: Caller, text: string) =>
  service.postAs(service.channels.get(room.cid)!, by.uuid, text)
/** Reports a sent, changed or deleted message as the sender's page does. */
const reported = (by: Caller, room: Pick<Room, 'id'>, messageId: string) =>
  by.post(`/stream/channels/${room.id}/mentions`, { messageId })
const readUntil = (by: Caller, room: Pick<Room, 'id'>, time: string) =>
  by.post(`/stream/channels/${room.id}/mentions/read`, { until: new Date(time).toISOString() })
const told = async (caller: Caller): Promise<readonly Notification[]> =>
  ((await caller.get('/notifications')).body as Notifications).data
const nameOf = async (caller: Caller) => {
  const { user } = (await caller.get('/me')).body
  return `${user.firstName} ${user.lastName}`
}
const events = async () =>
  (
    await muster.inside(organisation, (db) =>
      sql<{ verb: string }>`select verb from events where noun = 'notifications' order by sequence`.execute(
        db,
      ),
    )
  ).rows.map(({ verb }) => verb)

describe('a mention at the service notifies', () => {
  test('the member once, with the way to the message and none of its text', async () => {
    const room = await aRoom()
    const message = written(room, ana, `Look at the secret, @${ben.email}`)
    for (let times = 0; times < 3; times++)
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await reported(ana, room, message['id'])).status).toBe(204)
    await Promise.all([1, 2, 3].map(() => reported(ana, room, message['id'])))
    expect(await told(ben)).toEqual([
      {
        id: expect.any(String),
        title: `${await nameOf(ana)} mentioned you`,
        details: room.name!,
        createTimestamp: expect.any(String),
        incidentId: null,
        activityId: null,
        roomId: room.id,
        playbookId: null,
        approvalId: null,
        messageId: message['id'],
        hasBeenRead: false,
      } satisfies Record<keyof Notification, unknown>,
    ])
    expect(await events()).toEqual(['created'])
  })

  test('who was added by a later edit, and nobody again', async () => {
    const room = await aRoom([ben, cy])
    const message = written(room, ana, `@${ben.email}`)
    await reported(ana, room, message['id'])
    message['richText'] = `<p>@${ben.email} and @${cy.email}</p>`
    expect((await reported(ana, room, message['id'])).status).toBe(204)
    expect(await told(ben)).toHaveLength(1)
    expect(await told(cy)).toMatchObject([{ messageId: message['id'] }])
  })

  test('neither oneself, nor people outside the room, nor members who were archived', async () => {
    const room = await aRoom([ben])
    const archived = await muster.signedInAs(organisation)
    await ana.post(`/chat/rooms/${room.id}/members`, { userIds: [archived.uuid] })
    await settled()
    await ana.delete(`/useradmin/user/${archived.uuid}`)
    const message = written(room, ana, `@${ana.email} @${cy.email} @${archived.email} @nobody@else.example`)
    expect((await reported(ana, room, message['id'])).status).toBe(204)
    expect([await told(ana), await told(cy), await events()]).toEqual([[], [], []])
  })

  test('people from outside who are in the room, and whom they mention', async () => {
    const guest = await muster.signedInAs(organisation, 'USER', { type: 'EXTERNAL' })
    const stranger = await muster.signedInAs(organisation, 'USER', { type: 'EXTERNAL' })
    const room = await aRoom([ben, guest])
    const message = written(room, ana, `@${guest.email} @${stranger.email}`)
    await reported(ana, room, message['id'])
    expect(await told(guest)).toMatchObject([{ messageId: message['id'] }])
    expect(await told(stranger)).toEqual([])
    const answer = written(room, guest, `@${ben.email} @${cy.email}`)
    expect((await reported(guest, room, answer['id'])).status).toBe(204)
    expect(await told(ben)).toMatchObject([{ messageId: answer['id'] }])
    expect(await told(cy)).toEqual([])
  })

  test('as part of an exercise where the room is', async () => {
    const incident = await declared(ana, {
      isTabletop: true,
      createBreakoutRoom: true,
      targetedUsers: [ben.email],
    })
    await settled()
    const room = { id: incident.breakoutRoomId!, cid: `team:${incident.breakoutRoomId}` }
    await reported(ana, room, written(room, ana, `@${ben.email}`)['id'])
    expect((await told(ben)).map(({ title }) => title)).toContain(
      `EXERCISE: ${await nameOf(ana)} mentioned you`,
    )
  })

  test('whom a message of another client of the service mentions, whatever its fields are', async () => {
    const room = await aRoom()
    const message = written(room, ana, `@${ben.email}`)
    delete message['richText']
    message['id'] = `${ana.uuid}-1`
    await reported(ana, room, message['id'])
    expect(await told(ben)).toMatchObject([{ messageId: message['id'] }])
    const strange = written(room, ana, `@${ben.email}`)
    Object.assign(strange, { richText: { not: 'text' }, text: null })
    expect((await reported(ana, room, strange['id'])).status).toBe(204)
    expect(await told(ben)).toHaveLength(1)
  })
})

describe('the server does not believe the browser', () => {
  test('about the author', async () => {
    const room = await aRoom([ben, cy])
    const message = written(room, ana, `@${cy.email}`)
    expect((await reported(ben, room, message['id'])).status).toBe(403)
    expect(await told(cy)).toEqual([])
  })

  test('about the room, or the organisation', async () => {
    const [room, other] = [await aRoom(), await aRoom([ben, cy])]
    const elsewhere = written(other, ana, `@${ben.email}`)
    expect((await reported(ana, room, elsewhere['id'])).status).toBe(404)
    expect((await reported(cy, room, elsewhere['id'])).status).toBe(404)
    const stranger = await muster.signedInAs(await hostedOrganisation(staff), 'ADMIN')
    expect((await reported(stranger, other, elsewhere['id'])).status).toBe(404)
    expect(await told(ben)).toEqual([])
  })

  test('about a message that the service does not have, or an id that is a path', async () => {
    const room = await aRoom()
    expect((await reported(ana, room, crypto.randomUUID())).status).toBe(404)
    const asked = service.calls.length
    for (const id of ['..', '../users', 'a/b', '', 'x'.repeat(256)])
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await reported(ana, room, id)).status).toBe(400)
    expect(service.calls.slice(asked).filter((call) => call.startsWith('GET '))).toEqual([])
  })

  test('in an organisation with the built-in chat', async () => {
    const builtIn = await muster.signedInAs(await muster.anOrganisation(), 'ADMIN')
    const room = await madeRoom(builtIn)
    const refused = "This organization's messages are in the built-in chat."
    const messageId = crypto.randomUUID()
    expect(await reported(builtIn, room, messageId)).toMatchObject({
      status: 409,
      body: { message: refused },
    })
    expect(await readUntil(builtIn, room, '2026-01-01')).toMatchObject({
      status: 409,
      body: { message: refused },
    })
    // Rooms of other organisations are still being copied to the service.
    expect(service.calls.filter((call) => call.includes(room.id) || call.includes(messageId))).toEqual([])
  })
})

test('while the service is away the call is refused, and notifies when it is repeated', async () => {
  const room = await aRoom()
  const message = written(room, ana, `@${ben.email}`)
  service.isDown = true
  expect(await reported(ana, room, message['id'])).toMatchObject({
    status: 503,
    body: { code: 'chat_service_unreachable' },
  })
  expect(await told(ben)).toEqual([])
  service.isDown = false
  expect((await reported(ana, room, message['id'])).status).toBe(204)
  expect(await told(ben)).toHaveLength(1)
})

describe('who has read a message has read its notification', () => {
  const read = async () =>
    Object.fromEntries((await told(ben)).map(({ messageId, hasBeenRead }) => [messageId, hasBeenRead]))

  test('up to the time that was read, in that room', async () => {
    const [room, other] = [await aRoom(), await aRoom()]
    const first = written(room, ana, `@${ben.email}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
    const second = written(room, ana, `@${ben.email} again`)
    const third = written(other, ana, `@${ben.email}`)
    for (const [where, { id }] of [
      [room, first],
      [room, second],
      [other, third],
    ] as [Room, { id: string }][])
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await reported(ana, where, id)
    expect((await readUntil(ben, room, first['created_at'])).status).toBe(204)
    expect(await read()).toEqual({ [first['id']]: true, [second['id']]: false, [third['id']]: false })
    expect(await events()).toEqual(['created', 'created', 'created', 'read'])
  })

  test('also where it was read before the notification was made', async () => {
    const room = await aRoom()
    const message = written(room, ana, `@${ben.email}`)
    await readUntil(ben, room, message['created_at'])
    await readUntil(ben, room, '2026-01-01')
    await reported(ana, room, message['id'])
    expect(await read()).toEqual({ [message['id']]: true })
  })

  test('but not one who was mentioned by an edit after reading', async () => {
    const room = await aRoom()
    const message = written(room, ana, 'Somebody should look')
    await readUntil(ben, room, message['created_at'])
    message['richText'] = `<p>@${ben.email} should look</p>`
    message['message_text_updated_at'] = new Date().toISOString()
    await reported(ana, room, message['id'])
    expect(await read()).toEqual({ [message['id']]: false })
    await readUntil(ben, room, message['created_at'])
    expect(await read()).toEqual({ [message['id']]: true })
  })

  test('for oneself alone, as a member', async () => {
    const room = await aRoom()
    const message = written(room, ana, `@${ben.email}`)
    await reported(ana, room, message['id'])
    await readUntil(ana, room, message['created_at'])
    expect((await readUntil(cy, room, message['created_at'])).status).toBe(404)
    expect(await read()).toEqual({ [message['id']]: false })
  })
})

describe('a notification is withdrawn', () => {
  test.each(['marks it as deleted', 'has it no more'])('when the service %s', async (how) => {
    const room = await aRoom()
    const [message, other] = [written(room, ana, `@${ben.email}`), written(room, ana, `@${ben.email}`)]
    await reported(ana, room, message['id'])
    await reported(ana, room, other['id'])
    const channel = service.channels.get(room.cid)!
    if (how === 'has it no more') channel.messages = [other]
    else message['deleted_at'] = new Date().toISOString()
    const { status } = await reported(ana, room, message['id'])
    expect(status).toBe(how === 'has it no more' ? 404 : 204)
    expect(await told(ben)).toMatchObject([{ messageId: other['id'] }])
  })

  test('from who leaves, and with the room', async () => {
    const room = await aRoom([ben, cy])
    await reported(ana, room, written(room, ana, `@${ben.email} @${cy.email}`)['id'])
    await ben.post(`/chat/rooms/${room.id}/leave`)
    expect([(await told(ben)).length, (await told(cy)).length]).toEqual([0, 1])
    expect((await ana.delete(`/chat/rooms/${room.id}`)).status).toBe(204)
    expect(await told(cy)).toEqual([])
  })
})
