import { describe, expect, test } from 'vitest'

import type { FoundMessages, Room } from '#contract/chat/schema.ts'
import type { Notifications } from '#contract/notifications/schema.ts'

import { headquartersOf, madeRoom, openPage, sent } from '../support/chat.ts'
import { type Caller, startTestServer } from '../support/server.ts'

/* Marks that call a member's attention: mentions, favourites, muted rooms, and what is unread again. */
const muster = await startTestServer()

async function team() {
  const organisation = await muster.anOrganisation({ groupsEnabled: true })
  const [lead, ana, bo] = [
    await muster.signedInAs(organisation, 'ADMIN'),
    await muster.signedInAs(organisation, 'USER'),
    await muster.signedInAs(organisation, 'USER'),
  ]
  return { organisation, lead, ana, bo }
}
const idOf = async (caller: Caller): Promise<string> => (await caller.get('/me')).body.user.uuid
const told = async (caller: Caller): Promise<string[]> =>
  ((await caller.get('/notifications')).body as Notifications).data.map(({ title }) => title)
const roomOf = async (caller: Caller, id: string): Promise<Room> => {
  const { status, body } = await caller.get(`/chat/rooms/${id}`)
  expect(status).toBe(200)
  return body
}
const mentionsOf = async (caller: Caller, query = ''): Promise<FoundMessages> => {
  const { status, body } = await caller.get(`/chat/mentions${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const group = async (admin: Caller, name: string, members: readonly Caller[]) => {
  const { status, body } = await admin.post('/useradmin/group', {
    name,
    description: '',
    userIds: members.map(({ email }) => email),
  })
  expect(status, JSON.stringify(body)).toBe(201)
}
const unreadIn = async (caller: Caller) => (await caller.get('/chat/summary')).body

describe('mentions', () => {
  test('are counted in their room until they are read', async () => {
    const { lead, ana } = await team()
    const room = await madeRoom(lead, { userIds: [await idOf(ana)] })
    const first = await sent(lead, room.id, `@${ana.email}`)
    await sent(lead, room.id, 'nothing')
    await sent(lead, room.id, `@${ana.email} again`)
    expect((await roomOf(ana, room.id)).membership).toMatchObject({ unread: 3, mentions: 2 })
    await ana.post(`/chat/rooms/${room.id}/read`, { sequence: first.sequence })
    expect((await roomOf(ana, room.id)).membership).toMatchObject({ unread: 2, mentions: 1 })
    await ana.post(`/chat/rooms/${room.id}/read`, { sequence: 3 })
    expect((await roomOf(ana, room.id)).membership).not.toHaveProperty('mentions')
    expect((await roomOf(lead, room.id)).membership).not.toHaveProperty('mentions')
  })

  test('are listed newest first over all rooms, a page at a time', async () => {
    const { lead, ana } = await team()
    const [one, other] = [
      await madeRoom(lead, { userIds: [await idOf(ana)] }),
      await madeRoom(lead, { userIds: [await idOf(ana)] }),
    ]
    const ids: string[] = []
    for (const room of [one, other, one, other, one])
      // oxlint-disable-next-line no-await-in-loop -- in this order
      ids.unshift((await sent(lead, room.id, `@${ana.email}`)).id)
    const listed: string[] = []
    for (let query = '?limit=2'; query !== '';) {
      // oxlint-disable-next-line no-await-in-loop -- one page after the other
      const { messages, people, next } = await mentionsOf(ana, query)
      listed.push(...messages.map(({ id }) => id))
      expect(people.map(({ email }) => email)).toContain(lead.email)
      query = next === null ? '' : `?limit=2&cursor=${next}`
    }
    expect(listed).toEqual(ids)
    expect((await mentionsOf(lead)).messages).toEqual([])
  })

  test('end with their message, with an edit, and with the membership', async () => {
    const { lead, ana } = await team()
    const room = await madeRoom(lead, { userIds: [await idOf(ana)] })
    const [gone, edited, stays] = [
      await sent(lead, room.id, `@${ana.email} one`),
      await sent(lead, room.id, `@${ana.email} two`),
      await sent(lead, room.id, `@${ana.email} three`),
    ]
    await lead.delete(`/chat/messages/${gone.id}`)
    await lead.patch(`/chat/messages/${edited.id}`, { text: '<p>two</p>' })
    expect((await mentionsOf(ana)).messages.map(({ id }) => id)).toEqual([stays.id])
    expect((await roomOf(ana, room.id)).membership.mentions).toBe(1)
    await ana.post(`/chat/rooms/${room.id}/leave`)
    expect((await mentionsOf(ana)).messages).toEqual([])
  })
})

describe('@here', () => {
  test('reaches the members who are online, and nobody else', async () => {
    const { organisation, lead, ana, bo } = await team()
    const outside = await muster.signedInAs(organisation, 'USER')
    const room = await madeRoom(lead, { userIds: [await idOf(ana), await idOf(bo)] })
    const pages = [await openPage(muster, lead), await openPage(muster, ana), await openPage(muster, outside)]
    const message = await sent(lead, room.id, 'All hands, @here!')
    expect(message).toMatchObject({ audiences: ['here'], mentioned_users: [] })
    expect(await told(ana)).toEqual([expect.stringMatching(/ mentioned @here$/)])
    expect((await roomOf(ana, room.id)).membership.mentions).toBe(1)
    for (const caller of [lead, bo, outside]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await told(caller)).toEqual([])
    }
    expect((await mentionsOf(bo)).messages).toEqual([])
    await Promise.all(pages.map((page) => page.close()))
  })

  test('is only text in code and in an address', async () => {
    const { lead, ana } = await team()
    const room = await madeRoom(lead, { userIds: [await idOf(ana)] })
    const page = await openPage(muster, ana)
    const message = await sent(lead, room.id, '<code>@here</code> here@here.example @here.example@b.example')
    expect(message).not.toHaveProperty('audiences')
    expect(await told(ana)).toEqual([])
    await page.close()
  })
})

describe('a group', () => {
  test('is mentioned by its name without blanks: its members who are in the room', async () => {
    const { organisation, lead, ana, bo } = await team()
    const outside = await muster.signedInAs(organisation, 'USER')
    await group(lead, 'Équipe de Crise', [lead, ana, outside])
    const room = await madeRoom(lead, { userIds: [await idOf(ana), await idOf(bo)] })
    const message = await sent(lead, room.id, 'Please, @équipe-de-crise')
    expect(message.audiences).toEqual(['équipe-de-crise'])
    expect((await mentionsOf(ana)).messages.map(({ id }) => id)).toEqual([message.id])
    expect(await told(ana)).toHaveLength(1)
    for (const caller of [lead, bo, outside]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await mentionsOf(caller)).messages).toEqual([])
    }
  })

  test('tells somebody once who is named as well', async () => {
    const { lead, ana } = await team()
    await group(lead, 'Crisis', [ana])
    const room = await madeRoom(lead, { userIds: [await idOf(ana)] })
    await sent(lead, room.id, `@${ana.email} and @crisis`)
    expect(await told(ana)).toEqual([expect.stringMatching(/ mentioned you$/)])
  })

  test('that an edit adds is told, and one that it takes away is not mentioned any longer', async () => {
    const { lead, ana, bo } = await team()
    await group(lead, 'First', [ana])
    await group(lead, 'Second', [bo])
    const room = await madeRoom(lead, { userIds: [await idOf(ana), await idOf(bo)] })
    const { id } = await sent(lead, room.id, '@first')
    const added = await lead.patch(`/chat/messages/${id}`, { text: '<p>@first @second</p>' })
    expect(added.body.audiences).toEqual(['first', 'second'])
    expect([await told(ana), await told(bo)].map((titles) => titles.length)).toEqual([1, 1])
    await lead.patch(`/chat/messages/${id}`, { text: '<p>nobody</p>' })
    expect((await mentionsOf(ana)).messages).toEqual([])
    expect((await mentionsOf(bo)).messages).toEqual([])
  })

  test('is neither offered to people from outside nor mentioned by them', async () => {
    const { organisation, lead, ana } = await team()
    const guest = await muster.signedInAs(organisation, 'USER', { type: 'EXTERNAL' })
    await group(lead, 'Crisis', [ana])
    const room = await madeRoom(lead, { userIds: [await idOf(ana), await idOf(guest)] })
    expect((await guest.get(`/chat/rooms/${room.id}/groups`)).status).toBe(403)
    expect(await sent(guest, room.id, '@crisis')).not.toHaveProperty('audiences')
    expect(await told(ana)).toEqual([])
  })

  test('is offered with the number of the other members in it', async () => {
    const { organisation, lead, ana, bo } = await team()
    const outside = await muster.signedInAs(organisation, 'USER')
    await group(lead, 'IT % Operations', [lead, ana, bo, outside])
    await group(lead, 'Nobody here', [outside])
    const room = await madeRoom(lead, { userIds: [await idOf(ana), await idOf(bo)] })
    const offered = async (q: string) => (await lead.get(`/chat/rooms/${room.id}/groups?q=${q}`)).body
    const operations = [{ handle: 'it-%-operations', name: 'IT % Operations', count: 2 }]
    expect(await offered('')).toEqual(operations)
    expect(await offered('oper')).toEqual(operations)
    expect(await offered('it-%25-o')).toEqual(operations)
    expect(await offered('%25%25')).toEqual([])
  })
})

describe('the own settings of a room', () => {
  test('put favourites after Headquarters and before all others', async () => {
    const { lead, ana } = await team()
    const userIds = [await idOf(ana)]
    const [older, newer] = [await madeRoom(lead, { userIds }), await madeRoom(lead, { userIds })]
    await sent(lead, older.id, 'old')
    await sent(lead, newer.id, 'new')
    const { body } = await ana.patch(`/chat/rooms/${older.id}/membership`, { isFavourite: true })
    expect(body.membership.isFavourite).toBe(true)
    const order = async (caller: Caller) =>
      (await caller.get('/chat/rooms')).body.map(({ id }: Room) => id).slice(1)
    expect(await order(ana)).toEqual([older.id, newer.id])
    expect(await order(lead)).toEqual([newer.id, older.id])
    await ana.patch(`/chat/rooms/${older.id}/membership`, { isFavourite: false })
    expect(await order(ana)).toEqual([newer.id, older.id])
  })

  test('count only mentions of a muted room', async () => {
    const { lead, ana } = await team()
    const room = await madeRoom(lead, { userIds: [await idOf(ana)] })
    await sent(lead, room.id, 'one')
    await sent(lead, room.id, 'two')
    expect(await unreadIn(ana)).toMatchObject({ unreadRooms: 1, unreadMessages: 2 })
    await ana.patch(`/chat/rooms/${room.id}/membership`, { isMuted: true })
    expect(await unreadIn(ana)).toMatchObject({ unreadRooms: 0, unreadMessages: 0 })
    await sent(lead, room.id, `@${ana.email}`)
    expect(await unreadIn(ana)).toMatchObject({ unreadRooms: 1, unreadMessages: 1 })
    expect(await told(ana)).toHaveLength(1)
  })

  test('change one without the other, reach the own pages, and nobody else sees them', async () => {
    const { lead, ana } = await team()
    const room = await madeRoom(lead, { userIds: [await idOf(ana)] })
    await ana.patch(`/chat/rooms/${room.id}/membership`, { isMuted: true })
    const [mine, hers] = [await openPage(muster, ana), await openPage(muster, lead)]
    await ana.patch(`/chat/rooms/${room.id}/membership`, { isFavourite: true })
    await mine.frame((frame) => frame.type === 'chat-own' && frame.roomId === room.id)
    expect((await roomOf(ana, room.id)).membership).toMatchObject({ isFavourite: true, isMuted: true })
    await sent(ana, room.id, 'after')
    await hers.message('after')
    expect(hers.frames.map(({ type }) => type)).not.toContain('chat-own')
    expect((await roomOf(lead, room.id)).membership).not.toHaveProperty('isMuted')
    await Promise.all([mine.close(), hers.close()])
  })
})

test('a room in the list comes with its newest message and its author', async () => {
  const { lead, ana } = await team()
  const room = await headquartersOf(lead)
  expect(room).not.toHaveProperty('lastMessage')
  await sent(lead, room.id, 'first')
  const last = await sent(ana, room.id, `${'long '.repeat(100)}&lt;b&gt;`)
  const { lastMessage } = await headquartersOf(lead)
  expect(lastMessage).toMatchObject({
    user: last.user,
    deleted: false,
    hasAttachments: false,
    isCall: false,
    created_at: last.created_at,
    author: { email: ana.email },
  })
  expect(lastMessage!.text).toBe('long '.repeat(32))
  await ana.delete(`/chat/messages/${last.id}`)
  expect((await headquartersOf(lead)).lastMessage).toMatchObject({ text: '', deleted: true })
})

describe('marked as unread from a message', () => {
  async function read() {
    const { lead, ana } = await team()
    const room = await madeRoom(lead, { userIds: [await idOf(ana)] })
    const messages = []
    for (const text of ['one', `@${ana.email}`, 'three', 'four'])
      // oxlint-disable-next-line no-await-in-loop -- in this order
      messages.push(await sent(lead, room.id, text))
    await ana.post(`/chat/rooms/${room.id}/read`, { sequence: 4 })
    return { lead, ana, room, messages }
  }

  test('a room is unread again, with its mentions, on all devices', async () => {
    const { ana, room } = await read()
    const other = await openPage(muster, ana)
    const { body } = await ana.post(`/chat/rooms/${room.id}/unread`, { sequence: 2 })
    expect(body.membership).toMatchObject({ readSequence: 1, unread: 3, mentions: 1 })
    await other.frame((frame) => frame.type === 'chat-own' && frame.roomId === room.id)
    expect((await roomOf(ana, room.id)).membership).toMatchObject({ readSequence: 1, unread: 3, mentions: 1 })
    expect(await unreadIn(ana)).toMatchObject({ unreadRooms: 1, unreadMessages: 3 })
    await other.close()
  })

  test('its authors still see that it was read', async () => {
    const { lead, ana, room, messages } = await read()
    await ana.post(`/chat/rooms/${room.id}/unread`, { sequence: 1 })
    expect((await lead.get(`/chat/messages/${messages[3]!.id}/readers`)).body.total).toBe(1)
    expect((await roomOf(lead, room.id)).othersReadSequence).toBe(4)
  })

  test('it is read again up to where somebody looks, and wholly by an own message', async () => {
    const { ana, room } = await read()
    await ana.post(`/chat/rooms/${room.id}/unread`, { sequence: 2 })
    await ana.post(`/chat/rooms/${room.id}/read`, { sequence: 3 })
    expect((await roomOf(ana, room.id)).membership).toMatchObject({ readSequence: 3, unread: 1 })
    await ana.post(`/chat/rooms/${room.id}/unread`, { sequence: 1 })
    await sent(ana, room.id, 'mine')
    expect((await roomOf(ana, room.id)).membership).toMatchObject({ readSequence: 5, unread: 0 })
  })

  test('a message that is unread anyway changes nothing', async () => {
    const { lead, ana, room } = await read()
    await sent(lead, room.id, 'five')
    const { body } = await ana.post(`/chat/rooms/${room.id}/unread`, { sequence: 5 })
    expect(body.membership).toMatchObject({ readSequence: 4, unread: 1 })
    expect((await ana.post(`/chat/rooms/${room.id}/unread`, { sequence: 0 })).status).toBe(400)
  })
})
