import { sql } from 'kysely'

import type { OrgDb } from '#server/kit/database/db.ts'

import { type ItemRow, readItems } from './store.ts'

/** Items below some folders that are not in the trash, at most `max`, the upper ones first. */
export function listBelow(db: OrgDb, folders: readonly ItemRow[], max: number): Promise<ItemRow[]> {
  const rootIds = [...new Set(folders.map(({ rootId }) => rootId))]
  const ids = folders.filter(({ isFolder }) => isFolder).map(({ id }) => id)
  if (ids.length === 0) return Promise.resolve([])
  return readItems(
    db,
    sql`root_id = any(${rootIds}::bigint[]) and path && ${ids}::bigint[] and trash_id is null
      limit ${Math.max(0, max)}`,
  )
}

/** The copy of a row that is to be inserted. */
export interface NewCopy {
  readonly row: ItemRow
  readonly name: string
  readonly extension: string
  readonly nameKey: string
  /** Ids of the folders above the copy, root folder first. */
  readonly path: readonly number[]
}
interface By {
  readonly createdBy: string
  readonly at: string
}

/** Inserts copies whose folders exist, in one statement, and returns their ids in the same order. */
export async function insertCopies(
  db: OrgDb,
  copies: readonly NewCopy[],
  { createdBy, at }: By,
): Promise<number[]> {
  const planned = copies.map(({ row, name, extension, nameKey, path }) => ({
    parent_id: path.at(-1) ?? 0,
    path: `{${path.join(',')}}`,
    root_id: path[0] ?? 0,
    is_folder: row.isFolder,
    name,
    extension,
    name_key: nameKey,
    size: row.size,
    type: row.type,
    sha256: row.sha256,
  }))
  const { rows } = await sql<{ id: number; parentId: number; nameKey: string }>`
    insert into file_items (parent_id, path, root_id, is_folder, name, extension, name_key, size, type, sha256,
        created_by, create_timestamp, update_timestamp)
      select parent_id, path::bigint[], root_id, is_folder, name, extension, name_key, size, type, sha256,
          ${createdBy}, ${at}::timestamptz, ${at}::timestamptz
        from jsonb_to_recordset(${JSON.stringify(planned)}::jsonb) as (parent_id bigint, path text, root_id bigint,
          is_folder boolean, name text, extension text, name_key text, size bigint, type text, sha256 text)
      returning id, parent_id as "parentId", name_key as "nameKey"`.execute(db)
  // Items of the root are their own root.
  await sql`update file_items set root_id = id where id = any(${rows.map(({ id }) => id)}::bigint[]) and root_id = 0`.execute(
    db,
  )
  const made = new Map(rows.map(({ id, parentId, nameKey }) => [`${parentId}/${nameKey}`, id]))
  return planned.map((one) => made.get(`${one.parent_id}/${one.name_key}`)!)
}

/** Gives copied files the newest content of their originals as their first version. */
export async function insertCopiedVersions(
  db: OrgDb,
  copies: readonly { readonly id: number; readonly copyId: number }[],
  { createdBy, at }: By,
): Promise<void> {
  await sql`
    insert into file_versions (item_id, file_version, blob_id, type, extension, created_by, create_timestamp)
      select c.copy_id, 1, v.blob_id, v.type, v.extension, ${createdBy}, ${at}::timestamptz
        from unnest(${copies.map(({ id }) => id)}::bigint[], ${copies.map(({ copyId }) => copyId)}::bigint[])
          as c (id, copy_id)
        join file_items i on i.id = c.id join file_versions v on v.item_id = i.id and v.file_version = i.file_version`.execute(
    db,
  )
}
