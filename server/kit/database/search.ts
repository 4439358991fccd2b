import { type RawBuilder, sql } from 'kysely'

/** A word for `like`, folded as search keys are, in which `%`, `_` and `\` are letters. */
export const patternOf = (word: string): RawBuilder<string> =>
  sql<string>`fold(${word.replace(/[\\%_]/g, '\\$&')})`

/**
 * Whether the `search_key` of a row contains every word of a search. Case and accents do not count. A search without words
 * finds every row.
 */
export function holdsEachWord(search = ''): RawBuilder<boolean> {
  const words = search.split(/\s+/).filter((word) => word !== '')
  const conditions = words.map((word) => sql`search_key like '%' || ${patternOf(word)} || '%'`)
  return sql<boolean>`(${sql.join([sql`true`, ...conditions], sql` and `)})`
}
