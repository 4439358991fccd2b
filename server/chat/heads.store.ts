import { sql } from 'kysely'

import type { OrgDb } from '#server/kit/database/db.ts'

/** Locks the organisation's chat against other changes until the transaction ends. Taken after other locks. */
export async function lockChat(db: OrgDb): Promise<void> {
  await sql`select lock_chat()`.execute(db)
}

/** The sequence of the next change: one for each frame that members receive. */
export async function nextSequence(db: OrgDb): Promise<number> {
  const { rows } = await sql<{ sequence: number }>`select next_chat_sequence() as sequence`.execute(db)
  return rows[0]!.sequence
}

/** The sequence of the newest change. */
export const findHead = async (db: OrgDb): Promise<number> =>
  (await db.selectFrom('chat_heads').select('sequence').executeTakeFirst())?.sequence ?? 0
