import { sql } from 'kysely'

import { clock } from '#server/kit/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

interface PreviewColumns {
  hash: Buffer
  session_id: string
  item_id: number
  file_version: number
  is_used: boolean
  expires_timestamp: string
}
declare module '#server/kit/database/db.ts' {
  interface Tables {
    file_previews: PreviewColumns
  }
}

export async function insertPreview(db: OrgDb, row: Omit<PreviewColumns, 'is_used'>): Promise<void> {
  await db
    .insertInto('file_previews')
    .values({ ...row, is_used: false })
    .execute()
}

/** What a ticket that has not expired is for. */
export const findPreview = (db: OrgDb, hash: Buffer): Promise<PreviewColumns | undefined> =>
  db
    .selectFrom('file_previews')
    .select(['hash', 'session_id', 'item_id', 'file_version', 'is_used', 'expires_timestamp'])
    .where('hash', '=', hash)
    .where('expires_timestamp', '>', clock.timestamp())
    .executeTakeFirst()

/** Notes that a ticket was used. Returns whether that was the first time. */
export async function updateUsed(db: OrgDb, hash: Buffer): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update file_previews set is_used = true where hash = ${hash} and not is_used`.execute(db)
  return numAffectedRows === 1n
}
