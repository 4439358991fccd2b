import { sql } from 'kysely'

import type { ScheduledMessage } from '#contract/chat/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

export interface ScheduledRow {
  id: string
  user_id: string
  room_id: string
  html: string
  file_ids: string[]
  reply_to: string | null
  thread_id: string | null
  is_also_in_room: boolean
  send_timestamp: string
  /** The sentence with which it was refused at its time; null while it waits. */
  problem: string | null
  version: number
  create_timestamp: string
}

declare module '#server/kit/database/db.ts' {
  interface Tables {
    scheduled_messages: ScheduledRow
  }
}

export const toScheduled = (row: ScheduledRow): ScheduledMessage => ({
  id: row.id,
  roomId: row.room_id,
  text: row.html,
  fileCount: row.file_ids.length,
  threadId: row.thread_id,
  sendAt: row.send_timestamp,
  problem: row.problem,
  version: row.version,
})

/** Adds a scheduled message unless there is one with its id. */
export async function insertScheduled(
  db: OrgDb,
  row: Omit<ScheduledRow, 'problem' | 'version'>,
): Promise<void> {
  await db
    .insertInto('scheduled_messages')
    .values({ ...row, problem: null, version: 1 })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** A person's scheduled message, locked until the transaction ends. */
export const holdScheduled = (db: OrgDb, userId: string, id: string): Promise<ScheduledRow | undefined> =>
  db
    .selectFrom('scheduled_messages')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()

/** A person's scheduled messages, the next one first. */
export const listScheduled = (db: OrgDb, userId: string, limit: number): Promise<ScheduledRow[]> =>
  db
    .selectFrom('scheduled_messages')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('send_timestamp')
    .orderBy('id')
    .limit(limit)
    .execute()

export async function countScheduled(db: OrgDb, userId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from scheduled_messages where user_id = ${userId}`.execute(db)
  return rows[0]!.n
}

/** Changes text and time, and lets it wait again. */
export async function updateScheduled(
  db: OrgDb,
  id: string,
  { html, at }: { html: string; at: string },
): Promise<void> {
  await db
    .updateTable('scheduled_messages')
    .set({ html, send_timestamp: at, problem: null, version: sql<number>`version + 1` })
    .where('id', '=', id)
    .execute()
}

export async function deleteScheduled(db: OrgDb, id: string): Promise<void> {
  await db.deleteFrom('scheduled_messages').where('id', '=', id).execute()
}

/** Takes a message that waits for this time, so that it is sent once. */
export const takeScheduled = (db: OrgDb, id: string, at: string): Promise<ScheduledRow | undefined> =>
  db
    .deleteFrom('scheduled_messages')
    .where('id', '=', id)
    .where('send_timestamp', '=', at)
    .where('problem', 'is', null)
    .returningAll()
    .executeTakeFirst()

/** Keeps the reason of a refusal with a message that waited for this time. Undefined where it waits no longer. */
export const updateProblem = (
  db: OrgDb,
  { id, at, problem }: { id: string; at: string; problem: string },
): Promise<ScheduledRow | undefined> =>
  db
    .updateTable('scheduled_messages')
    .set({ problem, version: sql<number>`version + 1` })
    .where('id', '=', id)
    .where('send_timestamp', '=', at)
    .where('problem', 'is', null)
    .returningAll()
    .executeTakeFirst()
