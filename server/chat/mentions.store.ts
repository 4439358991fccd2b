import { sql } from 'kysely'

import { ROOM_GROUPS_MAX, type RoomGroup } from '#contract/chat/schema.ts'
import type { NamedPerson } from '#contract/users/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { patternOf } from '#server/kit/database/search.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    room_mentions: {
      message_id: string
      user_id: string
      room_id: string
      /** Null in an answer that only its thread shows. */
      sequence: number | null
      create_timestamp: string
    }
  }
}

/**
 * Active members of a room with these addresses, except the message's author, and whether they have read the hosted
 * service's messages up to a time. Locks their read marks until the transaction ends, so that no notification is
 * inserted as unread after a concurrent read.
 */
export async function holdMentioned(
  db: OrgDb,
  {
    roomId,
    authorId,
    emails,
    at,
  }: { roomId: string; authorId: string; emails: readonly string[]; at: string },
): Promise<(Pick<NamedPerson, 'uuid' | 'type'> & { readonly hasRead: boolean })[]> {
  const { rows } = await sql<{ uuid: string; type: NamedPerson['type']; hasRead: boolean }>`
    select u.id as uuid, u.type, coalesce(m.hosted_read_timestamp >= ${at}, false) as "hasRead"
      from room_members m join users u on u.id = m.user_id
     where m.room_id = ${roomId} and not m.has_left and u.active and u.id <> ${authorId} and u.email = any(${emails}::text[])
     order by m.user_id for no key update of m`.execute(db)
  return rows
}

/** Stores the time up to which a member has read a room at the hosted service. Earlier times change nothing. */
export async function updateHostedRead(
  db: OrgDb,
  { roomId, userId, until }: { roomId: string; userId: string; until: string },
): Promise<void> {
  await db
    .updateTable('room_members')
    .set({ hosted_read_timestamp: sql<string>`greatest(hosted_read_timestamp, ${until}::timestamptz)` })
    .where('room_id', '=', roomId)
    .where('user_id', '=', userId)
    .execute()
}

/** Active members of a room, except one, in the groups `g`. */
const IN_GROUPS = (roomId: string, except: string) => sql`user_groups g
  join group_members x on x.group_id = g.id
  join room_members m on m.room_id = ${roomId} and m.user_id = x.user_id and not m.has_left
  join users u on u.id = m.user_id and u.active and u.id <> ${except}`

/** Groups with members in a room, except one member, by name; with `q` in their names. */
export async function listGroupsInRoom(
  db: OrgDb,
  { roomId, except, q }: { roomId: string; except: string; q: string },
): Promise<RoomGroup[]> {
  const { rows } = await sql<RoomGroup>`
    select group_handle(g.name) as handle, g.name, count(*)::int as count from ${IN_GROUPS(roomId, except)}
     where group_handle(g.name) <> '' and (fold(g.name) like '%' || ${patternOf(q)} || '%'
        or group_handle(g.name) like '%' || ${patternOf(q)} || '%')
     group by g.id, g.name, g.sort_key order by g.sort_key, g.id limit ${ROOM_GROUPS_MAX}`.execute(db)
  return rows
}

/** Members of a room in the groups with these handles, except one member. */
export async function listByHandles(
  db: OrgDb,
  { roomId, except, handles }: { roomId: string; except: string; handles: readonly string[] },
): Promise<{ handle: string; userIds: string[] }[]> {
  const { rows } = await sql<{ handle: string; userIds: string[] }>`
    select wanted.handle, array_agg(distinct u.id) as "userIds"
      from unnest(${handles}::text[]) as wanted (handle), ${IN_GROUPS(roomId, except)}
     where group_handle(g.name) = fold(wanted.handle) group by wanted.handle`.execute(db)
  return rows
}

/** Stores whom a message mentions. People who are stored already stay. */
export async function insertMentioned(
  db: OrgDb,
  messageId: string,
  userIds: readonly string[],
): Promise<void> {
  await sql`insert into room_mentions (message_id, user_id, room_id, sequence, create_timestamp)
    select m.id, one.id, m.room_id, m.sequence, m.create_timestamp
      from room_messages m, unnest(${userIds}::uuid[]) as one (id) where m.id = ${messageId}
    on conflict do nothing`.execute(db)
}

/** Removes those whom a message no longer mentions, and stores the handles of its audiences. */
export async function updateAudiences(
  db: OrgDb,
  messageId: string,
  { kept, audiences }: { kept: readonly string[] | 'everybody'; audiences: readonly string[] },
): Promise<void> {
  if (kept !== 'everybody')
    await sql`delete from room_mentions where message_id = ${messageId} and user_id <> all(${kept}::uuid[])`.execute(
      db,
    )
  await sql`update room_messages set audiences = ${audiences}::text[] where id = ${messageId}`.execute(db)
}
