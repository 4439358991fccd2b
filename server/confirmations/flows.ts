import { roomCan } from '#contract/chat/rules.ts'
import {
  CONFIRM_REMIND_EVERY,
  type ConfirmationPlace,
  type ConfirmationRequest,
  type ConfirmingPerson,
  type NewConfirmation,
} from '#contract/confirmations/schema.ts'
import { incidentCan } from '#contract/incidents/rules.ts'
import { pick } from '#contract/kit/pick.ts'
import { LIMIT_REACHED } from '#contract/kit/limits.ts'
import { fullName } from '#contract/kit/names.ts'
import { openedMessage } from '#server/chat/messages.flows.ts'
import { meIn, openedRoom } from '#server/chat/rooms.flows.ts'
import { findTitle } from '#server/chat/rooms.store.ts'
import { opened, RESOLVED, stateOf } from '#server/incidents/access.flows.ts'
import { findIncidentOfActivity, listActivityTree } from '#server/incidents/activities.store.ts'
import { clock } from '#server/kit/core/clock.ts'
import { demand, notFound, Refusal } from '#server/kit/core/refusal.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import { notify, notifyToConfirm } from '#server/notifications/flows.ts'
import { knownTo } from '#server/users/people.store.ts'

import {
  claimReminder,
  type CountedRequest,
  findReminded,
  findRequest,
  insertConfirmation,
  insertRequest,
  listAsked,
  listConfirming,
  listRequests,
  type Place,
  type RequestRow,
} from './store.ts'

const REQUEST = 'This confirmation'
const UPDATE = 'This update'
const ROOM_ASKS = 'Only the sender of a message and those who manage the chat ask for a confirmation.'
const INCIDENT_ASKS = 'You may not change this incident.'
const DELETED = 'This message was deleted.'
const NOT_ASKED = 'You are not asked to confirm this.'
const EVERYBODY = 'Everybody has confirmed.'
const TOO_SOON = 'They were reminded less than a minute ago.'
const TITLE = 'Please confirm that you have read this'

const FIELDS = [
  'id',
  'messageId',
  'activityId',
  'createdById',
  'createTimestamp',
  'askedCount',
  'confirmedCount',
  'isAsked',
  'confirmTimestamp',
] as const

const placeOf = ({ roomId, incidentId }: Pick<RequestRow, 'roomId' | 'incidentId'>): Place =>
  roomId === null ? { incidentId: incidentId! } : { roomId }

/** Opens the room or the incident; `mayAsk` is true for those who may ask in it. */
async function openPlace(db: OrgDb, by: Caller, place: Place): Promise<{ mayAsk: boolean }> {
  if ('roomId' in place) {
    if (!by.permissions.includes('chats')) throw notFound('This room')
    const room = await openedRoom(db, by, place.roomId)
    // `pin` has the same people: those who call everybody's attention to a message.
    return { mayAsk: roomCan.pin(room, meIn(room, by), by.permissions.includes('chat-admin')) }
  }
  const reads = by.permissions.some((one) => one === 'incidents-read-only' || one === 'incidents-full-access')
  if (!reads) throw notFound('This incident')
  const incident = await opened(db, by, place.incidentId)
  return {
    mayAsk: incidentCan.addActivity(stateOf(incident)) && by.permissions.includes('incidents-full-access'),
  }
}

/** A request whose room or incident the caller sees. */
async function openedRequest(db: OrgDb, by: Caller, id: string) {
  const found = await findRequest(db, id)
  if (!found) throw notFound(REQUEST)
  const place = placeOf(found)
  return { found, place, ...(await openPlace(db, by, place)) }
}

const shown = (row: CountedRequest, by: Pick<Caller, 'id'>, mayAsk: boolean): ConfirmationRequest => ({
  ...pick(row, FIELDS),
  canRemind: mayAsk || (row.createdById === by.id && row.roomId !== null),
})

/** The newest requests of a room or an incident. */
export async function confirmationsIn(
  db: OrgDb,
  by: Caller,
  { place: kind, id }: ConfirmationPlace,
): Promise<ConfirmationRequest[]> {
  const place: Place = kind === 'ROOM' ? { roomId: id } : { incidentId: id }
  const { mayAsk } = await openPlace(db, by, place)
  return (await listRequests(db, place, by.id)).map((row) => shown(row, by, mayAsk))
}

async function reread(db: OrgDb, by: Caller, id: string): Promise<ConfirmationRequest> {
  const { place, mayAsk } = await openedRequest(db, by, id)
  const [row] = await listRequests(db, place, by.id, id)
  if (!row) throw notFound(REQUEST)
  return shown(row, by, mayAsk)
}

/** @throws Refusal 403, 404, 409 */
async function demandMessage(db: OrgDb, by: Caller, id: string) {
  if (!by.permissions.includes('chats')) throw notFound('This message')
  const { row, room } = await openedMessage(db, by, id)
  demand(row.deleted_timestamp === null, 409, DELETED)
  const isOwn = row.user_id === by.id
  const { mayAsk } = await openPlace(db, by, { roomId: room.id })
  demand(isOwn || mayAsk, 403, ROOM_ASKS)
  return { messageId: id, roomId: room.id, activityId: null, incidentId: null }
}

/** @throws Refusal 403, 404, 409 */
async function demandUpdate(db: OrgDb, by: Caller, id: string) {
  const incidentId = await findIncidentOfActivity(db, id)
  if (incidentId === undefined) throw notFound(UPDATE)
  const incident = await opened(db, by, incidentId)
  demand(by.permissions.includes('incidents-full-access'), 403, INCIDENT_ASKS)
  const [activity] = await listActivityTree(db, id)
  if (activity?.type !== 'UPDATE') throw notFound(UPDATE)
  demand(incidentCan.addActivity(stateOf(incident)), 409, RESOLVED)
  return { messageId: null, roomId: null, activityId: id, incidentId }
}

/** Asks everybody in the room or the incident to confirm. A second request for the same returns the first one. */
export async function requestConfirmation(
  db: OrgDb,
  by: Caller,
  { subject: kind, id: subjectId }: NewConfirmation,
): Promise<ConfirmationRequest> {
  const subject = await (kind === 'UPDATE' ? demandUpdate : demandMessage)(db, by, subjectId)
  const row: RequestRow = {
    id: crypto.randomUUID(),
    ...subject,
    createdById: by.id,
    createTimestamp: clock.timestamp(),
  }
  const { id, isNew } = await insertRequest(db, row)
  if (isNew) {
    const asked = await listAsked(db, { ...row, place: placeOf(row) })
    record(db, {
      noun: 'confirmations',
      record: id,
      parent: row.incidentId ?? row.roomId,
      verb: 'requested',
      externals: asked.filter(({ type }) => type === 'EXTERNAL').map(({ uuid }) => uuid),
      changes: { asked: { from: null, to: asked.length } },
    })
  }
  return reread(db, by, id)
}

/**
 * Confirms for the caller.
 * @throws Refusal 404, 409 for a caller who is not asked
 */
export async function confirm(db: OrgDb, by: Caller, id: string): Promise<ConfirmationRequest> {
  const request = await reread(db, by, id)
  demand(request.isAsked || request.confirmTimestamp !== null, 409, NOT_ASKED)
  if (request.confirmTimestamp !== null) return request
  await insertConfirmation(db, id, by.id, clock.timestamp())
  return reread(db, by, id)
}

/** A page of those who have confirmed, or of those who have not. */
export async function confirmingPeople(
  db: OrgDb,
  by: Caller,
  id: string,
  slice: Parameters<typeof listConfirming>[3],
): Promise<{ data: ConfirmingPerson[]; total: number }> {
  const { found, place } = await openedRequest(db, by, id)
  return listConfirming(db, { ...found, place }, knownTo(by), slice)
}

/** Tells those who have not confirmed in the product. */
async function tell(
  db: OrgDb,
  by: Caller,
  { messageId, roomId, incidentId, activityId }: RequestRow,
  people: Awaited<ReturnType<typeof listAsked>>,
  at: string,
): Promise<void> {
  if (roomId !== null && messageId !== null) {
    const { row } = await openedMessage(db, by, messageId)
    const { name, isTabletop } = await findTitle(db, roomId)
    await notifyToConfirm(db, people, {
      title: TITLE,
      messageId,
      roomId,
      author: fullName(row.author),
      name: name ?? 'Direct message',
      isTabletop,
      reminderTimestamp: at,
    })
    return
  }
  const incident = await opened(db, by, incidentId!)
  await notify(
    db,
    by,
    people.map(({ uuid }) => uuid),
    {
      title: TITLE,
      details: incident.title,
      incidentId: incident.id,
      activityId,
      isTabletop: incident.isTabletop,
      externals: people.filter(({ type }) => type === 'EXTERNAL').map(({ uuid }) => uuid),
    },
  )
}

/**
 * Reminds those who have not confirmed. Returns their number.
 * @throws Refusal 403, 404, 409 where everybody has confirmed, 429 within a minute after the last reminder
 */
export async function remindToConfirm(db: OrgDb, by: Caller, id: string): Promise<number> {
  const { found, place } = await openedRequest(db, by, id)
  const { canRemind } = await reread(db, by, id)
  if ('incidentId' in place) {
    const incident = await opened(db, by, place.incidentId)
    demand(incidentCan.addActivity(stateOf(incident)), 409, RESOLVED)
  }
  demand(canRemind, 403, 'roomId' in place ? ROOM_ASKS : INCIDENT_ASKS)
  const people = (await listAsked(db, { ...found, place })).filter(({ hasConfirmed }) => !hasConfirmed)
  demand(people.length > 0, 409, EVERYBODY)
  const now = clock.now()
  const [at, before] = [now, now - CONFIRM_REMIND_EVERY].map((time) => new Date(time).toISOString())
  if (!(await claimReminder(db, id, at!, before!))) {
    const last = Date.parse((await findReminded(db, id)) ?? at!)
    throw new Refusal(429, TOO_SOON, {
      code: LIMIT_REACHED,
      msUntilNextAttempt: Math.max(0, last + CONFIRM_REMIND_EVERY - now),
    })
  }
  await tell(db, by, found, people, at!)
  record(db, {
    noun: 'confirmations',
    record: id,
    parent: found.incidentId ?? found.roomId,
    verb: 'reminded',
    changes: { people: { from: null, to: people.length } },
  })
  return people.length
}
