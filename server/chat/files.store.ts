import { type GeneratedAlways, sql } from 'kysely'

import { wholeName } from '#contract/kit/files.ts'
import { type Blobs, dropBlob } from '#server/kit/blobs/blobs.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { holdsEachWord } from '#server/kit/database/search.ts'
import type { Page } from '#server/kit/http/answers.ts'

import { FILE, type ShownFile } from './messages.store.ts'

interface RoomFileRow {
  id: string
  /** Null for an unsent file. */
  room_id: string | null
  message_id: string | null
  blob_id: string
  name: string
  extension: string
  type: string
  created_by: string
  create_timestamp: string
}

declare module '#server/kit/database/db.ts' {
  interface Tables {
    room_files: RoomFileRow & { search_key: GeneratedAlways<string> }
  }
}

export async function insertFile(db: OrgDb, row: Omit<RoomFileRow, 'room_id' | 'message_id'>): Promise<void> {
  await db
    .insertInto('room_files')
    .values({ ...row, room_id: null, message_id: null })
    .execute()
}

/** A file with the size and digest of its bytes. */
export const findFile = (db: OrgDb, id: string) =>
  db
    .selectFrom('room_files as f')
    .innerJoin('blobs as b', 'b.id', 'f.blob_id')
    .select([
      'f.id',
      'f.room_id',
      'f.message_id',
      'f.blob_id',
      'f.name',
      'f.extension',
      'f.type',
      'f.created_by',
      'f.create_timestamp',
      'b.size',
      'b.sha256',
    ])
    .where('f.id', '=', id)
    .executeTakeFirst()

/** Names of files, with their extensions. */
export async function listFileNames(db: OrgDb, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('room_files')
    .select(['name', 'extension'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return rows.map(wholeName)
}

export async function listFilesOfRoom(db: OrgDb, roomId: string): Promise<string[]> {
  const rows = await db.selectFrom('room_files').select('id').where('room_id', '=', roomId).execute()
  return rows.map(({ id }) => id)
}

/** Deletes files. Their bytes go after the commit. */
export async function deleteFiles(db: OrgDb, blobs: Blobs, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const gone = await db
    .deleteFrom('room_files')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning('blob_id')
    .execute()
  for (const { blob_id } of gone) await dropBlob(db, blobs, blob_id)
}

/** Number of a person's unsent files. */
export async function countUnsent(db: OrgDb, userId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from room_files where created_by = ${userId} and message_id is null`.execute(db)
  return rows[0]!.n
}

type SentFile = ShownFile & { message_id: string; message_sequence: number; user_id: string }
/** The files that were sent in a room, newest first. */
export async function listSentFiles(
  db: OrgDb,
  roomId: string,
  {
    q,
    range,
    isOldestFirst,
  }: { q?: string | undefined; range?: readonly [number, number] | undefined; isOldestFirst: boolean },
): Promise<Page<SentFile>> {
  const found = sql`room_files f join blobs b on b.id = f.blob_id join room_messages m on m.id = f.message_id
    where f.room_id = ${roomId} and ${holdsEachWord(q)}`
  const direction = sql.raw(isOldestFirst ? 'asc' : 'desc')
  const page = range ? sql`limit ${range[1] - range[0] + 1} offset ${range[0]}` : sql``
  const { rows } = await sql<{ file: ShownFile } & Omit<SentFile, keyof ShownFile>>`
    select ${FILE} as file, f.message_id, coalesce(m.sequence, 0) as message_sequence, f.created_by as user_id from ${found}
    order by f.create_timestamp ${direction}, f.id ${page}`.execute(db)
  const files = rows.map(({ file, ...about }) => ({ ...file, ...about }))
  if (!range) return { rows: files, total: files.length }
  const counted = await sql<{ total: number }>`select count(*) as total from ${found}`.execute(db)
  return { rows: files, total: counted.rows[0]!.total }
}
