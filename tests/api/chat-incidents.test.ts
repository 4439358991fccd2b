import { expect, test } from 'vitest'

import type { RoomMember } from '#contract/chat/schema.ts'
import { unbanUser } from '#server/users/flows.ts'

import { openPage } from '../support/chat.ts'
import { again, declared } from '../support/incidents.ts'
import { type Caller, startTestServer } from '../support/server.ts'

const muster = await startTestServer()

const rolesIn = async (caller: Caller, roomId: string): Promise<Record<string, string>> => {
  const { body } = await caller.get(`/chat/rooms/${roomId}/members`)
  return Object.fromEntries(body.map((one: RoomMember) => [one.email, one.channel_role]))
}

test('an incident that wished for a breakout room has it, with who is targeted, and its creator owns it', async () => {
  const organisation = await muster.anOrganisation({ multiIncident: true })
  const [admin, ana, counsel, later] = [
    await muster.signedInAs(organisation, 'ADMIN'),
    await muster.signedInAs(organisation),
    await muster.signedInAs(organisation, 'USER', { type: 'EXTERNAL' }),
    await muster.signedInAs(organisation),
  ]
  const page = await openPage(muster, counsel)
  const incident = await declared(admin, {
    createBreakoutRoom: true,
    targetedUsers: [ana.email, counsel.email],
  })
  const id = incident.breakoutRoomId!
  await page.until(() => page.of('members').length > 0)
  expect((await admin.get(`/chat/rooms/${id}`)).body).toMatchObject({
    kind: 'BREAKOUT_ROOM',
    name: incident.title,
    incidentId: incident.id,
    membership: { role: 'owner' },
  })
  expect(await rolesIn(counsel, id)).toEqual({
    [admin.email]: 'owner',
    [ana.email]: 'member',
    [counsel.email]: 'member',
  })
  expect((await later.get(`/chat/rooms/${id}`)).status).toBe(404)
  const { version } = await again(admin, incident)
  const targetedUsers = [ana.email, counsel.email, later.email]
  expect((await admin.patch(`/incident/${incident.id}`, { targetedUsers, version })).status).toBe(200)
  expect((await later.get(`/chat/rooms/${id}`)).status).toBe(200)
  const second = await declared(admin, { createBreakoutRoom: true })
  expect((await admin.get(`/chat/rooms/${second.breakoutRoomId}`)).body.name).toBe(`${incident.title} (2)`)
  expect((await declared(admin)).breakoutRoomId).toBeNull()
})

test('who joins a group that an incident targets enters its room, and who was taken out stays out', async () => {
  const organisation = await muster.anOrganisation()
  const [admin, ana, ben] = [
    await muster.signedInAs(organisation, 'ADMIN'),
    await muster.signedInAs(organisation),
    await muster.signedInAs(organisation),
  ]
  const { body: group } = await admin.post('/useradmin/group', { name: 'Fleet', userIds: [ana.email] })
  const incident = await declared(admin, { createBreakoutRoom: true, targetedGroupIds: [group.id] })
  const id = incident.breakoutRoomId!
  await admin.delete(`/chat/rooms/${id}/members/${ana.uuid}`)
  const both = { name: 'Fleet', userIds: [ana.email, ben.email], version: group.version }
  expect((await admin.put(`/useradmin/group/${group.id}`, both)).status).toBe(200)
  expect(await rolesIn(admin, id)).toEqual({ [admin.email]: 'owner', [ben.email]: 'member' })
})

test('who is reactivated, unbanned or given another role enters the rooms of incidents that target their group', async () => {
  const organisation = await muster.anOrganisation()
  const admin = await muster.signedInAs(organisation, 'ADMIN')
  const [archived, banned, business] = [
    await muster.signedInAs(organisation),
    await muster.signedInAs(organisation),
    await muster.signedInAs(organisation),
  ]
  const userIds = [archived.email, banned.email, business.email]
  const { body: group } = await admin.post('/useradmin/group', { name: 'Fleet', userIds })
  const set = (of: Caller, values: object) =>
    muster.inside(organisation, (db) =>
      db.updateTable('users').set(values).where('id', '=', of.uuid).execute(),
    )
  await set(archived, { active: false })
  await set(banned, { banned: true })
  await set(business, { role: 'BUSINESS_USER' })
  const incident = await declared(admin, { createBreakoutRoom: true, targetedGroupIds: [group.id] })
  const id = incident.breakoutRoomId!
  expect(await rolesIn(admin, id)).toEqual({ [admin.email]: 'owner' })
  expect((await admin.post(`/useradmin/user/${archived.uuid}`)).status).toBe(200)
  expect(Object.keys(await rolesIn(admin, id))).toContain(archived.email)
  await muster.inside(organisation, (db) => unbanUser(db, banned.uuid))
  expect(Object.keys(await rolesIn(admin, id))).toContain(banned.email)
  const { body: user } = await admin.get(`/useradmin/user/${business.uuid}`)
  const changed = { ...user, role: 'USER', sendWelcomeSetPasswordEmail: false }
  expect((await admin.put(`/useradmin/user/${business.uuid}`, changed)).status).toBe(200)
  expect(Object.keys(await rolesIn(admin, id)).sort()).toEqual([admin.email, ...userIds].sort())
})
