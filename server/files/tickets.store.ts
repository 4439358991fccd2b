import { sql } from 'kysely'

import type { OrgDb } from '#server/kit/database/db.ts'

interface TicketColumns {
  hash: Buffer
  session_id: string
  purpose: Ticket['purpose']
  item_id: number | null
  file_version: number | null
  item_ids: readonly number[] | null
  is_used: boolean
  expires_timestamp: string
}
declare module '#server/kit/database/db.ts' {
  interface Tables {
    file_tickets: TicketColumns
  }
}

/** Leave to see or to download one content of a file. `version` is a download of a content that was asked for by its number. */
export interface FileTicket {
  readonly purpose: 'preview' | 'download' | 'version'
  readonly itemId: number
  readonly fileVersion: number
}
/** Leave to download files and folders as one archive. */
export interface ArchiveTicket {
  readonly purpose: 'archive'
  readonly itemIds: readonly number[]
}
export type Ticket = FileTicket | ArchiveTicket
export interface StoredTicket {
  readonly hash: Buffer
  readonly sessionId: string
  readonly expireTimestamp: string
  readonly ticket: Ticket
}

export async function insertTicket(
  db: OrgDb,
  { hash, sessionId, expireTimestamp, ticket }: StoredTicket,
): Promise<void> {
  const isArchive = ticket.purpose === 'archive'
  await db
    .insertInto('file_tickets')
    .values({
      hash,
      session_id: sessionId,
      purpose: ticket.purpose,
      item_id: isArchive ? null : ticket.itemId,
      file_version: isArchive ? null : ticket.fileVersion,
      item_ids: isArchive ? ticket.itemIds : null,
      is_used: false,
      expires_timestamp: expireTimestamp,
    })
    .execute()
}

/** What a ticket is for, also after it has expired. */
export async function findTicket(db: OrgDb, hash: Buffer): Promise<StoredTicket | undefined> {
  const row = await db
    .selectFrom('file_tickets')
    .select(['session_id', 'purpose', 'item_id', 'file_version', 'item_ids', 'expires_timestamp'])
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (!row) return undefined
  const { purpose } = row
  const ticket: Ticket =
    purpose === 'archive'
      ? // The driver leaves arrays of bigint as text.
        { purpose, itemIds: row.item_ids!.map(Number) }
      : { purpose, itemId: row.item_id!, fileVersion: row.file_version! }
  return { hash, sessionId: row.session_id, expireTimestamp: row.expires_timestamp, ticket }
}

/** Notes that a ticket was used. Returns whether that was the first time. */
export async function updateUsed(db: OrgDb, hash: Buffer): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update file_tickets set is_used = true where hash = ${hash} and not is_used`.execute(db)
  return numAffectedRows === 1n
}
