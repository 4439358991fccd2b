import { describe, expect, test } from 'vitest'

import type { Notification, Notifications } from '#contract/notifications/schema.ts'

import { headquartersOf, madeRoom, sending, sent } from '../support/chat.ts'
import { declared } from '../support/incidents.ts'
import { type Caller, startTestServer } from '../support/server.ts'

const muster = await startTestServer()

async function team() {
  const organisation = await muster.anOrganisation({ multiIncident: true })
  const [lead, ana, bo] = [
    await muster.signedInAs(organisation, 'ADMIN'),
    await muster.signedInAs(organisation, 'USER'),
    await muster.signedInAs(organisation, 'USER'),
  ]
  return { organisation, lead, ana, bo }
}
const told = async (caller: Caller): Promise<readonly Notification[]> =>
  ((await caller.get('/notifications')).body as Notifications).data
const nameOf = async (caller: Caller) => {
  const { user } = (await caller.get('/me')).body
  return `${user.firstName} ${user.lastName}`
}
const idOf = async (caller: Caller): Promise<string> => (await caller.get('/me')).body.user.uuid

describe('a mention notifies', () => {
  test('the member, with the way to the message and none of its text', async () => {
    const { lead, ana } = await team()
    const room = await madeRoom(lead, { userIds: [await idOf(ana)] })
    const message = await sent(lead, room.id, `Please look at the secret, @${ana.email}`)
    expect(await told(ana)).toEqual([
      {
        id: expect.any(String),
        title: `${await nameOf(lead)} mentioned you`,
        details: room.name!,
        createTimestamp: expect.any(String),
        incidentId: null,
        activityId: null,
        roomId: room.id,
        playbookId: null,
        approvalId: null,
        messageId: message.id,
        hasBeenRead: false,
      } satisfies Record<keyof Notification, unknown>,
    ])
  })

  test('neither oneself nor who is not in the room', async () => {
    const { lead, ana, bo } = await team()
    const room = await madeRoom(lead, { userIds: [await idOf(bo)] })
    await sent(lead, room.id, `@${lead.email} @${ana.email}`)
    for (const caller of [lead, ana, bo])
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await told(caller)).toEqual([])
  })

  test('once for each message, however often it is sent or changed', async () => {
    const { lead, ana, bo } = await team()
    const room = await headquartersOf(lead)
    const clientId = crypto.randomUUID()
    const text = `@${ana.email}`
    await sending(lead, room.id, text, { clientId })
    const { body: message } = await sending(lead, room.id, text, { clientId })
    expect(await told(ana)).toHaveLength(1)
    const edited = { text: `<p>@${ana.email} and @${bo.email}</p>` }
    expect((await lead.patch(`/chat/messages/${message.id}`, edited)).status).toBe(200)
    expect(await told(ana)).toHaveLength(1)
    expect(await told(bo)).toMatchObject([{ messageId: message.id }])
  })

  test('as part of an exercise where the room is', async () => {
    const { lead, ana } = await team()
    const incident = await declared(lead, {
      isTabletop: true,
      createBreakoutRoom: true,
      targetedUsers: [ana.email],
    })
    await sent(lead, incident.breakoutRoomId!, `@${ana.email}`)
    const [newest] = await told(ana)
    expect(newest!.title).toBe(`EXERCISE: ${await nameOf(lead)} mentioned you`)
  })

  test('people from outside, too', async () => {
    const { organisation, lead } = await team()
    const guest = await muster.signedInAs(organisation, 'USER', { type: 'EXTERNAL' })
    const room = await madeRoom(lead, { userIds: [await idOf(guest)] })
    const message = await sent(lead, room.id, `@${guest.email}`)
    expect(await told(guest)).toMatchObject([{ messageId: message.id }])
    await sent(guest, room.id, `@${lead.email}`)
    expect(await told(lead)).toHaveLength(1)
  })
})

test('who has read a message has read its notification', async () => {
  const { lead, ana } = await team()
  const room = await headquartersOf(lead)
  const first = await sent(lead, room.id, `@${ana.email}`)
  const second = await sent(lead, room.id, `@${ana.email} again`)
  await ana.post(`/chat/rooms/${room.id}/read`, { sequence: first.sequence })
  const read = (await told(ana)).map(({ messageId, hasBeenRead }) => [messageId, hasBeenRead])
  expect(Object.fromEntries(read)).toEqual({ [first.id]: true, [second.id]: false })
})

describe('a notification is withdrawn', () => {
  test('with the message', async () => {
    const { lead, ana } = await team()
    const room = await headquartersOf(lead)
    const message = await sent(lead, room.id, `@${ana.email}`)
    expect((await lead.delete(`/chat/messages/${message.id}`)).status).toBe(204)
    expect(await told(ana)).toEqual([])
  })

  test('from who leaves, and with the room', async () => {
    const { lead, ana, bo } = await team()
    const userIds = [await idOf(ana), await idOf(bo)]
    const room = await madeRoom(lead, { userIds })
    await sent(lead, room.id, `@${ana.email} @${bo.email}`)
    await ana.post(`/chat/rooms/${room.id}/leave`)
    expect(await told(ana)).toEqual([])
    expect(await told(bo)).toHaveLength(1)
    expect((await lead.delete(`/chat/rooms/${room.id}`)).status).toBe(204)
    expect(await told(bo)).toEqual([])
  })
})
