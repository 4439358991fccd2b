import { type RawBuilder, sql } from 'kysely'

import {
  DIRECT_PEOPLE_MAX,
  LAST_LINE_MAX,
  type LastMessage,
  type Room,
  type RoomKind,
  type RoomRole,
} from '#contract/chat/schema.ts'
import { CHARACTER_MAX, cut } from '#contract/kit/cut.ts'
import type { NamedPerson } from '#contract/users/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { PERSON } from '#server/kit/database/people.ts'
import { patternOf } from '#server/kit/database/search.ts'
import type { Page } from '#server/kit/http/answers.ts'

import { nextSequence } from './heads.store.ts'
import { iso, SHARED, type SharedRow, toSharedRoom } from './shared-rooms.store.ts'

export interface RoomRow {
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
/** A member of a room as stored. */
export interface MemberRow {
  room_id: string
  user_id: string
  role: RoomRole
  has_left: boolean
  read_sequence: number
  read_timestamp: string | null
  hosted_read_timestamp: string | null
  hidden_sequence: number | null
  is_favourite: boolean
  is_muted: boolean
  /** The first message that the member has marked as unread again. */
  unread_from: number | null
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

type OwnRow = SharedRow & {
  role: RoomRole
  read_sequence: number
  mentions: number
  is_favourite: boolean
  is_muted: boolean
  last_message: LastMessage | null
  is_hidden: boolean
  joined: string
  others_read: number
  incident_id: string | null
  is_archived: boolean
  people: NamedPerson[] | null
}
const HIDDEN = sql<boolean>`coalesce(me.hidden_sequence >= r.last_sequence, false)`
/** Number of the last message that the member `me` has read: before what is marked as unread again. */
const READ = sql<number>`coalesce(me.unread_from - 1, me.read_sequence)`
/** Number of the member's unread mentions. */
const MENTIONS = sql<number>`case when r.last_sequence > ${READ} then (
  select count(*) from room_mentions x
   where x.user_id = me.user_id and x.room_id = r.id and x.sequence > ${READ}) else 0 end`
const LAST_MESSAGE = sql`(select jsonb_build_object(
    'user', x.user_id, 'text', left(x.plain, ${sql.lit(LAST_LINE_MAX + CHARACTER_MAX)}),
    'deleted', x.deleted_timestamp is not null, 'hasAttachments', x.file_ids <> '{}', 'isCall', x.is_call,
    'created_at', ${iso(sql`x.create_timestamp`)}, 'author', (select ${PERSON} from users u where u.id = x.user_id))
  from room_messages x where x.room_id = r.id and x.sequence = r.last_sequence)`
const OWN = sql`${SHARED}, me.role, ${READ} as read_sequence, ${HIDDEN} as is_hidden, ${MENTIONS} as mentions,
  me.is_favourite, me.is_muted, ${LAST_MESSAGE} as last_message, me.create_timestamp as joined,
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
/** Condition for a person's rooms. */
const memberOf = (
  userId: string,
): RawBuilder<unknown> => sql`room_members me join rooms r on r.id = me.room_id
  where me.user_id = ${userId} and not me.has_left and not r.is_deleted`

/** A person's rooms, for a list. The planner would otherwise read all rooms and look the person up in each. */
const roomsOf = (
  userId: string,
): RawBuilder<unknown> => sql`(select * from room_members where user_id = ${userId} and not has_left offset 0) me
  cross join lateral (select * from rooms where id = me.room_id offset 0) r
  where not r.is_deleted`

const toRoom = (row: OwnRow): Room => ({
  ...toSharedRoom(row),
  membership: {
    role: row.role,
    readSequence: row.read_sequence,
    unread: Math.max(0, row.last_sequence - row.read_sequence),
    hidden: row.is_hidden,
    created_at: row.joined,
    ...(row.mentions > 0 && { mentions: row.mentions }),
    ...(row.is_favourite && { isFavourite: true }),
    ...(row.is_muted && { isMuted: true }),
  },
  othersReadSequence: row.others_read,
  incidentId: row.incident_id,
  isArchived: row.is_archived,
  people: row.people ?? [],
  ...(row.last_message && {
    lastMessage: { ...row.last_message, text: cut(row.last_message.text, LAST_LINE_MAX) },
  }),
})

/** A room as one of its members sees it; undefined for everybody else. */
export async function findRoom(db: OrgDb, userId: string, id: string): Promise<Room | undefined> {
  const { rows } = await sql<OwnRow>`select ${OWN} from ${memberOf(userId)} and r.id = ${id}`.execute(db)
  return rows[0] && toRoom(rows[0])
}

/** The name of a room, null for a direct message, and its incident. */
export async function findTitle(
  db: OrgDb,
  id: string,
): Promise<{ name: string | null; isTabletop: boolean; incidentId: string | null }> {
  const { rows } = await sql<{ name: string | null; isTabletop: boolean; incidentId: string | null }>`
    select r.name, coalesce(i.is_tabletop, false) as "isTabletop", i.id as "incidentId"
      from rooms r left join incidents i on i.breakout_room_id = r.id where r.id = ${id}`.execute(db)
  return rows[0]!
}

/** True when a room exists, for any viewer. */
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
    conditions.push(isUnread ? sql`r.last_sequence > ${READ}` : sql`r.last_sequence <= ${READ}`)
  return sql`not ${HIDDEN} and ${sql.join([sql`true`, ...conditions], sql` and `)}`
}

/** A page of a person's rooms: Headquarters first, then favourites, then by the newest message. */
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
    order by r.is_headquarters desc, me.is_favourite desc, coalesce(r.last_message_timestamp, r.create_timestamp) ${direction}, r.id ${page}`.execute(
    db,
  )
  if (!range) return { rows: rows.map(toRoom), total: rows.length }
  const counted = await sql<{ total: number }>`select count(*) as total from ${found}`.execute(db)
  return { rows: rows.map(toRoom), total: counted.rows[0]!.total }
}

/** Number of a person's unread messages, of muted rooms only mentions, and of their war rooms. */
export async function countUnread(db: OrgDb, userId: string) {
  const { rows } = await sql<{ unreadRooms: number; unreadMessages: number; warRooms: number }>`
    select count(*) filter (where case when me.is_muted then ${MENTIONS} > 0 else r.last_sequence > ${READ} end)
        as "unreadRooms",
      coalesce(sum(case when me.is_muted then ${MENTIONS} else greatest(r.last_sequence - ${READ}, 0) end), 0)
        as "unreadMessages",
      count(*) filter (where r.kind = 'WAR_ROOM') as "warRooms"
    from ${roomsOf(userId)}`.execute(db)
  return rows[0]!
}

/** Ids of a person's rooms. */
export async function listRoomIds(db: OrgDb, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select r.id from ${memberOf(userId)}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Case-insensitive key of a name. */
export const nameKeyOf = (name: string): string => name.normalize('NFC').toLowerCase()

/** True when another room has a name. */
/** True for a room that is not deleted. */
export async function isRoom(db: OrgDb, id: string): Promise<boolean> {
  const { rows } = await sql`select from rooms where id = ${id} and not is_deleted`.execute(db)
  return rows.length > 0
}

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
/** Changes the shared fields of a room. */
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

/**
 * Stores the call of a room, or a change of its participants, for its members. Does not bump `version`: a call must not
 * make an open edit stale.
 */
export async function updateCall(db: OrgDb, id: string, callId: string | null): Promise<void> {
  const sequence = await nextSequence(db)
  await db
    .updateTable('rooms')
    .set({ call_id: callId, change_sequence: sequence })
    .where('id', '=', id)
    .execute()
}

/** Deletes the contents of a room; its members stay, so that they learn of it. */
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

/** Key of a direct message by its members. */
export const directKeyOf = (userIds: readonly string[]): string => [...new Set(userIds)].sort().join(' ')

export const findDirect = (db: OrgDb, key: string): Promise<{ id: string } | undefined> =>
  db
    .selectFrom('rooms')
    .select('id')
    .where('direct_key', '=', key)
    .orderBy('create_timestamp')
    .limit(1)
    .executeTakeFirst()

/** Updates the key of a direct message to its present members. */
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
