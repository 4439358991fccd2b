import { sql } from 'kysely'

import type { SavedMessage } from '#contract/chat/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

import { ownPage } from './own-pages.store.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    saved_messages: {
      user_id: string
      message_id: string
      room_id: string
      create_timestamp: string
      remind_timestamp: string | null
    }
  }
}

const SAVED = sql`message_id as "messageId", create_timestamp as "savedAt", remind_timestamp as "remindAt"`

interface Saving {
  readonly userId: string
  readonly messageId: string
  readonly roomId: string
  readonly at: string
  /** Undefined leaves the reminder, null removes it. */
  readonly remindAt: string | null | undefined
}
/** Saves a message for a person, or changes the reminder of a saved one. */
export async function upsertSaved(
  db: OrgDb,
  { userId, messageId, roomId, at, remindAt }: Saving,
): Promise<SavedMessage> {
  const { rows } = await sql<SavedMessage>`
    insert into saved_messages (user_id, message_id, room_id, create_timestamp, remind_timestamp)
      values (${userId}, ${messageId}, ${roomId}, ${at}, ${remindAt ?? null})
    on conflict (user_id, message_id) do update set
      remind_timestamp = ${remindAt === undefined ? sql`saved_messages.remind_timestamp` : sql`excluded.remind_timestamp`}
    returning ${SAVED}`.execute(db)
  return rows[0]!
}

export async function deleteSaved(db: OrgDb, userId: string, messageId: string): Promise<void> {
  await db
    .deleteFrom('saved_messages')
    .where('user_id', '=', userId)
    .where('message_id', '=', messageId)
    .execute()
}

/** Removes a message from what people saved. */
export async function deleteSavedOf(db: OrgDb, messageId: string): Promise<void> {
  await db.deleteFrom('saved_messages').where('message_id', '=', messageId).execute()
}

/** A person's saved messages in present rooms, last saved first, after the one of the cursor. */
export async function listSaved(
  db: OrgDb,
  userId: string,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<SavedMessage[]> {
  const mine = ownPage(sql`saved_messages`, userId, { cursor, limit })
  const { rows } = await sql<SavedMessage>`select ${SAVED} from ${mine}`.execute(db)
  return rows
}

/** Ids of those messages that a person has saved. */
export async function listSavedAmong(
  db: OrgDb,
  userId: string,
  messageIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select message_id as id from saved_messages
    where user_id = ${userId} and message_id = any(${messageIds}::uuid[])`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Takes a reminder, so that it is sent once. Returns the person's type; undefined where the reminder was moved, taken or
 * removed, and where the person has left the room or the organisation.
 */
export async function takeReminder(
  db: OrgDb,
  { userId, messageId, at }: { userId: string; messageId: string; at: string },
): Promise<{ type: 'INTERNAL' | 'EXTERNAL' } | undefined> {
  const { rows } = await sql<{ type: 'INTERNAL' | 'EXTERNAL' }>`
    with due as (
      update saved_messages set remind_timestamp = null
       where user_id = ${userId} and message_id = ${messageId} and remind_timestamp = ${at} returning room_id, user_id)
    select u.type from due join users u on u.id = due.user_id and u.active
      join room_members m on m.room_id = due.room_id and m.user_id = due.user_id and not m.has_left`.execute(
    db,
  )
  return rows[0]
}
