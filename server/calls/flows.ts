import { randomInt } from 'node:crypto'

import { callCan } from '#contract/calls/rules.ts'
import {
  CALL_FULL,
  CALL_OVER,
  type CallDetails,
  type CallRecord,
  type JoinedCall,
  type NewCall,
  NOBODY_TO_RING,
  RESUME_WITHIN,
  RING_LIFE,
  type Ringing,
  RINGS_MAX,
  TOO_MANY_RINGS,
} from '#contract/calls/schema.ts'
import { ARCHIVED_CHAT, type Room } from '#contract/chat/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import { enterEverybodyAsked } from '#server/chat/incidents.flows.ts'
import { postCall } from '#server/chat/messages.flows.ts'
import { listPeople, updateCallBanner } from '#server/chat/messages.store.ts'
import { type Acting, openedRoom } from '#server/chat/rooms.flows.ts'
import { lockChat } from '#server/chat/heads.store.ts'
import { updateCall } from '#server/chat/rooms.store.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { demand, notFound, Refusal, wrongField } from '#server/kit/core/refusal.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { engineFor, engineKind } from './engine.flows.ts'
import { leaveCalls, recordCall } from './leaving.flows.ts'
import {
  type CallRow,
  findCall,
  findParticipant,
  insertCall,
  insertParticipant,
  listAttendance,
  listRingable,
  settleRing,
  updateResumed,
  upsertRings,
} from './store.ts'

const CALL = 'This call'
const NOT_THEIRS = 'Somebody else is in this call under this id.'

/**
 * A call of a room that the caller is in, locked with `change` until the transaction ends.
 * @throws Refusal 404 for a call of somebody else's room
 */
export async function openedCall(
  db: OrgDb,
  by: Pick<Acting, 'id'>,
  id: string,
  hold?: 'change',
): Promise<{ call: CallRow; room: Room }> {
  if (hold) await lockChat(db)
  const call = await findCall(db, id)
  if (!call) throw notFound(CALL)
  const room = await openedRoom(db, by, call.room_id).catch(() => {
    throw notFound(CALL)
  })
  return { call, room }
}

/** The room's title for one of its members. */
const titleOf = (room: Room, by: Pick<Acting, 'id'>): string =>
  room.name ??
  room.people
    .filter(({ uuid }) => uuid !== by.id)
    .map(fullName)
    .join(', ')

/** Adds a call under a meeting id that no other active call has. */
async function addCall(db: OrgDb, call: Omit<CallRow, 'meeting_id' | 'end_timestamp'>): Promise<void> {
  let isAdded = false
  while (!isAdded)
    isAdded = await insertCall(db, { ...call, meeting_id: String(randomInt(100_000_000, 1_000_000_000)) })
}

/**
 * Starts a call in a room, or joins its present one, and rings people.
 * @throws Refusal 409 where a new call would ring nobody although it should; then no call is created
 */
export async function startCall(
  services: Services,
  db: OrgDb,
  by: Caller,
  { roomId, participantId, ringing }: NewCall & { readonly ringing: Ringing },
): Promise<JoinedCall> {
  const room = await openedRoom(db, by, roomId, 'change')
  demand(!room.isArchived, 409, ARCHIVED_CHAT)
  if (room.callDetails) {
    const isNew = await enterCall(services, db, by, room.callDetails, { roomId, participantId })
    if (isNew && ringing.who !== 'NOBODY') await ringFrom(services, db, by, room.callDetails.callId, ringing)
    return joinedCall(services, db, by, roomId, participantId)
  }
  const at = clock.timestamp()
  const id = crypto.randomUUID()
  const message = { id, startedAt: at, endedAt: null, isMissed: false }
  const messageId = await postCall(services.chat, db, by, roomId, message)
  await addCall(db, {
    id,
    room_id: roomId,
    message_id: messageId,
    started_by: by.id,
    start_timestamp: at,
  })
  await enter(services, db, by, { callId: id, roomId, participantId })
  await recordCall(db, { id, roomId }, 'started', [{ email: by.name }])
  const wanted: Ringing = room.kind === 'DIRECT_MESSAGE' ? { who: 'EVERYBODY' } : ringing
  const rung = await ringFrom(services, db, by, id, wanted)
  demand(rung > 0 || wanted.who === 'NOBODY', 409, NOBODY_TO_RING)
  return joinedCall(services, db, by, roomId, participantId)
}

/** Joins an active call, or resumes one that was lost a moment ago with this page in it. */
export async function joinCall(
  services: Services,
  db: OrgDb,
  by: Caller,
  id: string,
  participantId: string,
): Promise<JoinedCall> {
  const { call, room } = await openedCall(db, by, id, 'change')
  const details = call.end_timestamp === null ? room.callDetails : await resumed(db, by, call, participantId)
  if (details?.callId !== id) throw over()
  await enterCall(services, db, by, details, { roomId: room.id, participantId })
  return joinedCall(services, db, by, room.id, participantId)
}
const over = () => new Refusal(409, CALL_OVER)

/**
 * Resumes a lost call for a page that was in it: when a site's connection breaks, its pages keep talking peer to peer
 * without the server.
 */
async function resumed(
  db: OrgDb,
  by: Pick<Caller, 'id'>,
  { id, message_id }: CallRow,
  participantId: string,
): Promise<Pick<CallDetails, 'callId' | 'participants'> | null> {
  const since = new Date(clock.now() - RESUME_WITHIN).toISOString()
  if (!(await updateResumed(db, { callId: id, participantId, userId: by.id }, since))) return null
  await updateCallBanner(db, message_id, { endedAt: null, isMissed: false }, clock.timestamp())
  return { callId: id, participants: [] }
}

/** Lets a page enter, unless it is in the call already. Returns whether it entered. */
async function enterCall(
  services: Services,
  db: OrgDb,
  by: Caller,
  { callId, participants }: Pick<CallDetails, 'callId' | 'participants'>,
  { roomId, participantId }: { roomId: string; participantId: string },
): Promise<boolean> {
  const known = await findParticipant(db, callId, participantId)
  demand(known === undefined || known === by.id, 409, NOT_THEIRS)
  const page = { callId, roomId, participantId }
  if (known !== undefined) {
    services.calls.joined(db, { ...page, userId: by.id })
    return false
  }
  demand(callCan.join(participants.length, engineKind(services)), 409, CALL_FULL)
  await enter(services, db, by, page)
  await recordCall(db, { id: callId, roomId }, 'joined', [{ email: by.name }])
  return true
}

async function enter(
  { calls }: Services,
  db: OrgDb,
  by: Pick<Caller, 'id'>,
  { callId, roomId, participantId }: { callId: string; roomId: string; participantId: string },
): Promise<void> {
  await insertParticipant(db, {
    call_id: callId,
    room_id: roomId,
    user_id: by.id,
    participant_id: participantId,
    process_id: calls.processId,
    at: clock.timestamp(),
  })
  await settleRing(db, callId, by.id, 'ANSWERED')
  await updateCall(db, roomId, callId)
  calls.joined(db, { callId, participantId, userId: by.id })
}

async function joinedCall(
  services: Services,
  db: OrgDb,
  by: Caller,
  roomId: string,
  participantId: string,
): Promise<JoinedCall> {
  const room = await openedRoom(db, by, roomId)
  return {
    roomId,
    title: titleOf(room, by),
    participantId,
    call: room.callDetails!,
    engine: await engineFor(services, db, by, room),
  }
}

/**
 * Rings members of a room who are not in its call. Returns how many. People who are asked to check in to the room's
 * incident become members first.
 */
async function ringFrom(
  { calls }: Services,
  db: OrgDb,
  by: Pick<Caller, 'id'>,
  id: string,
  ringing: Ringing,
): Promise<number> {
  if (ringing.who === 'NOBODY') return 0
  const call = (await findCall(db, id))!
  if (ringing.who === 'INCIDENT' && !(await enterEverybodyAsked(db, call.room_id, RINGS_MAX)))
    throw wrongField('ringing', TOO_MANY_RINGS)
  const people = await listRingable(
    db,
    call,
    ringing.who === 'PEOPLE' ? ringing.userIds : ringing.who === 'INCIDENT' ? 'incident' : 'everybody',
  )
  const rung = people.filter((one) => one.id !== by.id)
  if (rung.length > RINGS_MAX) throw wrongField('ringing', TOO_MANY_RINGS)
  if (rung.length === 0) return 0
  const until = clock.now() + RING_LIFE
  const ring = {
    call_id: id,
    room_id: call.room_id,
    rung_by: by.id,
    until_timestamp: new Date(until).toISOString(),
  }
  await upsertRings(
    db,
    ring,
    rung.map((one) => one.id),
  )
  calls.rings(db, until)
  await recordCall(db, { id, roomId: call.room_id }, 'rung', rung)
  return rung.length
}

/** Rings people while the caller is in the call. */
export async function ringPeople(
  services: Services,
  db: OrgDb,
  by: Caller,
  id: string,
  ringing: Ringing,
): Promise<{ rung: number }> {
  const { call, room } = await openedCall(db, by, id, 'change')
  if (call.end_timestamp !== null) throw over()
  const isIn = room.callDetails?.participants.some(({ userId }) => userId === by.id) ?? false
  demand(isIn, 409, 'Please join the call first.')
  const rung = await ringFrom(services, db, by, id, ringing)
  demand(rung > 0, 409, NOBODY_TO_RING)
  return { rung }
}

export async function leaveCall(db: OrgDb, by: Caller, id: string, participantId: string): Promise<void> {
  await openedCall(db, by, id, 'change')
  const known = await findParticipant(db, id, participantId)
  if (known !== undefined && known !== by.id) throw notFound('This participant')
  await leaveCalls(db, { callId: id, participantIds: [participantId] })
}

/** Ends a call for everybody. */
export async function endCall(db: OrgDb, by: Caller, id: string): Promise<void> {
  const { room } = await openedCall(db, by, id, 'change')
  demand(
    callCan.end({ role: room.membership.role }),
    403,
    'Only the owner and admins of this chat can end a call for everybody.',
  )
  await leaveCalls(db, { callId: id }, 'ended')
}

export async function declineCall(db: OrgDb, by: Caller, id: string): Promise<void> {
  const { call } = await openedCall(db, by, id, 'change')
  if (await settleRing(db, id, by.id, 'DECLINED'))
    await recordCall(db, { id, roomId: call.room_id }, 'declined', [{ email: by.name }])
}

/** A call with everybody who was in it. */
export async function callRecord(db: OrgDb, by: Caller, id: string): Promise<CallRecord> {
  const { call } = await openedCall(db, by, id)
  const rows = await listAttendance(db, id)
  const ids = [...new Set([call.started_by, ...rows.map(({ userId }) => userId)])]
  const people = new Map((await listPeople(db, ids)).map((person) => [person.uuid, person]))
  return {
    id,
    roomId: call.room_id,
    messageId: call.message_id,
    meetingId: call.meeting_id,
    startedBy: people.get(call.started_by)!,
    startedAt: call.start_timestamp,
    endedAt: call.end_timestamp,
    attendance: rows.map(({ userId, joined, left }) => ({
      person: people.get(userId)!,
      joinedAt: joined,
      leftAt: left,
    })),
  }
}

/** The participants of a room's call, each one as JSON, as the specification's programs read it. */
export async function callDetails(db: OrgDb, by: Acting, roomId: string) {
  const { callDetails: call } = await openedRoom(db, by, roomId)
  const currentParticipants = (call?.participants ?? []).map(({ avatar, name, participantId }) =>
    JSON.stringify({ avatar, name, participantId }),
  )
  return { data: { currentParticipants } }
}
