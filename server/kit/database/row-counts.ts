import { type RawBuilder, sql } from 'kysely'

declare module './db.ts' {
  interface Tables {
    row_counts: { counted: string; facet: string[]; amount: number }
  }
}

/** Tables whose rows are counted as they change (migration 0054). */
type CountedTable =
  | 'users'
  | 'incidents'
  | 'contacts'
  | 'contact_list_members'
  | 'group_members'
  | 'mass_notifications'
  | 'file_items'

/**
 * The number of rows of the organisation as it is kept, for a statement. Not for external people, who see fewer.
 * @param facets by their places from 1: what the counted rows have in common; `undefined` counts all
 */
export const keptCount = (
  table: CountedTable,
  facets: readonly (RawBuilder<unknown> | undefined)[] = [],
): RawBuilder<number> => {
  const conditions = facets.flatMap((facet, n) =>
    facet === undefined ? [] : [sql`facet[${sql.lit(n + 1)}] = (${facet})::text`],
  )
  return sql<number>`(select coalesce(sum(amount), 0)::bigint from row_counts
    where ${sql.join([sql`counted = ${sql.lit(table)}`, ...conditions], sql` and `)})`
}
