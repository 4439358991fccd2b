import { expect, test } from 'vitest'

import { headquartersOf, madeRoom, openPage, sending, sent } from '../support/chat.ts'
import { startTestServer } from '../support/server.ts'

const muster = await startTestServer()

/** An organisation of three people, two of them in a room. */
async function aTeam(config = {}) {
  const organisation = await muster.anOrganisation(config)
  const [ana, ben, cleo] = [
    await muster.signedInAs(organisation, 'USER', { firstName: 'Ana' }),
    await muster.signedInAs(organisation, 'USER', { firstName: 'Ben' }),
    await muster.signedInAs(organisation, 'USER', { firstName: 'Cleo' }),
  ]
  const room = await madeRoom(ana, { userIds: [ben.uuid] })
  return { organisation, ana, ben, cleo, room }
}

test('everybody is in Headquarters, which comes first and is nobody’s to manage', async () => {
  const { organisation, ana, ben, room } = await aTeam()
  await sent(ben, room.id, 'Later than anything in Headquarters')
  const { body: rooms } = await ana.get('/chat/rooms')
  expect(rooms.map(({ name }: { name: string }) => name)).toEqual(['Headquarters', room.name])
  expect(rooms[0]).toMatchObject({ isHeadquarters: true, isWarRoom: true, type: 'team', member_count: 3 })
  const path = `/chat/rooms/${rooms[0].id}`
  const admin = await muster.signedInAs(organisation, 'ADMIN')
  expect((await admin.get(path)).body).toMatchObject({ member_count: 4, membership: { role: 'member' } })
  for (const who of [ana, admin]) {
    expect((await who.patch(path, { name: 'Mine now' })).status).toBe(403)
    expect((await who.delete(path)).status).toBe(403)
    expect((await who.post(`${path}/leave`)).status).toBe(403)
    expect((await who.delete(`${path}/members/${ben.uuid}`)).status).toBe(403)
    expect((await who.patch(`${path}/members/${ben.uuid}`, { role: 'channel_moderator' })).status).toBe(403)
  }
})

test('people enter Headquarters with their account and leave it with that', async () => {
  const organisation = await muster.anOrganisation()
  const admin = await muster.signedInAs(organisation, 'ADMIN')
  const headquarters = await headquartersOf(admin)
  const members = async () =>
    (await admin.get(`/chat/rooms/${headquarters.id}/members`)).body.map(
      ({ email }: { email: string }) => email,
    )
  const page = await openPage(muster, admin)
  const { body: user } = await admin.post('/useradmin/user', {
    email: 'new@example.org',
    firstName: 'New',
    lastName: 'Person',
  })
  await page.frame((frame) => frame.type === 'chat' && frame.kind === 'members' && !frame.members[0]!.left)
  expect(await members()).toContain('new@example.org')
  await admin.delete(`/useradmin/user/${user.uuid}`)
  await page.frame((frame) => frame.type === 'chat' && frame.kind === 'members' && frame.members[0]!.left)
  expect(await members()).not.toContain('new@example.org')
  await admin.post(`/useradmin/user/${user.uuid}`)
  expect(await members()).toContain('new@example.org')
  const external = await muster.signedInAs(organisation, 'USER', { type: 'EXTERNAL' })
  expect((await external.get('/chat/rooms')).body).toEqual([])
  await page.close()
})

test('a message reaches the members at once, as it was stored, and nobody else', async () => {
  const { ana, ben, cleo, room } = await aTeam()
  const [atBens, atCleos] = [await openPage(muster, ben), await openPage(muster, cleo)]
  const message = await sent(ana, room.id, 'Water in hall 3')
  expect(message).toMatchObject({
    sequence: 1,
    status: 'received',
    text: '<p>Water in hall 3</p>',
    user: ana.uuid,
  })
  expect(await atBens.message('Water in hall 3')).toEqual(message)
  expect(atBens.of('message')[0]!.people).toMatchObject([{ uuid: ana.uuid, firstName: 'Ana' }])
  const headquarters = await headquartersOf(cleo)
  await sent(ben, headquarters.id, 'To all')
  await atCleos.message('To all')
  expect(atCleos.texts()).toEqual(['<p>To all</p>'])
  for (const call of [
    cleo.get(`/chat/rooms/${room.id}`),
    cleo.get(`/chat/rooms/${room.id}/messages`),
    cleo.get(`/chat/messages/${message.id}`),
    sending(cleo, room.id, 'Let me in'),
  ])
    expect((await call).status).toBe(404)
})

test('a message that is sent again with its client id is there once', async () => {
  const { ana, ben, room } = await aTeam()
  const clientId = crypto.randomUUID()
  const page = await openPage(muster, ben)
  const replies = await Promise.all([1, 2, 3].map(() => sending(ana, room.id, 'Once', { clientId })))
  expect(replies.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1)
  await sent(ana, room.id, 'After')
  await page.message('After')
  expect(page.texts()).toEqual(['<p>Once</p>', '<p>After</p>'])
  expect((await sending(ben, room.id, 'Another', { clientId })).body.id).not.toBe(replies[0]!.body.id)
})

test('a text is stored as safe rich text, and one that breaks the rules is refused', async () => {
  const { ana, room } = await aTeam()
  const post = async (text: string) =>
    ana.post(`/chat/rooms/${room.id}/messages`, { clientId: crypto.randomUUID(), text })
  const { body } = await post(
    '<p onclick="x()">a<script>alert(1)</script> <a href="javascript:x()">b</a></p>',
  )
  expect(body.text).not.toMatch(/<script|onclick=|javascript:/)
  for (const empty of ['', '<p></p>', '<p> &nbsp; </p>', '<img src=x>'.slice(0, 0)])
    expect((await post(empty)).status).toBe(400)
  for (const piped of [
    '<p>a|b</p>',
    '<p><code>a|b</p>',
    '<code>a</code>|',
    '<pre>a</pre><p>|</p><pre>b</pre>',
  ])
    expect((await post(piped)).body.fields.text).toBe(
      'Sorry, the pipe | character is reserved for internal use.',
    )
  expect((await post(`<p>${'x'.repeat(5_000)}</p>`)).status).toBe(400)
  expect((await post(`<p>${'x'.repeat(4_999)}</p>`)).status).toBe(201)
  expect((await post('<p>\ud800</p>')).status).toBe(400)
})

test('code keeps its pipes, blanks and lines', async () => {
  const { ana, room } = await aTeam()
  for (const code of [
    '<p><code>cat x | grep y</code></p>',
    '<pre><code>  a:\n\n    b | c\n</code></pre><p>  and so on</p>',
  ])
    expect(
      (await ana.post(`/chat/rooms/${room.id}/messages`, { clientId: crypto.randomUUID(), text: code })).body
        .text,
    ).toBe(code)
})

test('mentions are stored by address and told by id, of members only', async () => {
  const { ana, ben, cleo, room } = await aTeam()
  const message = await sent(ana, room.id, `@${ben.email}, @${cleo.email} and @${ana.email}: see below.`)
  expect(message.text).toContain(`@${ben.email}`)
  expect(message.mentioned_users).toEqual([ben.uuid])
})

test('a reply quotes, also what is edited or deleted later', async () => {
  const { ana, ben, room } = await aTeam()
  const first = await sent(ana, room.id, 'Close the valve')
  const reply = await sent(ben, room.id, 'Done', { replyTo: first.id })
  expect(reply.replyTo).toMatchObject({
    id: first.id,
    text: 'Close the valve',
    user: ana.uuid,
    deleted: false,
  })
  await ana.delete(`/chat/messages/${first.id}`)
  const { body } = await ben.get(`/chat/messages/${reply.id}`)
  expect(body.message.replyTo).toMatchObject({ text: '', deleted: true })
  const elsewhere = await headquartersOf(ana)
  expect((await sending(ana, elsewhere.id, 'No', { replyTo: reply.id })).status).toBe(400)
})

test('own words can be edited for a quarter of an hour, and deleted at any time', async () => {
  const { organisation, ana, ben, room } = await aTeam()
  const page = await openPage(muster, ben)
  const message = await sent(ana, room.id, 'Vlave')
  const path = `/chat/messages/${message.id}`
  expect((await ben.patch(path, { text: '<p>Mine</p>' })).status).toBe(403)
  const { body: edited } = await ana.patch(path, { text: '<p>Valve</p>' })
  expect(edited).toMatchObject({
    id: message.id,
    sequence: 1,
    text: '<p>Valve</p>',
    editedAt: expect.any(String),
  })
  await page.message('Valve')
  expect((await ana.patch(path, { text: '<p></p>' })).status).toBe(400)
  await muster.inside(organisation, (db) =>
    db
      .updateTable('room_messages')
      .set({ create_timestamp: new Date(Date.now() - 15 * 60_000).toISOString() })
      .where('id', '=', message.id)
      .execute(),
  )
  expect((await ana.patch(path, { text: '<p>Too late</p>' })).status).toBe(409)
  expect((await ben.delete(path)).status).toBe(403)
  expect((await ana.delete(path)).status).toBe(204)
  await page.until(() => page.messages().some(({ deletedAt }) => deletedAt !== null))
  expect(page.messages().at(-1)).toMatchObject({ id: message.id, text: '', sequence: 1 })
  expect((await ana.patch(path, { text: '<p>Back</p>' })).status).toBe(403)
})

test('emoji and pins are told to everybody in the room', async () => {
  const { ana, ben, room } = await aTeam()
  const page = await openPage(muster, ana)
  const { id } = await sent(ana, room.id, 'Water is falling')
  const thumbs = `/chat/messages/${id}/reactions/${encodeURIComponent('👍🏽')}`
  expect((await muster.send('PUT', thumbs, { headers: ben.headers })).body.reactions).toEqual([
    { emoji: '👍🏽', userIds: [ben.uuid] },
  ])
  await page.until(() => page.messages().at(-1)!.reactions.length === 1)
  await muster.send('PUT', thumbs, { headers: ana.headers })
  await muster.send('DELETE', thumbs, { headers: ben.headers })
  await page.until(() => page.messages().at(-1)!.reactions[0]?.userIds[0] === ana.uuid)
  for (const no of ['x', '<b>', '👍👍', '|'])
    expect((await ana.put(`/chat/messages/${id}/reactions/${encodeURIComponent(no)}`)).status).toBe(400)
  expect((await ben.put(`/chat/messages/${id}/pin`)).status).toBe(403)
  expect((await ana.put(`/chat/messages/${id}/pin`)).body.pinned).toMatchObject({ user: ana.uuid })
  expect((await ben.get(`/chat/rooms/${room.id}/pins`)).body.messages).toMatchObject([{ id }])
  await ana.delete(`/chat/messages/${id}/pin`)
  expect((await ben.get(`/chat/rooms/${room.id}/pins`)).body.messages).toEqual([])
})

test('a deleted message leaves the pins, and is neither pinned nor given emoji any more', async () => {
  const { ana, room } = await aTeam()
  const { id } = await sent(ana, room.id, 'Wrong room')
  await ana.put(`/chat/messages/${id}/pin`)
  await ana.delete(`/chat/messages/${id}`)
  const pins = async () => (await ana.get(`/chat/rooms/${room.id}/pins`)).body.messages
  expect(await pins()).toEqual([])
  for (const act of ['pin', `reactions/${encodeURIComponent('👍')}`]) {
    const { status, body } = await ana.put(`/chat/messages/${id}/${act}`)
    expect([act, status, body.message]).toEqual([act, 409, 'This message was deleted.'])
  }
  expect(await pins()).toEqual([])
})

test('unread messages are counted until they are read, and the author is told who read', async () => {
  const { ana, ben, room } = await aTeam()
  const page = await openPage(muster, ana)
  for (const text of ['One', 'Two', 'Three']) await sent(ana, room.id, text)
  const last = await sent(ana, room.id, 'Four')
  const path = `/chat/rooms/${room.id}`
  expect((await ben.get(path)).body.membership.unread).toBe(4)
  expect((await ana.get(path)).body).toMatchObject({ membership: { unread: 0 }, othersReadSequence: 0 })
  expect((await ben.get('/chat/summary')).body).toMatchObject({ unreadRooms: 1, unreadMessages: 4 })
  expect((await ben.post(`${path}/read`, { sequence: 3 })).status).toBe(204)
  expect(await page.frame(({ type }) => type === 'chat-read')).toMatchObject({
    userId: ben.uuid,
    sequence: 3,
  })
  expect((await ben.post(`${path}/read`, { sequence: 2 })).status).toBe(204)
  expect((await ben.get(path)).body.membership.unread).toBe(1)
  expect((await ana.get(`/chat/messages/${last.id}/readers`)).body).toEqual({ people: [], total: 0 })
  await ben.post(`${path}/read`, { sequence: 1_000_000 })
  expect((await ana.get(`/chat/messages/${last.id}/readers`)).body).toMatchObject({
    people: [{ uuid: ben.uuid }],
    total: 1,
  })
  expect((await ana.get(path)).body.othersReadSequence).toBe(4)
})

test('who types is told to the others in the room, and who has a page open to who asks', async () => {
  const { ana, ben, cleo, room } = await aTeam()
  const [atAnas, atCleos] = [await openPage(muster, ana), await openPage(muster, cleo)]
  expect((await ben.post(`/chat/rooms/${room.id}/typing`)).status).toBe(204)
  expect(await atAnas.frame(({ type }) => type === 'chat-typing')).toMatchObject({
    roomId: room.id,
    userId: ben.uuid,
  })
  expect((await cleo.post(`/chat/rooms/${room.id}/typing`)).status).toBe(404)
  expect(atCleos.frames.map(({ type }) => type)).not.toContain('chat-typing')
  const userIds = [ana.uuid, ben.uuid, cleo.uuid]
  expect((await ben.post('/chat/presence', { userIds })).body.userIds).toEqual([ana.uuid, cleo.uuid])
  await atCleos.close()
  await expect
    .poll(async () => (await ben.post('/chat/presence', { userIds })).body.userIds)
    .toEqual([ana.uuid])
})

test('pages of messages go back to the first and around any', async () => {
  const { ana, room } = await aTeam()
  for (let n = 1; n <= 25; n += 1) await sent(ana, room.id, `Message ${n}`)
  const page = async (query = '') => {
    const { body } = await ana.get(`/chat/rooms/${room.id}/messages${query}`)
    return { ...body, sequences: body.messages.map(({ sequence }: { sequence: number }) => sequence) }
  }
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)
  const newest = await page()
  expect(newest).toMatchObject({ sequences: range(6, 25), hasOlder: true, hasNewer: false })
  expect(newest.people).toMatchObject([{ uuid: ana.uuid }])
  expect(await page('?before=6')).toMatchObject({ sequences: range(1, 5), hasOlder: false, hasNewer: true })
  expect(await page('?after=20&limit=3')).toMatchObject({
    sequences: range(21, 23),
    hasOlder: true,
    hasNewer: true,
  })
  expect(await page('?around=10&limit=6')).toMatchObject({ sequences: range(7, 12) })
})
