import { type RawBuilder, sql } from 'kysely'

declare module './db.ts' {
  interface Tables {
    row_counts: { counted: string; facet: string[]; amount: number }
  }
}

/** Tables whose rows are counted as they change, with how many facets tell them apart (`functions/row-counts.sql`). */
const FACETS = {
  users: 3,
  incidents: 3,
  contacts: 0,
  contact_list_members: 1,
  group_members: 1,
  room_members: 1,
  mass_notifications: 0,
  file_items: 1,
} as const
type CountedTable = keyof typeof FACETS

/**
 * The number of rows of the organisation as it is kept, for a statement. Not for external people, who see fewer.
 * @param facets by their places from 1: what the counted rows have in common; `undefined` counts all
 */
export const keptCount = (
  table: CountedTable,
  facets: readonly (RawBuilder<unknown> | undefined)[] = [],
): RawBuilder<number> => {
  const known = facets.filter((facet) => facet !== undefined)
  // All facets at once are looked up in the index; some of them are compared row by row.
  const conditions =
    known.length === FACETS[table] && known.length > 0
      ? [sql`facet = array[${sql.join(known.map((facet) => sql`(${facet})::text`))}]`]
      : facets.flatMap((facet, n) =>
          facet === undefined ? [] : [sql`facet[${sql.lit(n + 1)}] = (${facet})::text`],
        )
  return sql<number>`(select coalesce(sum(amount), 0)::bigint from row_counts
    where ${sql.join([sql`counted = ${sql.lit(table)}`, ...conditions], sql` and `)})`
}
