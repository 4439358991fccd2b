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

const Stored = z.omit(Notification, { hasBeenRead: true, messageId: true })
/** The message of a notification: one of `room_messages`, or one at the hosted chat service. */
interface MessageColumns {
  messageId: string | null
  hostedMessageId: string | null
  hostedMessageTimestamp: string | null
  /** The time that a person chose to be reminded of a message; null for other notifications. */
  reminderTimestamp: string | null
}
interface NotificationRow extends z.infer<typeof Stored>, MessageColumns {
  userId: string
  readTimestamp: string | null
}
const SHOWN = [
  ...selectionOf(fieldsOf(Stored)),
  sql<string | null>`coalesce(message_id::text, hosted_message_id)`.as('messageId'),
  sql<boolean>`read_timestamp is not null`.as('hasBeenRead'),
] as const

/** Contents of a notification, equal for all recipients. */
export type NewNotification = Readonly<
  Omit<z.infer<typeof Stored>, 'id' | 'createTimestamp'> & Partial<MessageColumns>
>

/**
 * Inserts a notification for each of the people who can sign in and see its incident, in one statement; at most one per
 * message and person. Returns the recipients.
 * @param readBy recipients who have read the message already
 */
export async function insertNotifications(
  db: OrgDb,
  to: readonly string[],
  notification: NewNotification,
  at: string,
  readBy: readonly string[] = [],
): Promise<string[]> {
  const columns = { ...valuesOf(notification), create_timestamp: at }
  const names = sql.join(Object.keys(columns).map((column) => sql.id(column)))
  const { rows } = await sql<{
    user_id: string
  }>`insert into notifications (id, user_id, read_timestamp, ${names})
    select gen_random_uuid(), id, case when id = any(${readBy}::uuid[]) then ${at}::timestamptz end,
      ${sql.join(Object.values(columns))}
    from users where id = any(${to}::uuid[]) and active and not banned and (type = 'INTERNAL' or ${notification.incidentId}::uuid is null or exists (
      select from incident_targets t where t.incident_id = ${notification.incidentId}::uuid and t.user_id = users.id
    ))
    on conflict do nothing returning user_id`.execute(db)
  return rows.map(({ user_id }) => user_id)
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

/** Marks all of a person's notifications as read; returns how many were unread. */
export async function updateAllRead(db: OrgDb, userId: string, at: string): Promise<number> {
  const result = await db
    .updateTable('notifications')
    .set({ read_timestamp: at })
    .where('user_id', '=', userId)
    .where('read_timestamp', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/**
 * Marks a person's mentions in a room as read, up to a message; returns how many were unread. Reminders concern messages
 * that were read before.
 */
export async function updateMentionsRead(
  db: OrgDb,
  userId: string,
  { roomId, sequence, at }: { roomId: string; sequence: number; at: string },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`update notifications n set read_timestamp = ${at}
    from room_messages m
    where n.room_id = ${roomId} and n.user_id = ${userId} and n.read_timestamp is null
      and n.reminder_timestamp is null and m.id = n.message_id and m.sequence <= ${sequence}`.execute(db)
  return Number(numAffectedRows)
}

/** Marks a person's mentions in a thread as read, up to an answer; returns how many were unread. */
export async function updateThreadMentionsRead(
  db: OrgDb,
  userId: string,
  { threadId, sequence, at }: { threadId: string; sequence: number; at: string },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`update notifications n set read_timestamp = ${at}
    from room_messages m
    where m.thread_id = ${threadId} and m.thread_sequence <= ${sequence} and n.message_id = m.id
      and n.user_id = ${userId} and n.read_timestamp is null and n.reminder_timestamp is null`.execute(db)
  return Number(numAffectedRows)
}

/**
 * Marks a person's notifications about messages in a room as read, up to a time at the hosted chat service; returns how
 * many were unread. Our own messages, such as those of calls, are copied there later than they are made.
 */
export async function updateHostedMentionsRead(
  db: OrgDb,
  userId: string,
  { roomId, until, at }: { roomId: string; until: string; at: string },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`update notifications n set read_timestamp = ${at}
    where n.room_id = ${roomId} and n.user_id = ${userId} and n.read_timestamp is null
      and coalesce(n.hosted_message_timestamp,
        (select m.create_timestamp from room_messages m where m.id = n.message_id)) <= ${until}`.execute(db)
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

/** Deletes the notifications of messages in a room: all, or those of these people. */
export async function deleteMentionsIn(
  db: OrgDb,
  roomId: string,
  userIds?: readonly string[],
): Promise<void> {
  const query = db.deleteFrom('notifications').where('room_id', '=', roomId)
  await (userIds ? query.where('user_id', 'in', userIds) : query).execute()
}

/** Deletes the notifications of one message; a message at the hosted chat service is named with its room. */
export async function deleteMentions(
  db: OrgDb,
  of: { readonly messageId: string } | { readonly roomId: string; readonly hostedMessageId: string },
): Promise<void> {
  const query = db.deleteFrom('notifications')
  await (
    'messageId' in of
      ? query.where('message_id', '=', of.messageId)
      : query.where('room_id', '=', of.roomId).where('hosted_message_id', '=', of.hostedMessageId)
  ).execute()
}
