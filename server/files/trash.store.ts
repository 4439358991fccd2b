import { sql } from 'kysely'

import type { OrgDb } from '#server/kit/database/db.ts'

import type { ItemRow } from './store.ts'

/**
 * Ids of a page of the trash, latest deletion first, in folders that the viewer may open; of one deleter unless all are
 * requested.
 */
export async function listTrashed(
  db: OrgDb,
  hidden: readonly number[],
  deletedBy: string | null,
  {
    sort,
    range,
  }: { sort?: readonly [string, 'ASC' | 'DESC'] | undefined; range?: readonly [number, number] | undefined },
): Promise<{ ids: number[]; total: number }> {
  const direction = sql.raw(sort?.[1] === 'ASC' ? 'asc' : 'desc')
  const found = sql`trash_id = id and root_id <> all(${hidden}::bigint[])
    and ${deletedBy === null ? sql`true` : sql`deleted_by = ${deletedBy}`}`
  const page = range ? sql`limit ${range[1] - range[0] + 1} offset ${range[0]}` : sql``
  const { rows } = await sql<{ id: number }>`
    select id from file_items where ${found} order by delete_timestamp ${direction}, id ${direction} ${page}`.execute(
    db,
  )
  const ids = rows.map(({ id }) => id)
  if (!range) return { ids, total: ids.length }
  const counted = await sql<{
    total: number
  }>`select count(*) as total from file_items where ${found}`.execute(db)
  return { ids, total: counted.rows[0]!.total }
}

/** The folders that are not in the trash. */
export async function listLiving(db: OrgDb, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select id from file_items where id = any(${ids}::bigint[]) and trash_id is null`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Moves a file or folder with everything below it to the trash. */
export async function updateTrashed(
  db: OrgDb,
  { id, rootId }: ItemRow,
  by: string,
  at: string,
): Promise<void> {
  await sql`update file_items set trash_id = ${id}, deleted_by = ${by}, delete_timestamp = ${at}::timestamptz
    where trash_id is null and root_id = ${rootId} and (id = ${id} or ${id} = any(path))`.execute(db)
}

/** Restores an item with everything that was deleted with it. */
export async function updateRestored(db: OrgDb, { id, rootId }: ItemRow): Promise<void> {
  await sql`update file_items set trash_id = null, deleted_by = null, delete_timestamp = null
    where trash_id = ${id} and root_id = ${rootId}`.execute(db)
}
