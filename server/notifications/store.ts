import { sql } from 'kysely'
import * as z from 'zod/mini'

import { Notification } from '#contract/notifications/schema.ts'
import { type ColumnsOf, fieldsOf, selectionOf, valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    notifications: ColumnsOf<NotificationRow>
  }
}

const Stored = z.omit(Notification, { hasBeenRead: true })
interface NotificationRow extends z.infer<typeof Stored> {
  userId: string
  readTimestamp: string | null
}
const SHOWN = [
  ...selectionOf(fieldsOf(Stored)),
  sql<boolean>`read_timestamp is not null`.as('hasBeenRead'),
] as const

/** What each of its recipients is told. */
export type NewNotification = Readonly<Omit<z.infer<typeof Stored>, 'id' | 'createTimestamp'>>

/**
 * Inserts a notification for each of the people who can sign in and see its incident, in one statement. A message
 * notifies nobody twice.
 */
export async function insertNotifications(
  db: OrgDb,
  to: readonly string[],
  notification: NewNotification,
  at: string,
): Promise<void> {
  const columns = { ...valuesOf(notification), create_timestamp: at }
  const names = sql.join(Object.keys(columns).map((column) => sql.id(column)))
  await sql`insert into notifications (id, user_id, ${names})
    select gen_random_uuid(), id, ${sql.join(Object.values(columns))}
    from users where id = any(${to}::uuid[]) and active and not banned and (type = 'INTERNAL' or ${notification.incidentId}::uuid is null or exists (
      select from incident_targets t where t.incident_id = ${notification.incidentId}::uuid and t.user_id = users.id
    ))
    on conflict (message_id, user_id) where message_id is not null do nothing`.execute(db)
}

/** The newest notifications of a person. */
export const listNotifications = (db: OrgDb, userId: string, limit: number): Promise<Notification[]> =>
  db
    .selectFrom('notifications')
    .select(SHOWN)
    .where('user_id', '=', userId)
    .orderBy('create_timestamp', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()

export async function countUnread(db: OrgDb, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('notifications')
    .select(sql<number>`count(*)`.as('count'))
    .where('user_id', '=', userId)
    .where('read_timestamp', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Marks one of a person's notifications as read; false when it is not theirs. */
export async function updateRead(db: OrgDb, userId: string, id: string, at: string): Promise<boolean> {
  const row = await db
    .updateTable('notifications')
    .set({ read_timestamp: sql`coalesce(read_timestamp, ${at})` })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Marks what a person has not read yet; returns how many that were. */
export async function updateAllRead(db: OrgDb, userId: string, at: string): Promise<number> {
  const result = await db
    .updateTable('notifications')
    .set({ read_timestamp: at })
    .where('user_id', '=', userId)
    .where('read_timestamp', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** Marks a person's mentions in a room as read, up to a message; returns how many that were. */
export async function updateMentionsRead(
  db: OrgDb,
  userId: string,
  { roomId, sequence, at }: { roomId: string; sequence: number; at: string },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`update notifications n set read_timestamp = ${at}
    from room_messages m
    where n.room_id = ${roomId} and n.user_id = ${userId} and n.read_timestamp is null
      and m.id = n.message_id and m.sequence <= ${sequence}`.execute(db)
  return Number(numAffectedRows)
}

/** Deletes the notifications of an incident for these people. */
export async function deleteNotifications(
  db: OrgDb,
  incidentId: string,
  userIds: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('notifications')
    .where('incident_id', '=', incidentId)
    .where('user_id', 'in', userIds)
    .execute()
}

/** Deletes the notifications of messages: of one, or of all in a room for these people. */
export async function deleteMentions(
  db: OrgDb,
  of: { readonly messageId: string } | { readonly roomId: string; readonly userIds: readonly string[] },
): Promise<void> {
  const query = db.deleteFrom('notifications')
  await (
    'messageId' in of
      ? query.where('message_id', '=', of.messageId)
      : query.where('room_id', '=', of.roomId).where('user_id', 'in', of.userIds)
  ).execute()
}
