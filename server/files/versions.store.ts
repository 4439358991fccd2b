import { sql } from 'kysely'

import type { FileVersion } from '#contract/files/schema.ts'
import { type Blobs, type StoredBlob } from '#server/kit/blobs/blobs.ts'
import { afterCommit, type OrgDb, unitOf } from '#server/kit/database/db.ts'

interface VersionColumns {
  item_id: number
  file_version: number
  blob_id: string
  type: string
  extension: string
  created_by: string
  create_timestamp: string
}
declare module '#server/kit/database/db.ts' {
  interface Tables {
    file_versions: VersionColumns
  }
}

/** A version of a file with its stored bytes. */
export interface VersionRow extends FileVersion {
  readonly type: string
  readonly blob: StoredBlob
}

export async function insertVersion(db: OrgDb, row: VersionColumns): Promise<void> {
  await db.insertInto('file_versions').values(row).execute()
}

async function read(db: OrgDb, itemId: number, fileVersion: number | null): Promise<VersionRow[]> {
  const { rows } = await sql<Omit<VersionRow, 'blob'> & { blobId: string }>`
    select v.file_version as "fileVersion", b.size, b.sha256, v.extension, v.type, v.created_by as "createdBy",
      coalesce(nullif(btrim(u.first_name || ' ' || u.last_name), ''), v.created_by) as "createdByName",
      v.create_timestamp as "createTimestamp", v.blob_id as "blobId"
      from file_versions v join blobs b on b.id = v.blob_id left join users u on u.email = v.created_by
     where v.item_id = ${itemId} and ${fileVersion === null ? sql`true` : sql`v.file_version = ${fileVersion}`}
     order by v.file_version desc`.execute(db)
  return rows.map(({ blobId, ...row }) => ({
    ...row,
    blob: { id: blobId, size: row.size, sha256: row.sha256 },
  }))
}
/** The versions of a file, newest first. */
export const listVersions = (db: OrgDb, itemId: number): Promise<VersionRow[]> => read(db, itemId, null)
export const findVersion = async (
  db: OrgDb,
  itemId: number,
  fileVersion: number,
): Promise<VersionRow | undefined> => (await read(db, itemId, fileVersion))[0]

/** The bytes of the newest contents of files, by the id of the file. */
export async function listBlobs(db: OrgDb, itemIds: readonly number[]): Promise<Map<number, StoredBlob>> {
  const { rows } = await sql<StoredBlob & { itemId: number }>`
    select i.id as "itemId", b.id, b.size, b.sha256
      from file_items i join file_versions v on v.item_id = i.id and v.file_version = i.file_version
      join blobs b on b.id = v.blob_id where i.id = any(${itemIds}::bigint[])`.execute(db)
  return new Map(rows.map(({ itemId, ...blob }) => [itemId, blob]))
}

/**
 * Deletes a file or folder with everything below it permanently. The bytes go after the commit, or else with the next
 * sweep.
 */
export async function deleteTree(
  db: OrgDb,
  blobs: Pick<Blobs, 'remove'>,
  { id, rootId }: { readonly id: number; readonly rootId: number },
): Promise<void> {
  const { rows: gone } = await sql<{ blob_id: string }>`
    delete from file_versions v using file_items i
     where v.item_id = i.id and i.root_id = ${rootId} and (i.id = ${id} or ${id} = any(i.path))
    returning v.blob_id`.execute(db)
  await sql`delete from file_items where root_id = ${rootId} and (id = ${id} or ${id} = any(path))`.execute(
    db,
  )
  const ids = [...new Set(gone.map(({ blob_id }) => blob_id))]
  const { rows: free } = await sql<{ id: string }>`
    delete from blobs b where b.id = any(${ids}::uuid[])
       and not exists (select from file_versions v where v.blob_id = b.id) returning b.id`.execute(db)
  const { organisationId } = unitOf(db)
  afterCommit(db, () => {
    for (const blob of free) void blobs.remove(organisationId, blob.id).catch(() => {})
  })
}
