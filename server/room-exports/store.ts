import { sql } from 'kysely'

import type { MessageRow } from '#server/chat/messages.store.ts'
import { type Blobs, dropBlob } from '#server/kit/blobs/blobs.ts'
import { type ColumnsOf, selectionOf, valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { ARCHIVE_FIELDS, type ArchiveRow } from '#server/kit/jobs/archives.ts'

export interface ExportRow extends ArchiveRow {
  roomId: string
  sinceTimestamp: string
  untilTimestamp: string
}
const FIELDS = [
  ...ARCHIVE_FIELDS,
  'roomId',
  'sinceTimestamp',
  'untilTimestamp',
] as const satisfies readonly (keyof ExportRow)[]

declare module '#server/kit/database/db.ts' {
  interface Tables {
    room_exports: ColumnsOf<ExportRow>
  }
}

export const exportStore = {
  insert: async (db: OrgDb, row: ExportRow): Promise<void> =>
    void (await db.insertInto('room_exports').values(valuesOf(row)).execute()),
  find: (db: OrgDb, id: string): Promise<ExportRow | undefined> =>
    db.selectFrom('room_exports').select(selectionOf(FIELDS)).where('id', '=', id).executeTakeFirst(),
  update: async (db: OrgDb, id: string, changes: Partial<ArchiveRow>): Promise<boolean> => {
    const { numUpdatedRows } = await db
      .updateTable('room_exports')
      .set(valuesOf(changes))
      .where('id', '=', id)
      .where('state', '=', 'MAKING')
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },
}

/** Deletes the exports of a room. Their bytes go after the commit. */
export async function deleteExports(db: OrgDb, blobs: Blobs, roomId: string): Promise<void> {
  const gone = await db
    .deleteFrom('room_exports')
    .where('room_id', '=', roomId)
    .returning('blob_id')
    .execute()
  for (const { blob_id } of gone) if (blob_id !== null) await dropBlob(db, blobs, blob_id)
}

/** Exported columns of a message. */
export type ExportedMessage = Pick<
  MessageRow,
  'id' | 'html' | 'author' | 'create_timestamp' | 'edited_timestamp' | 'deleted_timestamp'
> & {
  /** Path of its files, as a number: that in the room, or in a thread behind that of the thread's first message. */
  readonly number: string
  readonly thread_id: string | null
  /** Time of the first message of its thread. Null for others, and once that message is gone. */
  readonly first_timestamp: string | null
  readonly plain: string
  readonly mentioned: { readonly email: string; readonly name: string }[]
  readonly files: ExportedFile[]
}
export interface ExportedFile {
  readonly id: string
  readonly name: string
  readonly extension: string
  readonly blob_id: string
  readonly size: number
  readonly sha256: string
}

const within = (row: ExportRow) => sql`m.room_id = ${row.roomId}
  and m.create_timestamp >= ${row.sinceTimestamp} and m.create_timestamp <= ${row.untilTimestamp}`

/** Exported messages are in order of time, so that answers stand where they were written. */
const POSITION = sql`(m.create_timestamp, coalesce(m.sequence, 0), coalesce(m.thread_sequence, 0), m.id)`

/** The next messages of an export, after one. */
export async function listExported(
  db: OrgDb,
  row: ExportRow,
  { after, limit }: { after: string | null; limit: number },
): Promise<ExportedMessage[]> {
  const beyond =
    after === null
      ? sql`true`
      : sql`${POSITION} > (select ${POSITION} from room_messages m where m.id = ${after})`
  const { rows } = await sql<ExportedMessage>`
    select m.id, m.thread_id, first.create_timestamp as first_timestamp,
      coalesce(m.sequence::text, coalesce(first.sequence::text, left(m.thread_id::text, 8)) || '.' || m.thread_sequence)
        as number,
      m.html, m.plain, m.create_timestamp, m.edited_timestamp, m.deleted_timestamp,
      (select jsonb_build_object('email', u.email, 'firstName', u.first_name, 'lastName', u.last_name, 'type', u.type,
        'active', u.active) from users u where u.id = m.user_id) as author,
      array(select jsonb_build_object('email', u.email, 'name', btrim(u.first_name || ' ' || u.last_name))
        from users u where u.id = any(m.mentioned)) as mentioned,
      (select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'name', f.name, 'extension', f.extension,
          'blob_id', f.blob_id, 'size', b.size, 'sha256', b.sha256) order by array_position(m.file_ids, f.id)), '[]')
         from room_files f join blobs b on b.id = f.blob_id where f.id = any(m.file_ids)) as files
      from room_messages m left join room_messages first on first.id = m.thread_id
     where ${within(row)} and ${beyond}
     order by m.create_timestamp, coalesce(m.sequence, 0), coalesce(m.thread_sequence, 0), m.id limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Numbers of messages and files in an export, and whether any message is privileged. */
export async function measure(db: OrgDb, row: ExportRow) {
  const { rows } = await sql<{ messages: number; files: number; isPrivileged: boolean }>`
    select count(*) as messages, coalesce(sum(cardinality(m.file_ids)), 0) as files,
      coalesce(bool_or(m.is_privileged), false) as "isPrivileged"
      from room_messages m where ${within(row)}`.execute(db)
  return rows[0]!
}

/** The privilege statement of the opened organisation. */
export async function findStatement(db: OrgDb): Promise<string> {
  const { rows } = await sql<{ statement: string | null }>`
    select coalesce(config ->> 'statementOfPrivilege',
        (select value #>> '{}' from global_config where key = 'statementOfPrivilege')) as statement
      from organisations where id = current_organisation()`.execute(db)
  return rows[0]?.statement ?? ''
}
