import { type Generated, type Kysely, type Selectable, sql } from 'kysely'

import type { IncomingCall } from '#contract/calls/schema.ts'
import type { RoomRole } from '#contract/chat/schema.ts'
import type { OrgDb, ProviderDb, Tables } from '#server/kit/database/db.ts'

interface CallsTable {
  id: string
  room_id: string
  message_id: string
  meeting_id: string
  started_by: string
  start_timestamp: string
  end_timestamp: string | null
  is_lost: Generated<boolean>
}
interface ParticipantRow {
  id: string
  call_id: string
  room_id: string
  user_id: string
  participant_id: string
  process_id: string
  process_timestamp: string
  join_timestamp: string
  leave_timestamp: string | null
}
interface RingRow {
  call_id: string
  room_id: string
  user_id: string
  rung_by: string
  until_timestamp: string
  state: 'RINGING' | 'ANSWERED' | 'DECLINED' | 'MISSED'
}

declare module '#server/kit/database/db.ts' {
  interface Tables {
    calls: CallsTable
    call_participants: ParticipantRow
    call_rings: RingRow
    call_processes: { id: string; seen_timestamp: string }
  }
}

export type CallRow = Omit<Selectable<CallsTable>, 'is_lost'>

export const findCall = (db: OrgDb, id: string): Promise<CallRow | undefined> =>
  db
    .selectFrom('calls')
    .select(['id', 'room_id', 'message_id', 'meeting_id', 'started_by', 'start_timestamp', 'end_timestamp'])
    .where('id', '=', id)
    .executeTakeFirst()

/** Adds a call unless an active one has its meeting id. Returns false on a collision. */
export async function insertCall(db: OrgDb, call: Omit<CallRow, 'end_timestamp'>): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('calls')
    .values({ ...call, end_timestamp: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** Sets the meeting id unless another active call uses it. Returns false on a collision. */
export async function updateMeetingId(db: OrgDb, id: string, meetingId: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`update calls set meeting_id = ${meetingId}
    where id = ${id} and not exists (
      select from calls other where other.meeting_id = ${meetingId} and other.end_timestamp is null and other.id <> ${id})`.execute(
    db,
  )
  return numAffectedRows > 0n
}

/** Ends an active call. With `isLost` it may be resumed, because its pages stopped responding. */
export async function updateEnded(db: OrgDb, id: string, at: string, isLost: boolean): Promise<void> {
  await db
    .updateTable('calls')
    .set({ end_timestamp: at, is_lost: isLost })
    .where('id', '=', id)
    .where('end_timestamp', 'is', null)
    .execute()
}

/**
 * Resumes a call that was lost after `since`, for a page that was in it, unless its room has another call. Returns
 * whether the call is active.
 */
export async function updateResumed(
  db: OrgDb,
  page: { readonly callId: string; readonly participantId: string; readonly userId: string },
  since: string,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update calls c set end_timestamp = null, is_lost = false
     where c.id = ${page.callId} and c.is_lost and c.end_timestamp >= ${since}
       and exists (select from call_participants p where p.call_id = c.id
                    and p.participant_id = ${page.participantId} and p.user_id = ${page.userId})
       and not exists (select from calls other where other.end_timestamp is null
                        and (other.room_id = c.room_id or other.meeting_id = c.meeting_id))`.execute(db)
  return numAffectedRows > 0n
}

/** The room of the call that a person joined last. */
export async function findRoomOfCaller(db: OrgDb, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('call_participants')
    .select('room_id')
    .where('user_id', '=', userId)
    .where('leave_timestamp', 'is', null)
    .orderBy('join_timestamp', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.room_id
}

/** The role of a person in the room of a call; undefined for somebody who is not in the room. */
export async function findRoleInCall(
  db: OrgDb,
  callId: string,
  userId: string,
): Promise<RoomRole | undefined> {
  const { rows } = await sql<{ role: RoomRole }>`
    select m.role from calls c join room_members m on m.room_id = c.room_id
     where c.id = ${callId} and m.user_id = ${userId} and not m.has_left`.execute(db)
  return rows[0]?.role
}

/** The person whose page is in a call; undefined for a page that is in none. */
export async function findParticipant(
  db: OrgDb,
  callId: string,
  participantId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('call_participants')
    .select('user_id')
    .where('call_id', '=', callId)
    .where('participant_id', '=', participantId)
    .where('leave_timestamp', 'is', null)
    .executeTakeFirst()
  return row?.user_id
}

export async function insertParticipant(
  db: OrgDb,
  {
    at,
    ...row
  }: Pick<ParticipantRow, 'call_id' | 'room_id' | 'user_id' | 'participant_id' | 'process_id'> & {
    readonly at: string
  },
): Promise<void> {
  await db
    .insertInto('call_participants')
    .values({
      ...row,
      id: crypto.randomUUID(),
      process_timestamp: at,
      join_timestamp: at,
      leave_timestamp: null,
    })
    .execute()
}

/** Assigns a page in a call to a process. Returns whether the page is in the call. */
export async function updateProcess(
  db: OrgDb,
  page: { readonly callId: string; readonly participantId: string; readonly userId: string },
  processId: string,
  at: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('call_participants')
    .set({ process_id: processId, process_timestamp: at })
    .where('call_id', '=', page.callId)
    .where('participant_id', '=', page.participantId)
    .where('user_id', '=', page.userId)
    .where('leave_timestamp', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Pages that leave: all in a call; some of them, with `processId` only those assigned to that process; people in a
 * room.
 */
export type Leaving =
  | { readonly callId: string }
  | { readonly callId: string; readonly participantIds: readonly string[]; readonly processId?: string }
  | { readonly roomId: string; readonly userIds: readonly string[] | 'everybody' }

export interface Left {
  readonly callId: string
  readonly roomId: string
  readonly userId: string
  readonly email: string
}
/** Marks pages as having left active calls. */
export async function updateLeft(db: OrgDb, which: Leaving, at: string): Promise<Left[]> {
  const narrowed =
    'roomId' in which
      ? sql`p.room_id = ${which.roomId} and ${
          which.userIds === 'everybody' ? sql`true` : sql`p.user_id = any(${which.userIds}::uuid[])`
        }`
      : 'participantIds' in which
        ? sql`p.call_id = ${which.callId} and p.participant_id = any(${which.participantIds}::uuid[])
            and ${which.processId === undefined ? sql`true` : sql`p.process_id = ${which.processId}`}`
        : sql`p.call_id = ${which.callId}`
  const { rows } = await sql<Left>`
    update call_participants p set leave_timestamp = ${at} from users u
     where ${narrowed} and p.leave_timestamp is null and u.id = p.user_id
    returning p.call_id as "callId", p.room_id as "roomId", p.user_id as "userId", u.email`.execute(db)
  return rows
}

export async function countParticipants(db: OrgDb, callId: string): Promise<number> {
  const { n } = await db
    .selectFrom('call_participants')
    .select(sql<number>`count(*)`.as('n'))
    .where('call_id', '=', callId)
    .where('leave_timestamp', 'is', null)
    .executeTakeFirstOrThrow()
  return n
}

export interface Attendance {
  readonly userId: string
  readonly joined: string
  readonly left: string | null
}
/** Everybody who was in a call, with times, in order of arrival. */
export const listAttendance = (db: OrgDb, callId: string): Promise<Attendance[]> =>
  db
    .selectFrom('call_participants')
    .select(['user_id as userId', 'join_timestamp as joined', 'leave_timestamp as left'])
    .where('call_id', '=', callId)
    .orderBy('join_timestamp')
    .orderBy('id')
    .execute()

/** True when a call rang people and nobody but its starter joined. */
export async function isUnanswered(db: OrgDb, callId: string): Promise<boolean> {
  const { rows } = await sql<{ unanswered: boolean }>`
    select exists (select from call_rings where call_id = ${callId}) and not exists (
      select from call_participants p where p.call_id = c.id and p.user_id <> c.started_by) as unanswered
      from calls c where c.id = ${callId}`.execute(db)
  return rows[0]?.unanswered ?? false
}

export interface Ringable {
  readonly id: string
  readonly email: string
}
/** Members of the call's room who can be reached and are not in the call. With `only`, restricted to those. */
export async function listRingable(
  db: OrgDb,
  call: Pick<CallRow, 'id' | 'room_id'>,
  only: 'everybody' | 'incident' | readonly string[],
): Promise<Ringable[]> {
  const narrowed =
    only === 'everybody'
      ? sql`true`
      : only === 'incident'
        ? // An incident without targets is for everybody.
          sql`exists (select from incidents i where i.breakout_room_id = ${call.room_id} and (not i.is_targeted
            or exists (select from incident_targets t where t.incident_id = i.id and t.user_id = u.id)))`
        : sql`u.id = any(${only}::uuid[])`
  const { rows } = await sql<Ringable>`
    select u.id, u.email from room_members m join users u on u.id = m.user_id
     where m.room_id = ${call.room_id} and not m.has_left and u.active and not u.banned and ${narrowed}
       and not exists (select from call_participants p
                        where p.call_id = ${call.id} and p.user_id = u.id and p.leave_timestamp is null)
     order by u.given_key, u.id`.execute(db)
  return rows
}

/** Rings people until a time. */
export async function upsertRings(
  db: OrgDb,
  ring: Pick<RingRow, 'call_id' | 'room_id' | 'rung_by' | 'until_timestamp'>,
  userIds: readonly string[],
): Promise<void> {
  await sql`
    insert into call_rings (call_id, room_id, user_id, rung_by, until_timestamp, state)
      select ${ring.call_id}, ${ring.room_id}, one.id, ${ring.rung_by}, ${ring.until_timestamp}, 'RINGING'
        from unnest(${userIds}::uuid[]) as one (id)
      on conflict (call_id, user_id) do update set
        rung_by = excluded.rung_by, until_timestamp = excluded.until_timestamp, state = 'RINGING'`.execute(db)
}

/** Stops ringing a person. Returns whether they were rung. */
export async function settleRing(
  db: OrgDb,
  callId: string,
  userId: string,
  state: 'ANSWERED' | 'DECLINED',
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('call_rings')
    .set({ state })
    .where('call_id', '=', callId)
    .where('user_id', '=', userId)
    .where('state', '=', 'RINGING')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Stops ringing people who are no longer members of a room. */
export async function deleteRings(
  db: OrgDb,
  roomId: string,
  userIds: readonly string[] | 'everybody',
): Promise<void> {
  await sql`delete from call_rings where room_id = ${roomId} and state = 'RINGING'
    and ${userIds === 'everybody' ? sql`true` : sql`user_id = any(${userIds}::uuid[])`}`.execute(db)
}

/** Stops the ringing of a call, with `upTo` only that whose time is over. Returns who did not answer. */
export async function missRings(db: OrgDb, callId: string, upTo?: string): Promise<string[]> {
  const rows = await db
    .updateTable('call_rings')
    .set({ state: 'MISSED' })
    .where('call_id', '=', callId)
    .where('state', '=', 'RINGING')
    .$if(upTo !== undefined, (due) => due.where('until_timestamp', '<=', upTo!))
    .returning('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** An incoming call as pages show it, without the names of people. */
export interface Ring extends Omit<IncomingCall, 'title' | 'by'> {
  /** The person who is rung. */
  readonly userId: string
  /** The caller. */
  readonly by: string
  /** Null for a direct message. */
  readonly name: string | null
  /** Other members of a direct message, by name, as the rung person sees them. */
  readonly others: readonly { readonly firstName: string; readonly lastName: string }[] | null
}
/** People of the organisation who are rung now, latest first. */
export async function listRings(db: OrgDb, at: string): Promise<Ring[]> {
  const { rows } = await sql<Ring>`
    select g.user_id as "userId", c.id as "callId", c.room_id as "roomId", r.name, r.kind = 'DIRECT_MESSAGE' as "isDirect",
      coalesce(i.is_tabletop, false) as "isExercise", g.rung_by as by, g.until_timestamp as until,
      case when r.kind = 'DIRECT_MESSAGE' then array(
        select jsonb_build_object('firstName', u.first_name, 'lastName', u.last_name)
          from room_members m join users u on u.id = m.user_id
         where m.room_id = r.id and not m.has_left and m.user_id <> g.user_id order by u.given_key, u.id) end as others
      from call_rings g join calls c on c.id = g.call_id join rooms r on r.id = g.room_id
      left join incidents i on i.breakout_room_id = r.id
     where g.state = 'RINGING' and g.until_timestamp > ${at} and c.end_timestamp is null
     order by g.until_timestamp desc, c.id`.execute(db)
  return rows
}

/** A browser page in a call. */
export interface Page {
  readonly callId: string
  readonly participantId: string
}
/** The organisation's pages that are assigned to a process. */
export const listVouched = (db: OrgDb, processId: string): Promise<Page[]> =>
  db
    .selectFrom('call_participants')
    .select(['call_id as callId', 'participant_id as participantId'])
    .where('process_id', '=', processId)
    .where('leave_timestamp', 'is', null)
    .execute()

/** A page or call that has to be ended, with its organisation. */
export interface Due extends Page {
  readonly organisationId: string
  readonly processId: string
}
/** Pages in calls whose process has been silent since a time, of all organisations. */
export async function listAbandoned(db: ProviderDb, since: string): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select p.organisation_id as "organisationId", p.call_id as "callId", p.participant_id as "participantId",
      p.process_id as "processId"
      from call_participants p
     where p.leave_timestamp is null and p.process_timestamp < ${since}
       and not exists (select from call_processes one where one.id = p.process_id and one.seen_timestamp >= ${since})`.execute(
    db,
  )
  return rows
}

/** Calls with ringing that is overdue, of all organisations. */
export async function listOverdue(
  db: ProviderDb,
  at: string,
): Promise<{ organisationId: string; callId: string }[]> {
  const { rows } = await sql<{ organisationId: string; callId: string }>`
    select distinct organisation_id as "organisationId", call_id as "callId" from call_rings
     where state = 'RINGING' and until_timestamp <= ${at}`.execute(db)
  return rows
}

/** Stores the heartbeat of a process. */
export async function upsertProcess(directory: Kysely<Tables>, id: string, at: string): Promise<void> {
  await directory
    .insertInto('call_processes')
    .values({ id, seen_timestamp: at })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_timestamp: at }))
    .execute()
}

/** Deletes processes that have been silent since a time and have no pages left. */
export async function deleteProcesses(db: ProviderDb, since: string): Promise<void> {
  await db.deleteFrom('call_processes').where('seen_timestamp', '<', since).execute()
}
