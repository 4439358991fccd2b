import { expect, test } from 'vitest'

import { headquartersOf, madeRoom, openPage, sending, sent } from '../support/chat.ts'
import { startTestServer } from '../support/server.ts'

const muster = await startTestServer()
const MARKS = { markAsPrivilegedEnabled: true, statementOfPrivilege: 'Privileged and confidential.' }

async function aTeam(config = {}) {
  const organisation = await muster.anOrganisation(config)
  const [admin, owner, ben, cleo] = [
    await muster.signedInAs(organisation, 'ADMIN'),
    await muster.signedInAs(organisation, 'USER', { firstName: 'Owner' }),
    await muster.signedInAs(organisation, 'USER', { firstName: 'Ben' }),
    await muster.signedInAs(organisation, 'USER', { firstName: 'Cleo' }),
  ]
  const room = await madeRoom(owner, { userIds: [ben.uuid, cleo.uuid], description: 'What it is for' })
  return { organisation, admin, owner, ben, cleo, room }
}

test('administrators list war rooms and breakout rooms, also those that they are not in, and nothing that is said there', async () => {
  const { admin, owner, ben, room } = await aTeam()
  const breakout = await madeRoom(owner, { kind: 'BREAKOUT_ROOM', name: 'Breakout' })
  await owner.post('/chat/rooms', { kind: 'DIRECT_MESSAGE', userIds: [ben.uuid] })
  await sent(owner, room.id, 'A secret word')
  const reply = await admin.post('/streamadmin/channels', { message_limit: 30, state: true })
  expect(reply.status).toBe(200)
  expect(reply.text).not.toContain('secret')
  const names = reply.body.channels.map(({ channel }: { channel: { name: string } }) => channel.name)
  expect(names).toEqual(['Headquarters', room.name, 'Breakout'])
  const { channel, members } = reply.body.channels[1]
  expect(channel).toMatchObject({
    cid: `team:${room.id}`,
    type: 'team',
    id: room.id,
    description: 'What it is for',
    isWarRoom: true,
    member_count: 3,
    last_message_at: expect.any(String),
  })
  expect(members.map(({ channel_role }: { channel_role: string }) => channel_role).sort()).toEqual([
    'member',
    'member',
    'owner',
  ])
  const bare = await admin.post('/streamadmin/channels', {
    limit: 1,
    offset: 1,
    memberLimit: 0,
    sort: [{ field: 'member_count', direction: -1 }],
  })
  expect(bare.body).toMatchObject({ channels: [{ channel: { name: room.name }, members: [] }], total: 3 })
  const found = async (filter_conditions: object) =>
    (await admin.post('/streamadmin/channels', { filter_conditions })).body.channels.map(
      (one: { channel: { name: string } }) => one.channel.name,
    )
  expect(await found({ isWarRoom: false })).toEqual(['Breakout'])
  expect(await found({ name: { $autocomplete: 'BREAK' } })).toEqual(['Breakout'])
  expect(await found({ name: { $autocomplete: '%' } })).toEqual([])
  expect(await found({ type: 'team', id: { $in: [breakout.id] } })).toEqual(['Breakout'])
  expect(
    (await admin.post('/streamadmin/channels', { filter_conditions: { type: 'messaging' } })).status,
  ).toBe(400)
})

test('channels and members come in pages, each once', async () => {
  const { admin, owner, room } = await aTeam()
  for (let n = 0; n < 33; n += 1) await madeRoom(owner)
  const ids: string[] = []
  for (const offset of [0, 30]) {
    const { body } = await admin.post('/streamadmin/channels', {
      limit: 30,
      offset,
      sort: [{ field: 'name', direction: 1 }],
    })
    ids.push(...body.channels.map(({ channel }: { channel: { id: string } }) => channel.id))
  }
  expect(new Set(ids).size).toBe(35)
  expect(ids).toHaveLength(35)
  const members: string[] = []
  for (let after: string | undefined; ;) {
    const { body } = await admin.post('/streamadmin/members', {
      type: 'team',
      id: room.id,
      limit: 2,
      user_id_gt: after,
    })
    members.push(...body.members.map(({ user_id }: { user_id: string }) => user_id))
    after = members.at(-1)
    if (body.members.length < 2) break
  }
  expect(members).toEqual([...new Set(members)].sort())
  expect(members).toHaveLength(3)
})

test('administrators change text and members of a channel, which members see live, and never of Headquarters', async () => {
  const { organisation, admin, owner, ben, cleo, room } = await aTeam()
  const page = await openPage(muster, ben)
  const path = `/streamadmin/channels/team/${room.id}`
  const renamed = await admin.patch(path, { set: { name: 'Crisis room', description: 'Changed' } })
  expect(renamed.body.channel).toMatchObject({ name: 'Crisis room', description: 'Changed' })
  await page.until(() => page.of('room').some((change) => change.room.name === 'Crisis room'))
  for (const set of [
    { name: '' },
    { name: 'ab' },
    { name: 'x'.repeat(256) },
    { description: 'x'.repeat(1_001) },
  ])
    expect((await admin.patch(path, { set })).status).toBe(400)
  expect((await admin.patch(path, { set: { name: 'HEADQUARTERS' } })).body.message).toBe(
    'A chat with this name already exists.',
  )
  const dan = await muster.signedInAs(organisation)
  const changed = await admin.post(path, {
    add_members: [dan.uuid],
    add_moderators: [ben.uuid],
    remove_members: [cleo.uuid],
  })
  const roles = Object.fromEntries(
    changed.body.members.map((one: { user_id: string; channel_role: string }) => [
      one.user_id,
      one.channel_role,
    ]),
  )
  expect(roles).toEqual({ [owner.uuid]: 'owner', [ben.uuid]: 'channel_moderator', [dan.uuid]: 'member' })
  expect((await admin.post(path, { demote_moderators: [ben.uuid] })).status).toBe(200)
  expect((await admin.post(path, { remove_members: [owner.uuid] })).status).toBe(403)
  expect((await admin.post(path, { demote_moderators: [owner.uuid] })).status).toBe(403)
  const stranger = await muster.signedInAs(await muster.anOrganisation())
  expect((await admin.post(path, { add_members: [stranger.uuid] })).status).toBe(400)

  const { id } = await headquartersOf(admin)
  const headquarters = `/streamadmin/channels/team/${id}`
  expect((await admin.patch(headquarters, { set: { name: 'Elsewhere' } })).status).toBe(403)
  expect((await admin.post(headquarters, { remove_members: [ben.uuid] })).status).toBe(403)
  expect((await admin.delete(headquarters)).status).toBe(403)
  expect((await admin.delete(path)).status).toBe(204)
  await page.until(() => page.of('removed').length > 0)
  expect((await ben.get(`/chat/rooms/${room.id}`)).status).toBe(404)
})

test('what the administration does in channels and rooms is in the audit log, and no word of a message', async () => {
  const { organisation, admin, owner, ben, room } = await aTeam()
  await sent(owner, room.id, 'A secret word')
  await admin.patch(`/streamadmin/channels/team/${room.id}`, { set: { name: 'Crisis room' } })
  await owner.patch(`/chat/rooms/${room.id}/members/${ben.uuid}`, { role: 'channel_admin' })
  await owner.delete(`/chat/rooms/${room.id}/members/${ben.uuid}`)
  await owner.delete(`/chat/rooms/${room.id}`)
  const events = await muster.inside(organisation, (db) =>
    db.selectFrom('events').selectAll().where('noun', '=', 'rooms').orderBy('sequence').execute(),
  )
  expect(events.map(({ verb }) => verb)).toEqual([
    'created',
    'updated',
    'roles changed',
    'members removed',
    'deleted',
  ])
  expect(events[3]).toMatchObject({
    actor: { name: owner.email },
    changes: { members: { from: [ben.email] } },
  })
  expect(JSON.stringify(events)).not.toContain('secret')
})

test('the calls of members know owner, moderators and archived people', async () => {
  const { organisation, admin, owner, ben, cleo, room } = await aTeam()
  const promote = (by: typeof owner, id: string) =>
    by.post('/stream/addModerator', { channelId: room.id, moderatorIds: [id] })
  const demote = (by: typeof owner, id: string) =>
    by.post('/stream/demoteModerator', { channelId: room.id, moderatorIds: [id] })
  expect((await promote(ben, cleo.uuid)).status).toBe(403)
  expect((await promote(owner, ben.uuid)).status).toBe(200)
  expect((await ben.get(`/chat/rooms/${room.id}`)).body.membership.role).toBe('channel_moderator')
  expect((await promote(ben, cleo.uuid)).status).toBe(200)
  expect((await demote(ben, owner.uuid)).status).toBe(403)
  expect((await demote(ben, ben.uuid)).status).toBe(403)
  expect((await demote(owner, cleo.uuid)).status).toBe(200)
  expect((await promote(owner, crypto.randomUUID())).status).toBe(400)
  expect((await promote(admin, ben.uuid)).status).toBe(404)
  const gone = await muster.aUser(organisation)
  await owner.post(`/chat/rooms/${room.id}/members`, { userIds: [gone.uuid] })
  await admin.delete(`/useradmin/user/${gone.uuid}`)
  expect((await promote(owner, gone.uuid)).status).toBe(409)
  expect((await owner.post(`/chat/rooms/${room.id}/members`, { userIds: [gone.uuid] })).status).toBe(400)
})

test('only a war room is marked as privileged, by those who manage it, and the mark says who and when', async () => {
  const { owner, ben, room } = await aTeam(MARKS)
  const breakout = await madeRoom(owner, { kind: 'BREAKOUT_ROOM' })
  const page = await openPage(muster, ben)
  const mark = (by: typeof owner, id: string, value: string) => by.post(`/privilege/${id}/${value}`)
  expect((await mark(ben, room.id, 'true')).status).toBe(403)
  expect((await mark(owner, breakout.id, 'true')).status).toBe(409)
  expect((await mark(owner, room.id, 'maybe')).status).toBe(400)
  const { body } = await mark(owner, room.id, 'true')
  expect(body).toMatchObject({
    privileged: true,
    privilegedStatus: { uuid: owner.uuid, timestamp: expect.any(String) },
  })
  const message = await page.message('Marked this war room as privileged.')
  expect(message).toMatchObject({
    user: owner.uuid,
    privileged: true,
    privilegedStatus: body.privilegedStatus,
  })
  await sent(owner, room.id, 'In confidence')
  expect(await page.message('In confidence')).toMatchObject({ privileged: true, privilegedStatus: null })
  expect((await owner.patch(`/chat/messages/${message.id}`, { text: '<p>Not</p>' })).status).toBe(403)
  await mark(owner, room.id, 'false')
  expect(await page.message('Marked this war room as not privileged.')).toMatchObject({ privileged: false })
  const { owner: without, room: plain } = await aTeam()
  expect((await mark(without, plain.id, 'true')).status).toBe(403)
})

test('a breakout room becomes a war room, and nothing turns it back', async () => {
  const { owner, ben } = await aTeam()
  const room = await madeRoom(owner, { kind: 'BREAKOUT_ROOM', userIds: [ben.uuid] })
  const path = `/chat/rooms/${room.id}`
  expect((await ben.patch(path, { isWarRoom: true })).status).toBe(403)
  expect((await owner.patch(path, { isWarRoom: true, version: room.version })).body).toMatchObject({
    kind: 'WAR_ROOM',
    isWarRoom: true,
  })
  expect((await owner.patch(path, { isWarRoom: false })).status).toBe(400)
  expect((await owner.patch(path, { name: 'Stale', version: room.version })).body.code).toBe('stale')
})

test('the only admin cannot leave, and an owner who leaves hands the room on', async () => {
  const { owner, ben, cleo, room } = await aTeam()
  const path = `/chat/rooms/${room.id}`
  const alone = await owner.post(`${path}/leave`)
  expect(alone.status).toBe(409)
  expect(alone.body.message).toContain(`You cannot leave the ${room.name} because you are the only admin.`)
  expect((await cleo.post(`${path}/leave`)).status).toBe(204)
  await owner.patch(`${path}/members/${ben.uuid}`, { role: 'channel_admin' })
  expect((await owner.post(`${path}/leave`)).status).toBe(204)
  expect((await owner.get(path)).status).toBe(404)
  expect((await ben.get(path)).body).toMatchObject({ member_count: 1, membership: { role: 'owner' } })
})

test('a direct message is one for its people, is hidden while empty, and archived without company', async () => {
  const { organisation, admin, owner, ben } = await aTeam()
  const open = (by: typeof owner, userIds: string[]) =>
    by.post('/chat/rooms', { kind: 'DIRECT_MESSAGE', userIds })
  expect((await open(owner, [])).body.message).toBe('At least one recipient is required.')
  expect((await open(owner, [owner.uuid])).status).toBe(400)
  const { body: direct } = await open(owner, [ben.uuid])
  expect(direct).toMatchObject({ type: 'messaging', name: null, isArchived: false })
  expect(direct.people.map(({ uuid }: { uuid: string }) => uuid)).toEqual([owner.uuid, ben.uuid])
  expect((await open(ben, [owner.uuid, ben.uuid])).body.id).toBe(direct.id)
  const listed = async (by: typeof owner) =>
    (await by.get(`/chat/rooms?filter=${encodeURIComponent('{"kind":"DIRECT_MESSAGE"}')}`)).body.map(
      ({ id }: { id: string }) => id,
    )
  expect((await owner.post(`/chat/rooms/${direct.id}/hide`)).status).toBe(204)
  expect([await listed(owner), await listed(ben)]).toEqual([[], [direct.id]])
  await sent(ben, direct.id, 'Are you there?')
  expect(await listed(owner)).toEqual([direct.id])
  expect((await owner.post(`/chat/rooms/${direct.id}/hide`)).status).toBe(409)
  expect((await admin.get(`/chat/rooms/${direct.id}`)).status).toBe(404)
  await admin.delete(`/useradmin/user/${ben.uuid}`)
  expect((await owner.get(`/chat/rooms/${direct.id}`)).body.isArchived).toBe(true)
  expect((await sending(owner, direct.id, 'Hello?')).body.message).toMatch(
    /^You are viewing an archive of this chat\./,
  )
  const outsider = await muster.signedInAs(organisation, 'USER', { type: 'EXTERNAL' })
  expect((await open(outsider, [owner.uuid])).status).toBe(400)
  expect((await outsider.post('/chat/rooms', { kind: 'WAR_ROOM', name: 'Mine' })).status).toBe(403)
})

test('names of rooms are checked as the specification says', async () => {
  const { owner, room } = await aTeam()
  const named = async (name: unknown) =>
    (await owner.post('/chat/rooms', { kind: 'WAR_ROOM', name, userIds: [] })).body.message
  expect(await named('')).toBe('Please enter a name.')
  expect(await named(undefined)).toBe('Please enter a name.')
  expect(await named('ab')).toBe('The name must be at least 3 characters long.')
  expect(await named('x'.repeat(256))).toBe('Maximum length of 255 characters exceeded.')
  expect(await named(room.name!.toUpperCase())).toBe('A chat with this name already exists.')
  const userIds = Array.from({ length: 101 }, () => crypto.randomUUID())
  expect((await owner.post(`/chat/rooms/${room.id}/members`, { userIds })).body.message).toBe(
    'A maximum of 100 team members can be added at once.',
  )
  expect((await owner.post(`/chat/rooms/${room.id}/members`, { userIds: [] })).body.message).toBe(
    'Please select at least one team member.',
  )
})

test('the token of the chat opens one socket, and a call without participants says so', async () => {
  const { ben, cleo, room } = await aTeam()
  const { body } = await ben.get('/stream/accessToken')
  expect(body).toEqual({ accessToken: expect.any(String) })
  expect((await ben.get(`/stream/${room.id}/callDetails`)).body).toEqual({
    data: { currentParticipants: [] },
  })
  expect((await cleo.get(`/stream/${crypto.randomUUID()}/callDetails`)).status).toBe(404)
})
