import { sql } from 'kysely'

import type { NamedPerson } from '#contract/users/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

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
