import { describe, expect, test } from 'vitest'

import type { Group } from '#contract/groups/schema.ts'
import type { Incident } from '#contract/incidents/schema.ts'

import { again, declared, resolve } from '../support/incidents.ts'
import { type Caller, startTestServer } from '../support/server.ts'

const muster = await startTestServer()

async function team(config: object = {}) {
  const organisation = await muster.anOrganisation({ multiIncident: true, ...config })
  const [lead, ana, ben, ext, board] = [
    await muster.signedInAs(organisation, 'ADMIN'),
    await muster.signedInAs(organisation, 'USER'),
    await muster.signedInAs(organisation, 'USER'),
    await muster.signedInAs(organisation, 'USER', { type: 'EXTERNAL' }),
    await muster.signedInAs(organisation, 'BUSINESS_USER'),
  ]
  return { organisation, lead, ana, ben, ext, board }
}
async function aGroup(by: Caller, name: string, ...members: Caller[]): Promise<Group> {
  const userIds = members.map(({ email }) => email)
  const { status, body } = await by.post('/useradmin/group', { name, userIds })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const titles = async (caller: Caller) =>
  (await caller.get('/incident')).body.data.map(({ title }: Incident) => title)
const seenBy = async (caller: Caller, { id }: Incident): Promise<Incident> =>
  (await caller.get(`/incident/${id}`)).body
const unread = async (caller: Caller) => (await caller.get('/notifications')).body.unreadCount

describe('an incident that targets a group', () => {
  test('asks its members to check in, tells them, and shows itself to the external ones', async () => {
    const { lead, ana, ben, ext } = await team()
    const group = await aGroup(lead, 'Harbour', ana, ext)
    const incident = await declared(lead, { targetedGroupIds: [group.id] })
    expect(incident).toMatchObject({
      isTargeted: true,
      targetedUsers: [],
      targetedGroups: [
        { id: group.id, name: 'Harbour', userIds: expect.arrayContaining([ana.email, ext.email]) },
      ],
      shouldCurrentUserCheckIn: false,
    })
    expect((await seenBy(ana, incident)).shouldCurrentUserCheckIn).toBe(true)
    expect((await seenBy(ben, incident)).shouldCurrentUserCheckIn).toBe(false)
    expect(await titles(ext)).toEqual([incident.title])
    expect([await unread(ana), await unread(ext), await unread(ben)]).toEqual([1, 1, 0])
  })

  test('follows who joins and leaves the group', async () => {
    const { lead, ana, ben, ext } = await team()
    const group = await aGroup(lead, 'Harbour', ana)
    const incident = await declared(lead, { targetedGroupIds: [group.id] })
    expect((await ext.get(`/incident/${incident.id}`)).status).toBe(404)
    const change = { name: 'Harbour', userIds: [ben.email, ext.email], version: group.version }
    expect((await lead.put(`/useradmin/group/${group.id}`, change)).status).toBe(200)
    expect((await seenBy(ben, incident)).shouldCurrentUserCheckIn).toBe(true)
    expect((await seenBy(ana, incident)).shouldCurrentUserCheckIn).toBe(false)
    expect((await ext.get(`/incident/${incident.id}`)).status).toBe(200)
  })

  test('asks nobody who cannot be targeted', async () => {
    const { lead, ana, board } = await team()
    const group = await aGroup(lead, 'Everybody', ana, board)
    const incident = await declared(lead, { targetedGroupIds: [group.id] })
    expect((await seenBy(board, incident)).shouldCurrentUserCheckIn).toBe(false)
    expect(await unread(board)).toBe(0)
  })

  test('counts who is named and in the group once', async () => {
    const { lead, ana } = await team()
    const group = await aGroup(lead, 'Harbour', ana)
    const incident = await declared(lead, {
      targetedUsers: [ana.email],
      targetedGroupIds: [group.id, group.id],
    })
    expect(incident.targetedUsers).toEqual([ana.email])
    expect(incident.targetedGroups).toHaveLength(1)
    expect(await unread(ana)).toBe(1)
    await lead.patch(`/incident/${incident.id}`, { targetedUsers: [], version: incident.version })
    expect((await seenBy(ana, incident)).shouldCurrentUserCheckIn).toBe(true)
    expect(await unread(ana)).toBe(1)
  })

  test('can be aimed anew, until nobody is left and everybody is asked', async () => {
    const { lead, ana, ben, ext } = await team()
    const [first, second] = [await aGroup(lead, 'First', ana, ext), await aGroup(lead, 'Second', ben)]
    const incident = await declared(lead, { targetedGroupIds: [first.id] })
    await lead.patch(`/incident/${incident.id}`, { targetedGroupIds: [second.id] })
    expect((await again(lead, incident)).targetedGroups.map(({ name }) => name)).toEqual(['Second'])
    expect([await unread(ana), await unread(ben), await unread(ext)]).toEqual([0, 1, 0])
    expect((await ext.get(`/incident/${incident.id}`)).status).toBe(404)
    // Absent fields stay unchanged.
    await lead.patch(`/incident/${incident.id}`, { title: 'Another title' })
    expect((await again(lead, incident)).isTargeted).toBe(true)
    await lead.patch(`/incident/${incident.id}`, { targetedGroupIds: [] })
    const now = await seenBy(ana, incident)
    expect([now.isTargeted, now.shouldCurrentUserCheckIn]).toEqual([false, true])
  })

  test('keeps the group from being deleted while it is active', async () => {
    const { lead, ana } = await team()
    const group = await aGroup(lead, 'Harbour', ana)
    const incident = await declared(lead, { targetedGroupIds: [group.id] })
    const refused = await lead.delete(`/useradmin/group/${group.id}`)
    expect(refused).toMatchObject({
      status: 400,
      body: { message: 'This group is targeted in an incident and cannot be deleted.' },
    })
    await resolve(lead, incident)
    expect((await lead.delete(`/useradmin/group/${group.id}`)).status).toBe(204)
  })
})

describe('what is no group to be targeted', () => {
  test('is refused by its place, and nothing is written', async () => {
    const { lead, ana } = await team()
    const other = await team()
    const [ours, theirs] = [await aGroup(lead, 'Ours', ana), await aGroup(other.lead, 'Theirs', other.ana)]
    for (const wrong of [theirs.id, crypto.randomUUID()]) {
      const reply = await lead.post('/incident', {
        title: 'Flood',
        fullText: '<p>Water</p>',
        targetedGroupIds: [ours.id, wrong],
      })
      expect(reply).toMatchObject({
        status: 400,
        body: { fields: { 'targetedGroupIds.1': 'This group does not exist.' } },
      })
    }
    expect(
      (await lead.post('/incident', { title: 'Flood', fullText: '<p>W</p>', targetedGroupIds: ['x'] }))
        .status,
    ).toBe(400)
    expect(await titles(lead)).toEqual([])
  })

  test('is every group where the organisation has none', async () => {
    const { lead } = await team({ groupsEnabled: false })
    const body = { title: 'Flood', fullText: '<p>Water</p>', targetedGroupIds: [crypto.randomUUID()] }
    expect((await lead.post('/incident', body)).status).toBe(403)
  })
})

describe('an incident for everybody and external people', () => {
  test('asks both to check in, and shows the external ones nothing else', async () => {
    const { lead, ana, ben, ext, board } = await team()
    const incident = await declared(lead, { targetedUsers: [ext.email], withEverybody: true })
    const other = await declared(lead)
    expect(incident).toMatchObject({ isTargeted: false, targetedUsers: [ext.email] })
    expect((await ext.get(`/incident/${other.id}`)).status).toBe(404)
    expect((await seenBy(ext, incident)).shouldCurrentUserCheckIn).toBe(true)
    expect((await seenBy(ana, incident)).shouldCurrentUserCheckIn).toBe(true)
    const asked = (await lead.get(`/incident/${incident.id}/teamStatus`)).body.data
    const everybody = [lead, ana, ben, ext, board].map(({ uuid }) => uuid)
    expect(asked.map(({ id }: { id: string }) => id).sort()).toEqual(everybody.sort())
    // A change of something else keeps both.
    await lead.patch(`/incident/${incident.id}`, { title: 'Flood' })
    expect(await again(lead, incident)).toMatchObject({ isTargeted: false, targetedUsers: [ext.email] })
    await lead.patch(`/incident/${incident.id}`, { withEverybody: false })
    expect((await seenBy(ana, incident)).shouldCurrentUserCheckIn).toBe(false)
  })
})
