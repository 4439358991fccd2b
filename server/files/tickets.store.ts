import { sql } from 'kysely'

import type { OrgDb } from '#server/kit/database/db.ts'

interface TicketColumns {
  hash: Buffer
  session_id: string | null
  visit_id: string | null
  purpose: Ticket['purpose']
  item_id: number | null
  file_version: number | null
  item_ids: readonly number[] | null
  attachment_id: string | null
  room_file_id: string | null
  openings: number
  sent: number
  is_complete: boolean
  expires_timestamp: string
}
declare module '#server/kit/database/db.ts' {
  interface Tables {
    file_tickets: TicketColumns
  }
}

/** Grants a preview or download of one content of a file. `version` names the content of a `version` download. */
export interface FileTicket {
  readonly purpose: 'preview' | 'download' | 'version'
  readonly itemId: number
  readonly fileVersion: number
}
/** Grants a download of files and folders as one archive. */
export interface ArchiveTicket {
  readonly purpose: 'archive'
  readonly itemIds: readonly number[]
}
/** Grants a download of a file of an incident, playbook or message. */
export interface AttachedTicket {
  readonly purpose: 'attachment' | 'message'
  readonly id: string
}
export type Ticket = FileTicket | ArchiveTicket | AttachedTicket
export interface StoredTicket<T extends Ticket = Ticket> {
  readonly hash: Buffer
  /** Null for a ticket of a visit by a link. */
  readonly sessionId: string | null
  readonly expireTimestamp: string
  readonly ticket: T
}

export async function insertTicket(
  db: OrgDb,
  { hash, sessionId, visitId, expireTimestamp, ticket }: StoredTicket & { readonly visitId: string | null },
): Promise<void> {
  await db
    .insertInto('file_tickets')
    .values({
      hash,
      session_id: sessionId,
      visit_id: visitId,
      purpose: ticket.purpose,
      item_id: 'itemId' in ticket ? ticket.itemId : null,
      file_version: 'itemId' in ticket ? ticket.fileVersion : null,
      item_ids: ticket.purpose === 'archive' ? ticket.itemIds : null,
      attachment_id: ticket.purpose === 'attachment' ? ticket.id : null,
      room_file_id: ticket.purpose === 'message' ? ticket.id : null,
      openings: 0,
      sent: 0,
      is_complete: false,
      expires_timestamp: expireTimestamp,
    })
    .execute()
}

/** A ticket, also after it has expired. */
export async function findTicket(db: OrgDb, hash: Buffer): Promise<StoredTicket | undefined> {
  const row = await db.selectFrom('file_tickets').selectAll().where('hash', '=', hash).executeTakeFirst()
  if (!row) return undefined
  return {
    hash,
    sessionId: row.session_id,
    expireTimestamp: row.expires_timestamp,
    ticket: ticketOf(row),
  }
}

function ticketOf({ purpose, ...row }: TicketColumns): Ticket {
  // The driver leaves arrays of bigint as text.
  if (purpose === 'archive') return { purpose, itemIds: row.item_ids!.map(Number) }
  if (purpose === 'attachment') return { purpose, id: row.attachment_id! }
  if (purpose === 'message') return { purpose, id: row.room_file_id! }
  return { purpose, itemId: row.item_id!, fileVersion: row.file_version! }
}

/** An opening of a ticket, with the progress of earlier ones. */
export interface Opening {
  readonly isFirst: boolean
  /** Bytes sent from the beginning. */
  readonly sent: number
  /** True when an earlier opening sent the rest. */
  readonly isComplete: boolean
}

/** Counts an opening of a ticket. */
export async function countOpening(db: OrgDb, hash: Buffer): Promise<Opening> {
  const { openings, sent, is_complete } = await db
    .updateTable('file_tickets')
    .set({ openings: sql`openings + 1` })
    .where('hash', '=', hash)
    .returning(['openings', 'sent', 'is_complete'])
    .executeTakeFirstOrThrow()
  return { isFirst: openings === 1, sent, isComplete: is_complete }
}

/** Stores how many bytes were sent, and whether that completed the content. */
export async function updateSent(db: OrgDb, hash: Buffer, sent: number, isComplete: boolean): Promise<void> {
  await sql`
    update file_tickets set sent = greatest(sent, ${sent}), is_complete = is_complete or ${isComplete}
    where hash = ${hash}`.execute(db)
}
