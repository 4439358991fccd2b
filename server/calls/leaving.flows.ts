import { fullName } from '#contract/kit/names.ts'
import { listPeople, updateCallBanner } from '#server/chat/messages.store.ts'
import { findTitle, updateCall } from '#server/chat/rooms.store.ts'
import { lockChat } from '#server/chat/heads.store.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Changes } from '#server/kit/core/event.ts'
import { record } from '#server/kit/events/events.ts'
import { notifyMissed } from '#server/notifications/flows.ts'

import {
  type CallRow,
  countParticipants,
  deleteRings,
  findCall,
  isUnanswered,
  type Leaving,
  type Left,
  missRings,
  updateEnded,
  updateLeft,
} from './store.ts'

/**
 * Records an event of a call, on the incident of its room where there is one, for the report; otherwise on the room.
 */
export async function recordCall(
  db: OrgDb,
  call: { readonly id: string; readonly roomId: string },
  verb: string,
  people: readonly { readonly email: string }[],
  change: 'come' | 'gone' = 'come',
): Promise<void> {
  const emails = [...new Set(people.map(({ email }) => email))].sort()
  const participants = change === 'come' ? { from: null, to: emails } : { from: emails, to: null }
  const changes: Changes = emails.length === 0 ? {} : { participants }
  const { incidentId } = await findTitle(db, call.roomId)
  record(db, { noun: 'calls', record: call.id, parent: incidentId ?? call.roomId, verb, changes })
}

/**
 * Removes pages from active calls. The last one to leave ends the call: its banner says so, and people who did not
 * answer are notified.
 * @param how `ended`: somebody has ended the call for everybody; `lost`: the pages no longer respond
 */
export async function leaveCalls(
  db: OrgDb,
  which: Leaving,
  how: 'left' | 'ended' | 'lost' = 'left',
): Promise<void> {
  const isEnded = how === 'ended'
  await lockChat(db)
  const at = clock.timestamp()
  const left = await updateLeft(db, which, at)
  const calls = Map.groupBy(left, ({ callId }) => callId)
  // An empty call, such as after a crash midway, ends too.
  if (isEnded && 'callId' in which && !calls.has(which.callId)) calls.set(which.callId, [])
  for (const [id, gone] of calls) {
    const call = await findCall(db, id)
    if (!call || call.end_timestamp !== null) continue
    if (!isEnded) await recordCall(db, { id, roomId: call.room_id }, 'left', gone, 'gone')
    if ((await countParticipants(db, id)) > 0) await updateCall(db, call.room_id, id)
    else await endCall(db, call, at, { gone: isEnded ? gone : [], isLost: how === 'lost' })
  }
}

async function endCall(
  db: OrgDb,
  call: CallRow,
  at: string,
  { gone, isLost }: { gone: readonly Left[]; isLost: boolean },
): Promise<void> {
  await updateEnded(db, call.id, at, isLost)
  await updateCall(db, call.room_id, null)
  const isMissed = await isUnanswered(db, call.id)
  await missCall(db, call)
  await updateCallBanner(db, call.message_id, { endedAt: at, isMissed }, at)
  await recordCall(db, { id: call.id, roomId: call.room_id }, 'ended', gone, 'gone')
}

/** Removes people who are no longer members of a room from its call, and stops ringing them. */
export async function leaveRoomCalls(
  db: OrgDb,
  roomId: string,
  userIds: readonly string[] | 'everybody',
): Promise<void> {
  await deleteRings(db, roomId, userIds)
  await leaveCalls(db, { roomId, userIds })
}

/** Stops ringing people who did not answer a call and notifies them: all, or with `upTo` those whose time is over. */
export async function missCall(db: OrgDb, call: CallRow, upTo?: string): Promise<void> {
  const missed = await missRings(db, call.id, upTo)
  if (missed.length === 0) return
  const { name, isTabletop } = await findTitle(db, call.room_id)
  const people = await listPeople(db, [...missed, call.started_by])
  const caller = people.find(({ uuid }) => uuid === call.started_by)
  const recipients = people.filter(({ uuid }) => missed.includes(uuid))
  await notifyMissed(db, recipients, {
    roomId: call.room_id,
    messageId: call.message_id,
    author: caller ? fullName(caller) : '',
    name: name ?? 'Direct message',
    isTabletop,
  })
  await recordCall(db, { id: call.id, roomId: call.room_id }, 'missed', recipients)
}
