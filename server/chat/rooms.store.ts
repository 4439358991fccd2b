import { type RawBuilder, sql } from 'kysely'

import type { CallDetails, CallParticipant } from '#contract/calls/schema.ts'
import {
  DIRECT_PEOPLE_MAX,
  type Room,
  type RoomKind,
  type RoomMember,
  type RoomRole,
  type SharedRoom,
} from '#contract/chat/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import type { NamedPerson } from '#contract/users/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { PERSON } from '#server/kit/database/people.ts'
import { keptCount } from '#server/kit/database/row-counts.ts'
import { holdsEachWord, patternOf } from '#server/kit/database/search.ts'
import type { Page } from '#server/kit/http/answers.ts'

interface RoomRow {
  id: string
  kind: RoomKind
  is_headquarters: boolean
  name: string | null
  name_key: string | null
  description: string | null
  direct_key: string | null
  created_by: string | null
  is_privileged: boolean
  privileged_by: string | null
  privileged_timestamp: string | null
  last_sequence: number
  last_message_timestamp: string | null
  is_deleted: boolean
  create_timestamp: string
  update_timestamp: string
  version: number
  change_sequence: number
  message_change_sequence: number
  call_id: string | null
}
interface MemberRow {
  room_id: string
  user_id: string
  role: RoomRole
  has_left: boolean
  read_sequence: number
  read_timestamp: string | null
  hosted_read_timestamp: string | null
  hidden_sequence: number | null
  create_timestamp: string
  change_sequence: number
}

declare module '#server/kit/database/db.ts' {
  interface Tables {
    chat_heads: { sequence: number }
    rooms: RoomRow
    room_members: MemberRow
  }
}

/** Keeps other changes of the organisation's chat out until the transaction ends. Taken after other locks. */
export async function lockChat(db: OrgDb): Promise<void> {
  await sql`select lock_chat()`.execute(db)
}

/** The number of the next change: one for each frame that members receive. */
export async function nextSequence(db: OrgDb): Promise<number> {
  const { rows } = await sql<{ sequence: number }>`select next_chat_sequence() as sequence`.execute(db)
  return rows[0]!.sequence
}

/** The number of the newest change. */
export const findHead = async (db: OrgDb): Promise<number> =>
  (await db.selectFrom('chat_heads').select('sequence').executeTakeFirst())?.sequence ?? 0

/** How many are in the row `r` of rooms. External people cannot read the kept number. */
export const MEMBER_COUNT = sql<number>`case when current_setting('role') = 'muster_external'
  then (select count(*) from room_members one where one.room_id = r.id and not one.has_left)
  else ${keptCount('room_members', [sql`r.id`])} end`

/** A time of the database inside JSON, as ISO 8601. */
export const iso = (column: RawBuilder<unknown>) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The call of the row `r` of rooms with everybody who is in it, first come first. Few rooms have one. */
const CALL = sql`case when r.call_id is not null then (
  select jsonb_build_object(
    'callId', c.id, 'messageId', c.message_id, 'meetingId', c.meeting_id, 'started_at', ${iso(sql`c.start_timestamp`)},
    'participants', (
      select coalesce(jsonb_agg(jsonb_build_object(
          'participantId', p.participant_id, 'userId', p.user_id, 'firstName', u.first_name, 'lastName', u.last_name,
          'avatar', u.profile_image_url, 'joined_at', ${iso(sql`p.join_timestamp`)}) order by p.join_timestamp, p.id), '[]')
        from call_participants p join users u on u.id = p.user_id
       where p.call_id = c.id and p.leave_timestamp is null))
    from calls c where c.id = r.call_id) end`

/** What all members see of the row `r` of rooms. */
export const SHARED = sql`r.id, r.kind, r.is_headquarters, r.name, r.description, r.is_privileged, r.privileged_by,
  r.privileged_timestamp, r.last_sequence, r.last_message_timestamp, r.create_timestamp, r.update_timestamp, r.version,
  r.is_deleted, r.change_sequence, ${MEMBER_COUNT} as member_count, ${CALL} as call`

export type SharedRow = Omit<
  RoomRow,
  'name_key' | 'direct_key' | 'created_by' | 'message_change_sequence' | 'call_id'
> & {
  member_count: number
  call: CallRow | null
}
type CallRow = Omit<CallDetails, 'participants'> & {
  participants: (Omit<CallParticipant, 'name'> & { firstName: string; lastName: string })[]
}
const toCall = ({ participants, ...call }: CallRow): CallDetails => ({
  ...call,
  participants: participants.map(({ firstName, lastName, ...one }) => ({
    ...one,
    name: fullName({ firstName, lastName }),
  })),
})

export const toSharedRoom = (row: SharedRow): SharedRoom => {
  const type = row.kind === 'DIRECT_MESSAGE' ? 'messaging' : 'team'
  return {
    id: row.id,
    cid: `${type}:${row.id}`,
    type,
    kind: row.kind,
    name: row.name,
    description: row.description,
    isWarRoom: row.kind === 'WAR_ROOM',
    isHeadquarters: row.is_headquarters,
    privileged: row.is_privileged,
    privilegedStatus:
      row.privileged_by === null ? null : { uuid: row.privileged_by, timestamp: row.privileged_timestamp! },
    sequence: row.last_sequence,
    last_message_at: row.last_message_timestamp,
    created_at: row.create_timestamp,
    updated_at: row.update_timestamp,
    member_count: row.member_count,
    callDetails: row.call && toCall(row.call),
    version: row.version,
  }
}

type OwnRow = SharedRow & {
  role: RoomRole
  read_sequence: number
  is_hidden: boolean
  joined: string
  others_read: number
  incident_id: string | null
  is_archived: boolean
  people: NamedPerson[] | null
}
const HIDDEN = sql<boolean>`coalesce(me.hidden_sequence >= r.last_sequence, false)`
const OWN = sql`${SHARED}, me.role, me.read_sequence, ${HIDDEN} as is_hidden, me.create_timestamp as joined,
  coalesce((select one.read_sequence from room_members one
    where one.room_id = r.id and one.user_id <> me.user_id and not one.has_left
    order by one.read_sequence desc limit 1), 0) as others_read,
  (select i.id from incidents i where i.breakout_room_id = r.id) as incident_id,
  (r.kind = 'DIRECT_MESSAGE' and not exists (
    select from room_members one join users u on u.id = one.user_id
     where one.room_id = r.id and not one.has_left and one.user_id <> me.user_id and u.active)) as is_archived,
  case when r.kind = 'DIRECT_MESSAGE' then array(
    select ${PERSON} from room_members one join users u on u.id = one.user_id
     where one.room_id = r.id and not one.has_left
     order by one.user_id = me.user_id desc, u.given_key, u.id limit ${sql.lit(DIRECT_PEOPLE_MAX)}) end as people`
/** The rooms of somebody. */
const memberOf = (
  userId: string,
): RawBuilder<unknown> => sql`room_members me join rooms r on r.id = me.room_id
  where me.user_id = ${userId} and not me.has_left and not r.is_deleted`

/** The rooms of somebody, for a list. The planner would read all rooms and look for the person in each. */
const roomsOf = (
  userId: string,
): RawBuilder<unknown> => sql`(select * from room_members where user_id = ${userId} and not has_left offset 0) me
  cross join lateral (select * from rooms where id = me.room_id offset 0) r
  where not r.is_deleted`

const toRoom = (row: OwnRow): Room => ({
  ...toSharedRoom(row),
  membership: {
    role: row.role,
    read_sequence: row.read_sequence,
    unread: Math.max(0, row.last_sequence - row.read_sequence),
    hidden: row.is_hidden,
    created_at: row.joined,
  },
  othersReadSequence: row.others_read,
  incidentId: row.incident_id,
  isArchived: row.is_archived,
  people: row.people ?? [],
})

/** A room as one of its members sees it; undefined for everybody else. */
export async function findRoom(db: OrgDb, userId: string, id: string): Promise<Room | undefined> {
  const { rows } = await sql<OwnRow>`select ${OWN} from ${memberOf(userId)} and r.id = ${id}`.execute(db)
  return rows[0] && toRoom(rows[0])
}

/** The name of a room, null for a direct message, and the incident that it belongs to. */
export async function findTitle(
  db: OrgDb,
  id: string,
): Promise<{ name: string | null; isTabletop: boolean; incidentId: string | null }> {
  const { rows } = await sql<{ name: string | null; isTabletop: boolean; incidentId: string | null }>`
    select r.name, coalesce(i.is_tabletop, false) as "isTabletop", i.id as "incidentId"
      from rooms r left join incidents i on i.breakout_room_id = r.id where r.id = ${id}`.execute(db)
  return rows[0]!
}

/** Whether a room exists, for anybody. */
export async function isRoomThere(db: OrgDb, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('rooms')
    .select('id')
    .where('id', '=', id)
    .where('is_deleted', '=', false)
    .executeTakeFirst()
  return row !== undefined
}

interface RoomFilter {
  readonly kind?: RoomKind | undefined
  readonly q?: string | undefined
  readonly isUnread?: boolean | undefined
}
function matching({ kind, q, isUnread }: RoomFilter): RawBuilder<unknown> {
  const words = (q ?? '').split(/\s+/).filter((word) => word !== '')
  const conditions = words.map(
    (
      word,
    ) => sql`(fold(coalesce(r.name, '')) like '%' || ${patternOf(word)} || '%' or r.kind = 'DIRECT_MESSAGE' and exists (
      select from room_members one join users u on u.id = one.user_id
       where one.room_id = r.id and not one.has_left and one.user_id <> me.user_id
         and u.given_key like '%' || ${patternOf(word)} || '%'))`,
  )
  if (kind !== undefined) conditions.push(sql`r.kind = ${kind}`)
  if (isUnread !== undefined)
    conditions.push(
      isUnread ? sql`r.last_sequence > me.read_sequence` : sql`r.last_sequence <= me.read_sequence`,
    )
  return sql`not ${HIDDEN} and ${sql.join([sql`true`, ...conditions], sql` and `)}`
}

/** A page of the rooms of somebody: Headquarters first, then by the newest message. */
export async function listRooms(
  db: OrgDb,
  userId: string,
  {
    filter,
    range,
    isOldestFirst,
  }: { filter: RoomFilter; range?: readonly [number, number] | undefined; isOldestFirst: boolean },
): Promise<Page<Room>> {
  const direction = sql.raw(isOldestFirst ? 'asc' : 'desc')
  const page = range ? sql`limit ${range[1] - range[0] + 1} offset ${range[0]}` : sql``
  const found = sql`${roomsOf(userId)} and ${matching(filter)}`
  const { rows } = await sql<OwnRow>`select ${OWN} from ${found}
    order by r.is_headquarters desc, coalesce(r.last_message_timestamp, r.create_timestamp) ${direction}, r.id ${page}`.execute(
    db,
  )
  if (!range) return { rows: rows.map(toRoom), total: rows.length }
  const counted = await sql<{ total: number }>`select count(*) as total from ${found}`.execute(db)
  return { rows: rows.map(toRoom), total: counted.rows[0]!.total }
}

/** How much somebody has not read, and how many war rooms they are in. */
export async function countUnread(db: OrgDb, userId: string) {
  const { rows } = await sql<{ unreadRooms: number; unreadMessages: number; warRooms: number }>`
    select count(*) filter (where r.last_sequence > me.read_sequence) as "unreadRooms",
      coalesce(sum(greatest(r.last_sequence - me.read_sequence, 0)), 0) as "unreadMessages",
      count(*) filter (where r.kind = 'WAR_ROOM') as "warRooms"
    from ${roomsOf(userId)}`.execute(db)
  return rows[0]!
}

/** Ids of the rooms of somebody. */
export async function listRoomIds(db: OrgDb, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select r.id from ${memberOf(userId)}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The key of a name, in which case does not count. */
export const nameKeyOf = (name: string): string => name.normalize('NFC').toLowerCase()

/** Whether another room has a name. */
export async function isNameTaken(db: OrgDb, name: string, except: string | null = null): Promise<boolean> {
  const row = await db
    .selectFrom('rooms')
    .select('id')
    .where('name_key', '=', nameKeyOf(name))
    .where('is_deleted', '=', false)
    .$if(except !== null, (others) => others.where('id', '<>', except!))
    .executeTakeFirst()
  return row !== undefined
}

export interface NewRoomRow {
  readonly id: string
  readonly kind: RoomKind
  readonly name: string | null
  readonly description: string | null
  readonly created_by: string | null
  readonly at: string
}
/** Adds a room without members. */
export async function insertRoom(db: OrgDb, { at, ...room }: NewRoomRow): Promise<void> {
  const sequence = await nextSequence(db)
  await db
    .insertInto('rooms')
    .values({
      ...room,
      is_headquarters: false,
      name_key: room.name === null ? null : nameKeyOf(room.name),
      direct_key: null,
      is_privileged: false,
      privileged_by: null,
      privileged_timestamp: null,
      last_sequence: 0,
      last_message_timestamp: null,
      is_deleted: false,
      create_timestamp: at,
      update_timestamp: at,
      version: 1,
      change_sequence: sequence,
      message_change_sequence: 0,
      call_id: null,
    })
    .execute()
}

type RoomUpdate = Partial<
  Pick<RoomRow, 'kind' | 'name' | 'description' | 'is_privileged' | 'privileged_by' | 'privileged_timestamp'>
>
/** Changes what all members see of a room. */
export async function updateRoom(db: OrgDb, id: string, changes: RoomUpdate, at: string): Promise<void> {
  const sequence = await nextSequence(db)
  await db
    .updateTable('rooms')
    .set({
      ...changes,
      ...(typeof changes.name === 'string' ? { name_key: nameKeyOf(changes.name) } : {}),
      update_timestamp: at,
      version: sql`version + 1`,
      change_sequence: sequence,
    })
    .where('id', '=', id)
    .execute()
}

/** Notes which call a room has, or who is in it, so that members receive it. Nobody who edits the room is too late by it. */
export async function updateCall(db: OrgDb, id: string, callId: string | null): Promise<void> {
  const sequence = await nextSequence(db)
  await db
    .updateTable('rooms')
    .set({ call_id: callId, change_sequence: sequence })
    .where('id', '=', id)
    .execute()
}

/** Empties a room's row; its members stay, so that they learn of it. */
export async function markRoomDeleted(db: OrgDb, id: string, at: string): Promise<void> {
  const sequence = await nextSequence(db)
  await db
    .updateTable('rooms')
    .set({
      is_deleted: true,
      name: null,
      name_key: null,
      description: null,
      direct_key: null,
      last_message_timestamp: null,
      update_timestamp: at,
      change_sequence: sequence,
    })
    .where('id', '=', id)
    .execute()
}

/** The people of a direct message as its key. */
export const directKeyOf = (userIds: readonly string[]): string => [...new Set(userIds)].sort().join(' ')

export const findDirect = (db: OrgDb, key: string): Promise<{ id: string } | undefined> =>
  db
    .selectFrom('rooms')
    .select('id')
    .where('direct_key', '=', key)
    .orderBy('create_timestamp')
    .limit(1)
    .executeTakeFirst()

/** Makes the key of a direct message that of the people who are in it. */
export async function updateDirectKey(db: OrgDb, id: string): Promise<void> {
  const rows = await db
    .selectFrom('room_members')
    .select('user_id')
    .where('room_id', '=', id)
    .where('has_left', '=', false)
    .execute()
  await db
    .updateTable('rooms')
    .set({ direct_key: directKeyOf(rows.map(({ user_id }) => user_id)) })
    .where('id', '=', id)
    .where('kind', '=', 'DIRECT_MESSAGE')
    .execute()
}

/** A member, as the rules need to know one. */
export interface Standing {
  readonly userId: string
  readonly role: RoomRole
  readonly active: boolean
  readonly email: string
}
/** These people in a room, or its managers. */
export async function listStandings(
  db: OrgDb,
  roomId: string,
  of: readonly string[] | 'managers',
): Promise<Standing[]> {
  const { rows } = await sql<Standing>`
    select m.user_id as "userId", m.role, u.active, u.email
      from room_members m join users u on u.id = m.user_id
     where m.room_id = ${roomId} and not m.has_left
       and ${of === 'managers' ? sql`m.role <> 'member'` : sql`m.user_id = any(${of}::uuid[])`}
     order by m.create_timestamp, m.user_id`.execute(db)
  return rows
}

/**
 * Adds people to a room, at the end of what was said so far. Returns who was not in it.
 * @param returning whether those who left enter again
 */
export async function addMembers(
  db: OrgDb,
  roomId: string,
  people: readonly { readonly id: string; readonly role: RoomRole }[],
  at: string,
  { returning = true }: { returning?: boolean } = {},
): Promise<string[]> {
  if (people.length === 0) return []
  const ids = people.map(({ id }) => id)
  const { rows: newcomers } = await sql<{ id: string }>`
    select one.id from unnest(${ids}::uuid[]) as one (id) where not exists (
      select from room_members m where m.room_id = ${roomId} and m.user_id = one.id
         and (not m.has_left or not ${returning}))`.execute(db)
  if (newcomers.length === 0) return []
  const sequence = await nextSequence(db)
  await sql`
    insert into room_members (room_id, user_id, role, read_sequence, create_timestamp, change_sequence)
      select r.id, one.id, one.role, r.last_sequence, ${at}, ${sequence}
        from rooms r, unnest(${ids}::uuid[], ${people.map(({ role }) => role)}::text[]) as one (id, role)
       where r.id = ${roomId} and one.id = any(${newcomers.map(({ id }) => id)}::uuid[])
      on conflict (room_id, user_id) do update set
        has_left = false, role = excluded.role, read_sequence = excluded.read_sequence, hidden_sequence = null,
        create_timestamp = excluded.create_timestamp, change_sequence = excluded.change_sequence`.execute(db)
  return newcomers.map(({ id }) => id)
}

/** Takes people out of a room. Their rows stay. */
export async function removeMembers(db: OrgDb, roomId: string, userIds: readonly string[]): Promise<void> {
  const sequence = await nextSequence(db)
  await sql`update room_members set has_left = true, role = 'member', change_sequence = ${sequence}
    where room_id = ${roomId} and user_id = any(${userIds}::uuid[]) and not has_left`.execute(db)
}

export async function updateRoles(
  db: OrgDb,
  roomId: string,
  userIds: readonly string[],
  role: RoomRole,
): Promise<void> {
  const sequence = await nextSequence(db)
  await sql`update room_members set role = ${role}, change_sequence = ${sequence}
    where room_id = ${roomId} and user_id = any(${userIds}::uuid[]) and not has_left`.execute(db)
}

/** Whether somebody else in a room can read what is written there. */
export async function hasCompany(db: OrgDb, roomId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from room_members m join users u on u.id = m.user_id
     where m.room_id = ${roomId} and not m.has_left and m.user_id <> ${userId} and u.active limit 1`.execute(
    db,
  )
  return rows.length > 0
}

export async function updateHidden(
  db: OrgDb,
  roomId: string,
  userId: string,
  isHidden: boolean,
): Promise<void> {
  await sql`update room_members m set hidden_sequence = ${isHidden ? sql`r.last_sequence` : sql`null`}
    from rooms r where r.id = m.room_id and m.room_id = ${roomId} and m.user_id = ${userId}`.execute(db)
}

/**
 * Moves somebody's mark forward. Returns the mark and the authors of what was read by it, or undefined where it did not
 * move.
 */
export async function updateRead(
  db: OrgDb,
  { roomId, userId, sequence, at }: { roomId: string; userId: string; sequence: number; at: string },
): Promise<{ sequence: number; authors: string[] } | undefined> {
  const { rows } = await sql<{ before: number; sequence: number }>`
    with old as (
      select m.room_id, m.user_id, m.read_sequence from room_members m
       where m.room_id = ${roomId} and m.user_id = ${userId} and not m.has_left for no key update)
    update room_members m set read_sequence = least(${sequence}::bigint, r.last_sequence), read_timestamp = ${at}
      from old, rooms r
     where m.room_id = old.room_id and m.user_id = old.user_id and r.id = m.room_id
       and old.read_sequence < least(${sequence}::bigint, r.last_sequence)
    returning old.read_sequence as before, m.read_sequence as sequence`.execute(db)
  const [moved] = rows
  if (!moved) return undefined
  const first = Math.max(moved.before, moved.sequence - AUTHORS_OF)
  const authors = await sql<{ id: string }>`
    select distinct user_id as id from room_messages
     where room_id = ${roomId} and sequence > ${first} and sequence <= ${moved.sequence} and user_id <> ${userId}
     limit ${AUTHORS_OF}`.execute(db)
  return { sequence: moved.sequence, authors: authors.rows.map(({ id }) => id) }
}
/** Messages whose authors are told at once that they were read. */
const AUTHORS_OF = 50

type ListedMember = NamedPerson & { role_in: RoomRole; read_sequence: number }
interface MemberFilter {
  readonly q?: string | undefined
  readonly active?: boolean | undefined
  readonly userIds?: readonly string[] | undefined
}
/** The people in a room, by name. */
export async function listMembers(
  db: OrgDb,
  roomId: string,
  {
    filter,
    range,
    isDescending,
  }: { filter: MemberFilter; range?: readonly [number, number] | undefined; isDescending: boolean },
): Promise<Page<RoomMember>> {
  const { q, active, userIds } = filter
  const found = sql`room_members m join users u on u.id = m.user_id
    where m.room_id = ${roomId} and not m.has_left and ${holdsEachWord(q)}
      and ${active === undefined ? sql`true` : sql`u.active = ${active}`}
      and ${userIds === undefined ? sql`true` : sql`u.id = any(${userIds}::uuid[])`}`
  const direction = sql.raw(isDescending ? 'desc' : 'asc')
  const page = range ? sql`limit ${range[1] - range[0] + 1} offset ${range[0]}` : sql``
  const { rows } = await sql<{ person: NamedPerson } & Pick<ListedMember, 'role_in' | 'read_sequence'>>`
    select ${PERSON} as person, m.role as role_in, m.read_sequence from ${found}
    order by u.given_key ${direction}, u.id ${direction} ${page}`.execute(db)
  const members = rows.map(({ person, role_in, read_sequence }) => toMember(person, role_in, read_sequence))
  if (!range) return { rows: members, total: members.length }
  const counted = await sql<{ total: number }>`select count(*) as total from ${found}`.execute(db)
  return { rows: members, total: counted.rows[0]!.total }
}
const toMember = (person: NamedPerson, role: RoomRole, read_sequence: number): RoomMember => ({
  ...person,
  user_id: person.uuid,
  fullName: fullName(person),
  channel_role: role,
  isOwner: role === 'owner',
  isAdmin: role !== 'member',
  read_sequence,
})
