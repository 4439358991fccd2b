import { type Generated, sql } from 'kysely'

import type { OnConflict, UploadState } from '#contract/files/schema.ts'
import type { StoredBlob } from '#server/kit/blobs/blobs.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

interface UploadColumns {
  id: Generated<string>
  user_id: string
  parent_id: number
  name: string
  extension: string
  last_modified: number | null
  on_conflict: OnConflict
  length: number
  received: number
  item_id: number | null
  file_version: number | null
  create_timestamp: string
  update_timestamp: string
  expires_timestamp: string
}
declare module '#server/kit/database/db.ts' {
  interface Tables {
    file_uploads: UploadColumns
    file_upload_parts: { upload_id: string; start: number; blob_id: string }
  }
}

/** A person's upload in parts. */
export interface UploadRow extends UploadState {
  readonly onConflict: OnConflict
}

const COLUMNS = sql`id, name, extension, parent_id as "parentFolderId", length, received as "offset",
  last_modified as "lastModified", on_conflict as "onConflict", update_timestamp as "updateTimestamp", expires_timestamp as "expireTimestamp",
  item_id as "itemId", file_version as "fileVersion"`

type NewRow = Omit<UploadColumns, 'id' | 'received' | 'item_id' | 'file_version'>
export async function insertUpload(db: OrgDb, row: NewRow): Promise<string> {
  const values = { ...row, received: 0, item_id: null, file_version: null }
  const { id } = await db.insertInto('file_uploads').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

/** An unexpired upload of a person. */
export async function findUpload(db: OrgDb, userId: string, id: string): Promise<UploadRow | undefined> {
  const { rows } = await sql<UploadRow>`
    select ${COLUMNS} from file_uploads
     where id = ${id} and user_id = ${userId} and expires_timestamp > ${clock.timestamp()}`.execute(db)
  return rows[0]
}

/** An unexpired upload of a person, locked until the transaction ends, so that two parts cannot take one offset. */
export async function holdUpload(db: OrgDb, userId: string, id: string): Promise<UploadRow | undefined> {
  await sql`select from file_uploads where id = ${id} for update`.execute(db)
  return findUpload(db, userId, id)
}

/** A person's unfinished uploads, oldest first. */
export async function listOpenUploads(db: OrgDb, userId: string): Promise<UploadRow[]> {
  const { rows } = await sql<UploadRow>`
    select ${COLUMNS} from file_uploads
     where user_id = ${userId} and item_id is null and expires_timestamp > ${clock.timestamp()}
     order by create_timestamp, id`.execute(db)
  return rows
}

/** Bytes that the organisation's open uploads still expect. */
export async function sumMissingBytes(db: OrgDb): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(length - received), 0) as bytes from file_uploads
     where item_id is null and expires_timestamp > ${clock.timestamp()}`.execute(db)
  return rows[0]!.bytes
}

interface Progress {
  readonly received: number
  readonly expires: string
  /** The file that the upload created. */
  readonly item?: { readonly id: number; readonly fileVersion: number }
}
export async function updateProgress(
  db: OrgDb,
  id: string,
  { received, expires, item }: Progress,
): Promise<void> {
  await db
    .updateTable('file_uploads')
    .set({
      received,
      expires_timestamp: expires,
      update_timestamp: clock.timestamp(),
      item_id: item?.id ?? null,
      file_version: item?.fileVersion ?? null,
    })
    .where('id', '=', id)
    .execute()
}

export async function insertPart(
  db: OrgDb,
  row: { upload_id: string; start: number; blob_id: string },
): Promise<void> {
  await db.insertInto('file_upload_parts').values(row).execute()
}

export async function listParts(db: OrgDb, id: string): Promise<StoredBlob[]> {
  const { rows } = await sql<StoredBlob>`
    select b.id, b.size, b.sha256 from file_upload_parts p join blobs b on b.id = p.blob_id
     where p.upload_id = ${id} order by p.start`.execute(db)
  return rows
}

/** Deletes the parts of an upload and returns the ids of their bytes. */
export async function deleteParts(db: OrgDb, id: string): Promise<string[]> {
  const { rows } = await sql<{ blob_id: string }>`
    delete from file_upload_parts where upload_id = ${id} returning blob_id`.execute(db)
  return rows.map(({ blob_id }) => blob_id)
}

export async function deleteUpload(db: OrgDb, id: string): Promise<void> {
  await db.deleteFrom('file_uploads').where('id', '=', id).execute()
}
