import { sql } from 'kysely'

import type { MembershipChanges, RoomMember, RoomRole } from '#contract/chat/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import type { NamedPerson } from '#contract/users/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { PERSON } from '#server/kit/database/people.ts'
import { holdsEachWord } from '#server/kit/database/search.ts'
import type { Page } from '#server/kit/http/answers.ts'

import { nextSequence } from './heads.store.ts'
import type { MemberRow } from './rooms.store.ts'

/** A member as the rules need it. */
export interface Standing {
  readonly userId: string
  readonly role: RoomRole
  readonly active: boolean
  readonly email: string
}
/** Some members of a room, or its managers. */
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
 * Adds people to a room, with earlier messages read. Returns the new members.
 * @param returning lets former members enter again
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
        unread_from = null,
        create_timestamp = excluded.create_timestamp, change_sequence = excluded.change_sequence`.execute(db)
  // Earlier answers of threads count as read, too.
  await sql`update room_thread_members p set read_sequence = t.last_sequence
      from room_threads t where t.id = p.thread_id and p.room_id = ${roomId}
       and p.user_id = any(${newcomers.map(({ id }) => id)}::uuid[])`.execute(db)
  return newcomers.map(({ id }) => id)
}

/** Removes people from a room. Their rows stay. */
export async function removeMembers(db: OrgDb, roomId: string, userIds: readonly string[]): Promise<void> {
  const sequence = await nextSequence(db)
  await sql`update room_members set has_left = true, role = 'member', change_sequence = ${sequence}
    where room_id = ${roomId} and user_id = any(${userIds}::uuid[]) and not has_left`.execute(db)
}

/** Makes somebody who left a member again, with the role, settings and read mark that they had. */
export async function restoreMember(db: OrgDb, member: MemberRow): Promise<void> {
  const sequence = await nextSequence(db)
  await sql`update room_members set has_left = false, role = ${member.role}, is_favourite = ${member.is_favourite},
      is_muted = ${member.is_muted}, unread_from = ${member.unread_from},
      create_timestamp = ${member.create_timestamp}, change_sequence = ${sequence}
    where room_id = ${member.room_id} and user_id = ${member.user_id} and has_left`.execute(db)
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

/** True when another member of a room can read new messages. */
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
 * Moves a person's read mark forward. Returns the mark and the authors of the newly read messages, or undefined where
 * it did not move.
 */
export async function updateRead(
  db: OrgDb,
  { roomId, userId, sequence, at }: { roomId: string; userId: string; sequence: number; at: string },
): Promise<{ sequence: number; authors: string[] } | undefined> {
  const { rows } = await sql<{ before: number; sequence: number }>`
    with old as (
      select m.room_id, m.user_id, m.read_sequence, m.unread_from, least(${sequence}::bigint, r.last_sequence) as mark
        from room_members m join rooms r on r.id = m.room_id
       where m.room_id = ${roomId} and m.user_id = ${userId} and not m.has_left for no key update of m)
    update room_members m set read_sequence = greatest(old.read_sequence, old.mark), read_timestamp = ${at},
        unread_from = case when old.mark < old.read_sequence then old.mark + 1 end
      from old
     where m.room_id = old.room_id and m.user_id = old.user_id
       and old.mark > coalesce(old.unread_from - 1, old.read_sequence)
    returning coalesce(old.unread_from - 1, old.read_sequence) as before, old.mark as sequence`.execute(db)
  const [moved] = rows
  if (!moved) return undefined
  const first = Math.max(moved.before, moved.sequence - AUTHORS_OF)
  const authors = await sql<{ id: string }>`
    select distinct user_id as id from room_messages
     where room_id = ${roomId} and sequence > ${first} and sequence <= ${moved.sequence} and user_id <> ${userId}
     limit ${AUTHORS_OF}`.execute(db)
  return { sequence: moved.sequence, authors: authors.rows.map(({ id }) => id) }
}
/** Marks a message and those after it as unread for a member. Returns false where nothing changes. */
export async function updateUnread(
  db: OrgDb,
  { roomId, userId, sequence }: { roomId: string; userId: string; sequence: number },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`update room_members set unread_from = ${sequence}
    where room_id = ${roomId} and user_id = ${userId} and not has_left
      and ${sequence} <= coalesce(unread_from - 1, read_sequence)`.execute(db)
  return numAffectedRows > 0n
}

/** Changes a member's own settings of a room. */
export async function updateMembership(
  db: OrgDb,
  { roomId, userId, isFavourite, isMuted }: { roomId: string; userId: string } & MembershipChanges,
): Promise<void> {
  await sql`update room_members set
      is_favourite = coalesce(${isFavourite ?? null}::boolean, is_favourite),
      is_muted = coalesce(${isMuted ?? null}::boolean, is_muted)
    where room_id = ${roomId} and user_id = ${userId} and not has_left`.execute(db)
}

/** Ids of the active members of a room, except one. */
export async function listActiveIds(db: OrgDb, roomId: string, except: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select u.id from room_members m join users u on u.id = m.user_id
     where m.room_id = ${roomId} and not m.has_left and u.active and u.id <> ${except}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Number of messages whose authors are notified at once that they were read. */
const AUTHORS_OF = 50

type ListedMember = NamedPerson & { role_in: RoomRole; read_sequence: number }
interface MemberFilter {
  readonly q?: string | undefined
  readonly active?: boolean | undefined
  readonly userIds?: readonly string[] | undefined
}
/** The members of a room, by name. */
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
const toMember = (person: NamedPerson, role: RoomRole, readSequence: number): RoomMember => ({
  ...person,
  user_id: person.uuid,
  fullName: fullName(person),
  channel_role: role,
  isOwner: role === 'owner',
  isAdmin: role !== 'member',
  readSequence,
})
