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

/** Notes what happened to a call. It belongs to the incident of its room, whose report tells it, or else to the room. */
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
 * Takes pages out of the calls that go on. The last one to leave ends a call: its banner says so, and whom it rang in vain
 * is notified.
 * @param how `ended`: somebody has ended the call for everybody; `lost`: the pages could not be heard any longer
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
  // One that nobody is in, such as after a crash in the middle, ends too.
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

/** Takes people who have no place in a room any longer out of its call, and lets it ring for them no more. */
export async function leaveRoomCalls(
  db: OrgDb,
  roomId: string,
  userIds: readonly string[] | 'everybody',
): Promise<void> {
  await deleteRings(db, roomId, userIds)
  await leaveCalls(db, { roomId, userIds })
}

/** Notifies those who did not answer a call, of all or with `upTo` of those whose time is over, and rings them no longer. */
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
