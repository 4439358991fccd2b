import { sql } from 'kysely'

import type { OrgDb } from '#server/kit/database/db.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    file_marks: {
      user_id: string
      item_id: number
      starred_timestamp: string | null
      used_timestamp: string | null
    }
  }
}

/** Notes that a person used a file. */
export async function updateUsed(db: OrgDb, userId: string, itemId: number, at: string): Promise<void> {
  await sql`insert into file_marks (user_id, item_id, used_timestamp) values (${userId}, ${itemId}, ${at})
    on conflict (user_id, item_id) do update set used_timestamp = excluded.used_timestamp`.execute(db)
}

/** Stars an item for a person. A star that is there keeps its time. */
export async function insertStar(db: OrgDb, userId: string, itemId: number, at: string): Promise<void> {
  await sql`insert into file_marks (user_id, item_id, starred_timestamp) values (${userId}, ${itemId}, ${at})
    on conflict (user_id, item_id) do update
      set starred_timestamp = coalesce(file_marks.starred_timestamp, excluded.starred_timestamp)`.execute(db)
}

export async function deleteStar(db: OrgDb, userId: string, itemId: number): Promise<void> {
  const own = sql`user_id = ${userId} and item_id = ${itemId}`
  await sql`delete from file_marks where ${own} and used_timestamp is null`.execute(db)
  await sql`update file_marks set starred_timestamp = null where ${own}`.execute(db)
}

export type MarkTime = 'starred_timestamp' | 'used_timestamp'
/** A page of the visible items with a mark of a person, the last one first, unless `isOldestFirst`. */
export async function listMarked(
  db: OrgDb,
  userId: string,
  hidden: readonly number[],
  mark: MarkTime,
  {
    isOldestFirst,
    range,
  }: { readonly isOldestFirst: boolean; readonly range?: readonly [number, number] | undefined },
): Promise<{ readonly ids: readonly number[]; readonly total: number }> {
  const time = sql.ref(`m.${mark}`)
  const found = sql`from file_marks m join file_items i on i.id = m.item_id
    where m.user_id = ${userId} and ${time} is not null and i.trash_id is null and i.root_id <> all(${hidden}::bigint[])`
  const direction = sql.raw(isOldestFirst ? 'asc' : 'desc')
  const page = range ? sql`limit ${range[1] - range[0] + 1} offset ${range[0]}` : sql``
  const { rows } = await sql<{ id: number }>`
    select i.id ${found} order by ${time} ${direction}, m.item_id ${direction} ${page}`.execute(db)
  const ids = rows.map(({ id }) => id)
  if (!range) return { ids, total: ids.length }
  const counted = await sql<{ total: number }>`select count(*) as total ${found}`.execute(db)
  return { ids, total: counted.rows[0]!.total }
}
