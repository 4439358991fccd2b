import { cut } from '#contract/kit/cut.ts'
import { type RawBuilder, sql } from 'kysely'

import type { OrgDb } from './db.ts'

/** A word for `like`, folded as search keys are, in which `%`, `_` and `\` are letters. */
export const patternOf = (word: string): RawBuilder<string> =>
  sql<string>`fold(${word.replace(/[\\%_]/g, '\\$&')})`

/**
 * Whether the `search_key` of a row contains every word of a search. Case and accents do not count. A search without words
 * finds every row.
 */
export function holdsEachWord(search = ''): RawBuilder<boolean> {
  const conditions = searchedWords(search).map(
    (word) => sql`search_key like '%' || ${patternOf(word)} || '%'`,
  )
  return sql<boolean>`(${sql.join([sql`true`, ...conditions], sql` and `)})`
}

/** The words of a search as they were typed. */
export const searchedWords = (search = ''): string[] => search.split(/\s+/).filter((word) => word !== '')

/** Rows that an index finds at most. */
export const INDEXED_MAX = 1_000
/** Rows that are counted at most where an index finds more: each is read, and how many more there are tells nobody anything. */
const COUNTED_MAX = 500
/** How far rows are counted for a page that ends before `end`: that there is a next one is always known. */
export const countLimit = (end: number): number => Math.max(COUNTED_MAX, end)

/** Tables whose `search_key` has an index of its grams (`functions/search.sql`). */
type SearchedTable = 'incidents' | 'users' | 'contacts' | 'mass_notifications' | 'file_items'
/**
 * Orders in which rows are counted: of an index that has the rows as they lie on the disk, where there is one. Left to itself the
 * planner, which does not know how few of a table's rows are the organisation's, reads those of others on the way.
 */
const COUNT_ORDERS: Readonly<Record<SearchedTable, RawBuilder<unknown>>> = {
  incidents: sql`create_timestamp desc, id`,
  users: sql`create_timestamp`,
  contacts: sql`sort_key, email`,
  mass_notifications: sql`create_timestamp, id`,
  file_items: sql`is_folder desc, sort_key, id`,
}
type Range = readonly [first: number, last: number]

/** A search of a list. */
interface Search {
  readonly table: SearchedTable
  readonly words: readonly string[]
  /** What else the rows have in common, by the names of their columns. */
  readonly where: RawBuilder<unknown>
  readonly order: RawBuilder<unknown>
  readonly range: Range | undefined
}
/** What a search found. */
export interface Found<Id> {
  /** Of all rows that have the words, or only of those of the page. */
  readonly ids: readonly Id[]
  /** Null where `ids` are of all rows: they remain to be filtered, counted and cut to the page. */
  readonly page: { readonly total: number; readonly isMinimum: boolean } | null
}

/**
 * The ids of what contains every word, by the index of grams: at most `INDEXED_MAX`. Null where there are more, or where a
 * list is read faster in its order; for external people, too. Whether the caller may see a row is decided when it is read.
 */
export async function idsByIndex<Id extends string | number = string>(
  db: OrgDb,
  table: SearchedTable,
  words: readonly string[],
): Promise<readonly Id[] | null> {
  const { rows } = await sql<{ ids: Id[] | null }>`
    select ${sql.id('visibility', `search_${table}`)}(${words}::text[], ${INDEXED_MAX}) as ids`.execute(db)
  return rows[0]!.ids
}

/**
 * The condition that a row of a list that is read in its order contains every word. The planner takes every word for a rare
 * one, sorts all rows and stops nowhere; what a `case` holds it takes for half of them.
 */
export const asIfCommon = (holds: RawBuilder<boolean>): RawBuilder<boolean> =>
  sql<boolean>`case when ${holds} then true end`

/**
 * Finds the rows of a list that contain every word: out of an index of grams where they are few. Many, and those of external
 * people, are looked for in the order of the list until the page is full, and counted no further than `countLimit`. Whether
 * the caller may see a row is decided by row-level security, here or when the row is read by its id (decision 053).
 */
export async function searchRows<Id extends string | number = string>(
  db: OrgDb,
  { table, words, where, order, range }: Search,
): Promise<Found<Id>> {
  const ids = await idsByIndex<Id>(db, table, words)
  if (ids) return { ids, page: null }
  const holds = asIfCommon(holdsEachWord(words.join(' ')))
  const cut = range ? sql`limit ${range[1] - range[0] + 1} offset ${range[0]}` : sql``
  const most = range && countLimit(range[1] + 1)
  const countCut = most === undefined ? sql`` : sql`limit ${most + 1}`
  // The inner offset keeps both to their orders.
  const inOrder = (by: RawBuilder<unknown>) => sql`(
    select id, search_key from ${sql.table(table)} where ${where} order by ${by} offset 0) ordered where ${holds}`
  const { rows } = await sql<{ ids: Id[]; total: number }>`
    select array(select id from ${inOrder(order)} ${cut}) as ids,
      (select count(*) from (select from ${inOrder(COUNT_ORDERS[table])} ${countCut}) counted) as total`.execute(
    db,
  )
  const { ids: found, total } = rows[0]!
  return { ids: found, page: { total, isMinimum: most !== undefined && total > most } }
}

const WORD_MAX = 60
/** Characters of scripts that put no space between words: each is a word of its own. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu
/** The words by which a text is found: lower case, without accents, each once. Search texts are cut the same way. */
export function searchWords(value: string): string[] {
  const folded = value
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
  const spaced = folded.replace(UNSPACED, ' $& ')
  return [...new Set(spaced.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== ''))].map((word) =>
    cut(word, WORD_MAX),
  )
}

/** A query of full-text search that finds every word, or words that begin with it. */
export const prefixQuery = (words: readonly string[]): string =>
  // Words are letters, digits and marks only, so quoting them is enough.
  words.map((word) => `'${word}':*`).join(' & ')
