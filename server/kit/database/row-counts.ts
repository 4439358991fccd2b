import { type RawBuilder, sql } from 'kysely'

declare module './db.ts' {
  interface Tables {
    row_counts: { counted: string; facet: string[]; amount: number }
  }
}

/** Tables with kept row counts, and their number of facets (`functions/row-counts.sql`). */
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
 * The kept number of the organisation's rows, for a statement. Wrong for external people, who see fewer rows.
 * @param facets values by position from 1, which the counted rows have in common; `undefined` counts all
 */
export const keptCount = (
  table: CountedTable,
  facets: readonly (RawBuilder<unknown> | undefined)[] = [],
): RawBuilder<number> => {
  const known = facets.filter((facet) => facet !== undefined)
  // Conditions on all facets use the index; with fewer, rows are compared one by one.
  const conditions =
    known.length === FACETS[table] && known.length > 0
      ? [sql`facet = array[${sql.join(known.map((facet) => sql`(${facet})::text`))}]`]
      : facets.flatMap((facet, n) =>
          facet === undefined ? [] : [sql`facet[${sql.lit(n + 1)}] = (${facet})::text`],
        )
  return sql<number>`(select coalesce(sum(amount), 0)::bigint from row_counts
    where ${sql.join([sql`counted = ${sql.lit(table)}`, ...conditions], sql` and `)})`
}
