import { describe, expect, test } from 'vitest'

import { type Endpoint, isJson, pathOf } from '#contract/kit/endpoint.ts'
import { chatApi } from '#contract/chat/api.ts'
import { callsApi } from '#contract/calls/api.ts'
import { channelsApi } from '#contract/channels/api.ts'
import { roomExportsApi } from '#contract/room-exports/api.ts'

import { CallPage, joinedCall, startedCall } from '../support/calls.ts'
import { madeRoom, openPage, sending, sent } from '../support/chat.ts'
import { type Caller, startTestServer } from '../support/server.ts'

/*
 * Every endpoint and socket frame of the chat, tried by callers without access: non-members, a former member,
 * an external person, an administrator outside the room, another organisation, an API key. An endpoint
 * missing from the table fails.
 */
const muster = await startTestServer()
const organisation = await muster.anOrganisation({
  markAsPrivilegedEnabled: true,
  statementOfPrivilege: 'Privileged.',
})
const SECRET = 'Oxpecker'
const owner = await muster.signedInAs(organisation)
const member = await muster.signedInAs(organisation)
const removed = await muster.signedInAs(organisation)
const admin = await muster.signedInAs(organisation, 'ADMIN')
const people: Record<string, Caller> = {
  'no member': await muster.signedInAs(organisation),
  'a former member': removed,
  'an external person': await muster.signedInAs(organisation, 'USER', { type: 'EXTERNAL' }),
  'an administrator': admin,
  'another organisation': await muster.signedInAs(await muster.anOrganisation(), 'ADMIN'),
}
const issued = await admin.post('/apiManagement/credentials', { name: 'Chat' })
const KEY = { 'X-Api-Key': issued.body.key as string }

const room = await madeRoom(owner, { userIds: [member.uuid, removed.uuid], name: `${SECRET} room` })
const file = await (async () => {
  const form = new FormData()
  form.append('file', new File([SECRET], `${SECRET}.txt`))
  return (await muster.send('POST', '/fe', { headers: owner.headers, raw: form })).body
})()
const message = await sent(owner, room.id, SECRET, { fileIds: [file.id] })
await owner.put(`/chat/messages/${message.id}/pin`)
const scheduledId = crypto.randomUUID()
const nextDay = new Date(Date.now() + 86_400_000).toISOString()
const waiting = { clientId: scheduledId, text: `<p>${SECRET}</p>`, sendAt: nextDay }
await owner.post(`/chat/rooms/${room.id}/scheduled`, waiting)
const span = { messagesSince: message.created_at, messagesUntil: message.created_at }
const exported = (await owner.post('/stream/exportChannel', { id: room.id, type: 'team', ...span })).body
await owner.delete(`/chat/rooms/${room.id}/members/${removed.uuid}`)
const { call, participantId } = await startedCall(owner, room.id)

interface Attempt {
  readonly params?: object
  readonly query?: string
  readonly body?: unknown
  /** Expected status of a harmless request, whose response is only searched for the secret. */
  readonly answers?: number
  /** Status for external people, by their permissions. */
  readonly answersExternals?: number
  /** Endpoints without a session ignore keys. */
  readonly answersKeys?: number
}
const inCall = { params: { id: call.callId } }
const inRoom = { params: { id: room.id } }
const atMessage = { params: { id: message.id } }
// Scheduled messages are those of their author, for members of the room as well.
const atScheduled = { params: { id: scheduledId } }
const atFile = { params: { id: file.id } }
/** Endpoints by name, each called for the room. They return 404 unless stated otherwise. */
const CALLS: { readonly [name: string]: Attempt } = {
  'chat.summary': { answers: 200 },
  'chat.changes': { query: '?after=0', answers: 200 },
  'chat.rooms': { answers: 200 },
  'chat.room': inRoom,
  'chat.openIncidentRoom': inRoom,
  'chat.createRoom': { body: { kind: 'DIRECT_MESSAGE', userIds: [] }, answers: 400 },
  'chat.updateRoom': { ...inRoom, body: { name: 'Mine now' } },
  'chat.removeRoom': inRoom,
  'chat.hideRoom': inRoom,
  'chat.leaveRoom': inRoom,
  'chat.returnToRoom': inRoom,
  'chat.readRoom': { ...inRoom, body: { sequence: 1 } },
  'chat.unreadRoom': { ...inRoom, body: { sequence: 1 } },
  'chat.changeMembership': { ...inRoom, body: { isMuted: true } },
  'chat.typeInRoom': inRoom,
  'chat.members': inRoom,
  'chat.addMembers': { ...inRoom, body: { userIds: [] }, answers: 400 },
  'chat.changeRole': { params: { id: room.id, uuid: member.uuid }, body: { role: 'channel_admin' } },
  'chat.removeMember': { params: { id: room.id, uuid: member.uuid } },
  'chat.messages': inRoom,
  'chat.message': atMessage,
  'chat.sendMessage': { ...inRoom, body: { clientId: crypto.randomUUID(), text: '<p>In</p>' } },
  'chat.editMessage': { ...atMessage, body: { text: '<p>Mine now</p>' } },
  'chat.removeMessage': atMessage,
  'chat.react': { params: { id: message.id, emoji: '👍' } },
  'chat.unreact': { params: { id: message.id, emoji: '👍' } },
  'chat.pin': atMessage,
  'chat.unpin': atMessage,
  'chat.saveMessage': { ...atMessage, body: {} },
  'chat.unsaveMessage': atMessage,
  'chat.saved': { answers: 200 },
  'chat.thread': atMessage,
  'chat.threads': { answers: 200 },
  'chat.scheduleMessage': { ...inRoom, body: { ...waiting, clientId: crypto.randomUUID() } },
  'chat.scheduled': { answers: 200 },
  'chat.changeScheduled': { ...atScheduled, body: { version: 1 } },
  'chat.sendScheduled': atScheduled,
  'chat.cancelScheduled': atScheduled,
  'chat.readThread': { ...atMessage, body: { sequence: 1 } },
  'chat.addToIncident': {
    ...atMessage,
    body: { incidentId: '00000000-0000-4000-8000-000000000000', type: 'UPDATE' },
    answersExternals: 403,
  },
  'chat.pinned': inRoom,
  'chat.readers': atMessage,
  'chat.search': { query: `?q=${SECRET}`, answers: 200 },
  'chat.mentions': { answers: 200 },
  'chat.groupsInRoom': { ...inRoom, answersExternals: 403 },
  'chat.presence': { body: { userIds: [] }, answers: 200 },
  'chat.hostedMentions': { ...inRoom, body: { messageId: message.id } },
  'chat.readHostedMentions': { ...inRoom, body: { until: message.created_at } },
  'chat.files': inRoom,
  'chat.upload': { answers: 415 },
  'chat.fileInfo': atFile,
  'chat.file': atFile,
  'chat.fileTicket': atFile,
  'chat.fileContent': { params: { ticket: 'none' }, answersKeys: 404 },
  'chat.removeFile': atFile,
  'channels.accessToken': { answers: 200 },
  'channels.addModerator': { body: { channelId: room.id, moderatorIds: [member.uuid] } },
  'channels.demoteModerator': { body: { channelId: room.id, moderatorIds: [member.uuid] } },
  'channels.mark': { params: { id: room.id, isPrivileged: 'true' } },
  'calls.start': { body: { roomId: room.id, participantId: crypto.randomUUID() } },
  'calls.startInIncident': { ...inRoom, body: { participantId: crypto.randomUUID() } },
  'calls.one': inCall,
  'calls.join': { ...inCall, body: { participantId: crypto.randomUUID() } },
  'calls.leave': { params: { id: call.callId, participantId } },
  'calls.ring': { ...inCall, body: { who: 'EVERYBODY' } },
  'calls.decline': inCall,
  'calls.end': inCall,
  'calls.dialIn': inCall,
  'calls.accessToken': { query: `?channelId=${room.id}` },
  'calls.callDetails': inRoom,
  'room-exports.request': { body: { id: room.id, type: 'team', ...span } },
  'room-exports.progress': { params: { id: exported.id } },
  'room-exports.file': { params: { id: exported.id } },
}
/** Endpoints of administrators, who see the names of channels but no messages. */
const ADMINISTRATION: { readonly [name: string]: Attempt } = {
  'channels.list': { body: { message_limit: 30 } },
  'channels.members': { body: { type: 'team', id: room.id } },
  'channels.update': { params: { type: 'team', id: room.id }, body: { set: {} } },
  'channels.changeMembers': { params: { type: 'team', id: room.id }, body: {} },
  'channels.remove': { params: { type: 'team', id: '00000000-0000-4000-8000-000000000000' } },
}
const endpoints: Record<string, Endpoint> = Object.fromEntries(
  Object.entries({
    chat: chatApi,
    channels: channelsApi,
    calls: callsApi,
    'room-exports': roomExportsApi,
  }).flatMap(([noun, api]) =>
    Object.entries(api).map(([name, endpoint]) => [`${noun}.${name}`, endpoint as Endpoint]),
  ),
)
const ask = (name: string, headers: Record<string, string>, { params, query = '', body }: Attempt) => {
  const endpoint = endpoints[name]!
  const sends = endpoint.body && isJson(endpoint.body)
  return muster.send(endpoint.method, pathOf(endpoint, { ...params }) + query, {
    headers,
    ...(sends ? { body } : {}),
  })
}

test('the tables have every call', () => {
  expect([...Object.keys(CALLS), ...Object.keys(ADMINISTRATION)].sort()).toEqual(
    Object.keys(endpoints).sort(),
  )
})

describe.each(Object.entries(CALLS))('%s', (name, attempt) => {
  test.each(Object.keys(people))('tells %s nothing of the room', async (who) => {
    const reply = await ask(name, people[who]!.headers, attempt)
    const externals = who === 'an external person' ? attempt.answersExternals : undefined
    expect(reply.status, reply.text).toBe(externals ?? attempt.answers ?? 404)
    expect(reply.text).not.toContain(SECRET)
    expect(reply.text).not.toContain(message.id)
  })

  test('is not for API keys', async () => {
    expect((await ask(name, KEY, attempt)).status).toBe(attempt.answersKeys ?? 403)
  })
})

describe.each(Object.entries(ADMINISTRATION))('%s', (name, attempt) => {
  test('is for administrators of the organisation, and has no word of a message', async () => {
    for (const [who, { headers }] of Object.entries(people)) {
      if (who === 'an administrator' || who === 'another organisation') continue
      expect((await ask(name, headers, attempt)).status, who).toBe(403)
    }
    expect((await ask(name, KEY, attempt)).status).toBe(403)
    const reply = await ask(name, admin.headers, attempt)
    expect(reply.text).not.toContain(message.id)
    expect(reply.text.replaceAll(room.name!, '')).not.toContain(SECRET)
    const elsewhere = await ask(name, people['another organisation']!.headers, attempt)
    expect(elsewhere.text).not.toContain(SECRET)
  })
})

test('nothing of it was changed by any of this', async () => {
  const { body } = await owner.get(`/chat/rooms/${room.id}`)
  expect(body).toMatchObject({ name: room.name, member_count: 2, sequence: 2, privileged: false })
  expect((await owner.get(`/calls/${call.callId}`)).body.attendance).toMatchObject([
    { person: { uuid: owner.uuid } },
  ])
  expect((await owner.get(`/chat/messages/${message.id}`)).body.message).toMatchObject({
    text: `<p>${SECRET}</p>`,
    reactions: [],
    pinned: { user: owner.uuid },
  })
})

/** Rings the member, who joins and receives the owner's frames. */
async function atTheCall(atOwners: CallPage, atMembers: CallPage) {
  const started = await startedCall(owner, room.id, { ringing: { who: 'EVERYBODY' } })
  const { callId } = started.call
  await atMembers.frame('call-ring')
  const joined = await joinedCall(member, callId)
  await atMembers.frame('call-ring-over')
  expect(await atMembers.sign(joined)).toBe(true)
  expect(await atOwners.sign(started)).toBe(true)
  const { participantId: from } = started
  atOwners.say({ type: 'call-signal', callId, from, to: joined.participantId, data: { sdp: SECRET } })
  const media = { audio: true, video: false, screen: false }
  atOwners.say({ type: 'call-media', callId, participantId: from, media })
  await atMembers.frame('call-signal')
  await atMembers.frame('call-media')
}

test('every frame of the socket goes to members, and to nobody else', async () => {
  const pages = Object.fromEntries(
    await Promise.all(
      Object.entries(people).map(async ([who, one]) => [who, await openPage(muster, one, 0)] as const),
    ),
  )
  const atMembers = await openPage(muster, member)
  const atOwners = await openPage(muster, owner)
  await atTheCall(new CallPage(atOwners), new CallPage(atMembers))
  const next = await sent(owner, room.id, `${SECRET} two`)
  await owner.patch(`/chat/messages/${next.id}`, { text: `<p>${SECRET} three</p>` })
  await member.put(`/chat/messages/${next.id}/reactions/${encodeURIComponent('👍')}`)
  await owner.post(`/chat/rooms/${room.id}/typing`)
  await member.post(`/chat/rooms/${room.id}/read`, { sequence: 2 })
  await owner.post(`/privilege/${room.id}/true`)
  await owner.patch(`/chat/rooms/${room.id}`, { description: SECRET })
  await owner.post('/stream/addModerator', { channelId: room.id, moderatorIds: [member.uuid] })
  await owner.delete(`/chat/messages/${next.id}`)
  const another = await madeRoom(owner, { userIds: [member.uuid] })
  await owner.delete(`/chat/rooms/${another.id}`)
  await atMembers.until(() => atMembers.of('removed').length > 0)
  await atOwners.frame(({ type }) => type === 'chat-read')
  await atMembers.frame(({ type }) => type === 'chat-typing')
  const told = atMembers.frames.filter(({ type }) => type !== 'event')
  const kinds = new Set(told.map((frame) => (frame.type === 'chat' ? frame.kind : frame.type)))
  expect([...kinds].toSorted()).toEqual([
    'call-here',
    'call-media',
    'call-ring',
    'call-ring-over',
    'call-signal',
    'chat-read',
    'chat-ready',
    'chat-typing',
    'members',
    'message',
    'ready',
    'removed',
    'room',
  ])
  // Each page is up to date once a later message in a room of its own has arrived.
  for (const [who, page] of Object.entries(pages)) {
    const caller = people[who]!
    const fellow = await muster.signedInAs(caller.organisation)
    const own = await madeRoom(fellow, { userIds: [caller.uuid] })
    expect((await sending(fellow, own.id, 'Up to here')).status).toBe(201)
    await page.message('Up to here')
    const received = JSON.stringify(page.frames.filter(({ type }) => type !== 'event'))
    expect(received, who).not.toContain(SECRET)
    expect(
      page.changes().filter(({ kind, roomId }) => kind !== 'members' && roomId === room.id),
      who,
    ).toEqual([])
    const types = page.frames.map(({ type }) => type as string)
    expect(
      types.filter((type) => type === 'chat-typing' || type.startsWith('call-')),
      who,
    ).toEqual([])
    await page.close()
  }
})
