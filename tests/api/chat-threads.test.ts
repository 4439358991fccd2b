import { describe, expect, test } from 'vitest'

import type { ChatSummary, Message, MessagePage, ThreadList, ThreadPage } from '#contract/chat/schema.ts'
import type { Notifications } from '#contract/notifications/schema.ts'

import { madeRoom, openPage, sending, sent } from '../support/chat.ts'
import { type Caller, startTestServer } from '../support/server.ts'

const muster = await startTestServer()

const idOf = async (caller: Caller): Promise<string> => (await caller.get('/me')).body.user.uuid
async function talk() {
  const organisation = await muster.anOrganisation()
  const [lead, ana, ben] = [
    await muster.signedInAs(organisation, 'ADMIN'),
    await muster.signedInAs(organisation, 'USER'),
    await muster.signedInAs(organisation, 'USER'),
  ]
  const room = await madeRoom(lead, { userIds: [await idOf(ana), await idOf(ben)] })
  return { organisation, lead, ana, ben, room, first: await sent(ana, room.id, 'Where is the key?') }
}
const answer = (caller: Caller, first: Message, text: string, given: object = {}) =>
  sent(caller, first.roomId, text, { threadId: first.id, ...given })
const thread = async (caller: Caller, id: string, query = ''): Promise<ThreadPage> =>
  (await caller.get(`/chat/threads/${id}${query}`)).body
const threads = async (caller: Caller, query = ''): Promise<ThreadList> =>
  (await caller.get(`/chat/threads${query}`)).body
const room = async (caller: Caller, id: string): Promise<MessagePage> =>
  (await caller.get(`/chat/rooms/${id}/messages`)).body
const unreadOf = async (caller: Caller): Promise<readonly string[]> =>
  ((await caller.get('/chat/summary')).body as ChatSummary).unreadThreads ?? []
const textsOf = ({ messages }: { messages: readonly Message[] }) => messages.map(({ text }) => text)

describe('answers in a thread', () => {
  test('stand in the thread alone, and the first message counts them', async () => {
    const {
      lead,
      ana,
      ben,
      room: { id },
      first,
    } = await talk()
    await answer(lead, first, 'In the drawer')
    const last = await answer(ben, first, 'No, at the gate')
    const after = await sent(lead, id, 'Back to work')
    expect(last).toMatchObject({ sequence: 0, thread: { id: first.id, sequence: 2 } })
    expect(after.sequence).toBe(2)
    const page = await room(ana, id)
    expect(textsOf(page)).toEqual(['<p>Where is the key?</p>', '<p>Back to work</p>'])
    expect(page.messages[0]!.answers).toEqual({
      count: 2,
      last_at: last.created_at,
      users: [await idOf(ben), await idOf(lead)],
    })
    expect(page.people.map(({ uuid }) => uuid)).toContain(await idOf(ben))
    const opened = await thread(ana, first.id)
    expect(opened.first?.id).toBe(first.id)
    expect(textsOf(opened)).toEqual(['<p>In the drawer</p>', '<p>No, at the gate</p>'])
    expect((await ana.get(`/chat/rooms/${id}`)).body).toMatchObject({
      sequence: 2,
      membership: { unread: 1 },
    })
  })

  test('come a page at a time, from both sides', async () => {
    const { lead, first } = await talk()
    await answer(lead, first, '1')
    await answer(lead, first, '2')
    await answer(lead, first, '3')
    await answer(lead, first, '4')
    await answer(lead, first, '5')
    const newest = await thread(lead, first.id, '?limit=2')
    expect([textsOf(newest), newest.hasOlder, newest.hasNewer]).toEqual([
      ['<p>4</p>', '<p>5</p>'],
      true,
      false,
    ])
    const before = await thread(lead, first.id, '?limit=2&before=4')
    expect([textsOf(before), before.hasOlder, before.hasNewer]).toEqual([
      ['<p>2</p>', '<p>3</p>'],
      true,
      true,
    ])
    const begin = await thread(lead, first.id, '?limit=3&before=3')
    expect([textsOf(begin), begin.hasOlder]).toEqual([['<p>1</p>', '<p>2</p>'], false])
    expect(textsOf(await thread(lead, first.id, '?limit=2&after=1'))).toEqual(['<p>2</p>', '<p>3</p>'])
    expect(textsOf(await thread(lead, first.id, '?limit=2&around=3'))).toEqual(['<p>2</p>', '<p>3</p>'])
  })

  test('that are also sent to the room are one message there and in the thread', async () => {
    const {
      lead,
      ana,
      room: { id },
      first,
    } = await talk()
    const both = await answer(lead, first, 'Found it', { isAlsoInRoom: true })
    expect(both).toMatchObject({ sequence: 2, thread: { id: first.id, sequence: 1 } })
    expect(textsOf(await room(ana, id))).toEqual(['<p>Where is the key?</p>', '<p>Found it</p>'])
    expect(textsOf(await thread(ana, first.id))).toEqual(['<p>Found it</p>'])
    expect(await unreadOf(ana)).toEqual([])
    expect((await ana.get(`/chat/rooms/${id}`)).body.membership.unread).toBe(1)
  })

  test('sent twice with one client id are there once', async () => {
    const { lead, first } = await talk()
    const clientId = crypto.randomUUID()
    const [one, two] = [
      await answer(lead, first, 'Once', { clientId }),
      await answer(lead, first, 'Once', { clientId }),
    ]
    expect(two.id).toBe(one.id)
    expect((await thread(lead, first.id)).messages).toHaveLength(1)
  })

  test('are refused for an answer, another room, and a deleted message without answers', async () => {
    const {
      lead,
      ana,
      room: { id },
      first,
    } = await talk()
    const other = await madeRoom(lead)
    const inside = await answer(lead, first, 'Inside')
    const refused = await Promise.all([
      sending(lead, id, 'No', { threadId: inside.id }),
      sending(lead, other.id, 'No', { threadId: first.id }),
      sending(lead, id, 'No', { threadId: crypto.randomUUID() }),
    ])
    for (const { status, body } of refused)
      expect([status, Object.keys(body.fields)]).toEqual([400, ['threadId']])
    const removed = await sent(ana, id, 'Gone')
    await ana.delete(`/chat/messages/${removed.id}`)
    expect((await sending(lead, id, 'No', { threadId: removed.id })).status).toBe(409)
    expect(textsOf(await thread(lead, first.id))).toEqual(['<p>Inside</p>'])
    expect((await room(lead, other.id)).messages).toEqual([])
  })

  test('outlive the first message, and those deleted are counted no longer', async () => {
    const {
      lead,
      ana,
      ben,
      first,
      room: { id },
    } = await talk()
    const gone = await answer(ben, first, 'Wrong')
    await answer(lead, first, 'Right')
    await ben.delete(`/chat/messages/${gone.id}`)
    await ana.delete(`/chat/messages/${first.id}`)
    const opened = await thread(ben, first.id)
    expect(opened.first).toMatchObject({ text: '', answers: { count: 1, users: [await idOf(lead)] } })
    expect(opened.first?.deletedAt).not.toBeNull()
    expect(opened.messages.map(({ text, deletedAt }) => [text, deletedAt === null])).toEqual([
      ['', false],
      ['<p>Right</p>', true],
    ])
    await answer(ben, first, 'It goes on')
    expect((await room(ana, id)).messages[0]!.answers?.count).toBe(2)
  })

  test('may quote what stands in the thread, and the room quotes no answer that it does not show', async () => {
    const {
      lead,
      ana,
      room: { id },
      first,
    } = await talk()
    const inside = await answer(lead, first, 'Inside')
    const quoting = await answer(ana, first, 'Quoting', { replyTo: inside.id })
    expect(quoting.replyTo).toMatchObject({ id: inside.id, sequence: 0 })
    const { status, body } = await sending(ana, id, 'No', { replyTo: inside.id })
    expect([status, Object.keys(body.fields)]).toEqual([400, ['replyTo']])
    expect((await lead.put(`/chat/messages/${inside.id}/pin`)).status).toBe(409)
  })

  test('are found by the search and kept by no page of the room', async () => {
    const {
      ana,
      lead,
      room: { id },
      first,
    } = await talk()
    await answer(lead, first, 'The pelican knows')
    const { body } = await ana.get(`/chat/search?q=pelican&roomId=${id}`)
    expect(body.messages).toMatchObject([{ thread: { id: first.id, sequence: 1 } }])
  })
})

describe('an unread thread', () => {
  test('is told to its author and those who answered or are mentioned, until they read it', async () => {
    const {
      lead,
      ana,
      ben,
      room: { id },
      first,
    } = await talk()
    const { email } = (await ben.get('/me')).body.user
    const page = await openPage(muster, ana)
    await answer(lead, first, 'One')
    expect(await page.frame(({ type }) => type === 'chat-thread')).toMatchObject({
      roomId: id,
      threadId: first.id,
      isUnread: true,
    })
    expect([await unreadOf(ana), await unreadOf(ben), await unreadOf(lead)]).toEqual([[first.id], [], []])
    await answer(lead, first, `Ask @${email}`)
    expect(await unreadOf(ben)).toEqual([first.id])
    expect((await thread(ben, first.id)).readSequence).toBe(1)
    expect((await ben.post(`/chat/threads/${first.id}/read`, { sequence: 2 })).status).toBe(204)
    expect(await unreadOf(ben)).toEqual([])
    await ana.post(`/chat/threads/${first.id}/read`, { sequence: 1 })
    expect(await unreadOf(ana)).toEqual([first.id])
    await ana.post(`/chat/threads/${first.id}/read`, { sequence: 99 })
    await page.frame((frame) => frame.type === 'chat-thread' && !frame.isUnread)
    await answer(ben, first, 'Three')
    expect([await unreadOf(ana), await unreadOf(lead), await unreadOf(ben)]).toEqual([
      [first.id],
      [first.id],
      [],
    ])
    await page.close()
  })

  test('of a muted room counts with a mention only, and of a room that was left not at all', async () => {
    const {
      lead,
      ana,
      room: { id },
      first,
    } = await talk()
    await ana.patch(`/chat/rooms/${id}/membership`, { isMuted: true })
    await answer(lead, first, 'Quiet')
    expect(await unreadOf(ana)).toEqual([])
    await answer(lead, first, `Loud @${(await ana.get('/me')).body.user.email}`)
    expect(await unreadOf(ana)).toEqual([first.id])
    await ana.post(`/chat/rooms/${id}/leave`)
    expect([await unreadOf(ana), (await threads(ana)).threads]).toEqual([[], []])
    await lead.post(`/chat/rooms/${id}/members`, { userIds: [await idOf(ana)] })
    expect(await unreadOf(ana)).toEqual([])
  })

  test('takes its mention from the notifications once it is read', async () => {
    const { lead, ben, first } = await talk()
    await answer(lead, first, `Look @${(await ben.get('/me')).body.user.email}`)
    const unreadNotices = async () =>
      ((await ben.get('/notifications')).body as Notifications).data.filter(({ hasBeenRead }) => !hasBeenRead)
    expect(await unreadNotices()).toHaveLength(1)
    await ben.post(`/chat/rooms/${first.roomId}/read`, { sequence: 1 })
    expect(await unreadNotices()).toHaveLength(1)
    await ben.post(`/chat/threads/${first.id}/read`, { sequence: 1 })
    expect(await unreadNotices()).toEqual([])
    expect((await ben.get('/chat/mentions')).body.messages).toHaveLength(1)
  })
})

test('the list of threads has those of the caller, last answered first, a page at a time', async () => {
  const {
    lead,
    ana,
    room: { id },
    first,
  } = await talk()
  const second = await sent(ana, id, 'Second')
  const foreign = await sent(lead, id, 'Foreign')
  await answer(lead, second, 'a')
  await answer(lead, first, 'b')
  await answer(lead, foreign, 'c')
  const page = await threads(ana, '?limit=1')
  expect(page.threads).toMatchObject([{ id: first.id, isUnread: true, readSequence: 0, messageId: first.id }])
  expect(page.messages.map((one) => one.id)).toEqual([first.id])
  const rest = await threads(ana, `?limit=1&cursor=${page.next}`)
  expect([rest.threads.map((one) => one.id), rest.next]).toEqual([[second.id], null])
})

describe('members of the room', () => {
  test('receive answers and the counted thread, also what they missed; others nothing', async () => {
    const {
      organisation,
      lead,
      ben,
      room: { id },
      first,
    } = await talk()
    const stranger = await muster.signedInAs(organisation, 'USER')
    const page = await openPage(muster, ben)
    const outside = await openPage(muster, stranger)
    const at = page.last()
    const told = await answer(lead, first, 'Live')
    await page.message('Live')
    const counted = await page.frame((frame) => frame.type === 'chat' && frame.kind === 'thread')
    expect(counted).toMatchObject({
      roomId: id,
      threadId: first.id,
      answers: { count: 1, last_at: told.created_at },
    })
    const { changes } = (await ben.get(`/chat/changes?after=${at}`)).body
    expect(changes.map(({ kind }: { kind: string }) => kind)).toEqual(['message', 'thread'])
    expect(outside.texts()).not.toContain('<p>Live</p>')
    expect((await stranger.get(`/chat/threads/${first.id}`)).status).toBe(404)
    expect((await stranger.post(`/chat/threads/${first.id}/read`, { sequence: 1 })).status).toBe(404)
    expect((await sending(stranger, id, 'No', { threadId: first.id })).status).toBe(404)
    await page.close()
    await outside.close()
  })

  test('from outside see the threads of their rooms and no others', async () => {
    const {
      organisation,
      lead,
      room: { id },
      first,
    } = await talk()
    const guest = await muster.signedInAs(organisation, 'USER', { type: 'EXTERNAL' })
    await answer(lead, first, 'Inside')
    expect((await guest.get(`/chat/threads/${first.id}`)).status).toBe(404)
    await lead.post(`/chat/rooms/${id}/members`, { userIds: [await idOf(guest)] })
    expect(textsOf(await thread(guest, first.id))).toEqual(['<p>Inside</p>'])
    await answer(guest, first, 'From outside')
    expect(await unreadOf(lead)).toEqual([first.id])
    expect((await threads(guest)).threads.map((one) => one.id)).toEqual([first.id])
  })
})
