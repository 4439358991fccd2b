import { sql } from 'kysely'

import type { OrgDb } from '#server/kit/database/db.ts'
import type { TextQueries } from '#server/kit/database/text-search.ts'

/** Maximum number of files found by their texts, which are looked up, sorted and counted. */
export const FOUND_MAX = 10_000

/** Ids of the files that have every word in their text, outside the hidden folders: one more than `FOUND_MAX` at most. */
export async function idsByText(
  db: OrgDb,
  { all }: TextQueries,
  hidden: readonly number[],
): Promise<readonly number[]> {
  const { rows } = await sql<{ ids: string[] }>`
    select visibility.search_file_texts(${all}::tsquery, ${hidden}::bigint[], ${FOUND_MAX + 1}) as ids`.execute(
    db,
  )
  return rows[0]!.ids.map(Number)
}

/** A part of a file's text. */
export interface Passage {
  readonly page: number | null
  readonly text: string
}
/** The first passage of each file that has all words, or else one of them. */
export async function findPassages(
  db: OrgDb,
  itemIds: readonly number[],
  { all, any }: TextQueries,
): Promise<Map<number, Passage>> {
  const { rows } = await sql<Passage & { itemId: number }>`
    select found.id as "itemId", p.page, p.text from unnest(${itemIds}::bigint[]) as found (id)
      cross join lateral (
        select page, text from file_passages where item_id = found.id and words @@ ${any}::tsquery
         order by words @@ ${all}::tsquery desc, number limit 1) p`.execute(db)
  return new Map(rows.map(({ itemId, ...passage }) => [itemId, passage]))
}
