import { cut } from '#contract/kit/cut.ts'
import { type RawBuilder, sql } from 'kysely'

import type { OrgDb } from './db.ts'

/** A `like` pattern of a word, folded like search keys, with `%`, `_` and `\` escaped. */
export const patternOf = (word: string): RawBuilder<string> =>
  sql<string>`fold(${word.replace(/[\\%_]/g, '\\$&')})`

/**
 * True when a row's `search_key` contains every word of a search, regardless of case and accents. A search without
 * words matches every row.
 */
export function holdsEachWord(search = ''): RawBuilder<boolean> {
  const conditions = searchedWords(search).map(
    (word) => sql`search_key like '%' || ${patternOf(word)} || '%'`,
  )
  return sql<boolean>`(${sql.join([sql`true`, ...conditions], sql` and `)})`
}

/** The words of a search as typed. */
export const searchedWords = (search = ''): string[] => search.split(/\s+/).filter((word) => word !== '')

/** Blanks, brackets, dashes and the like within a phone number. */
const PHONE_RUN = /(?<=^|\s)[+(]*\d[\d\s()./+-]*(?=\s|$)/g
/** Digits of which a phone number is found. */
const PHONE_DIGITS_MIN = 4
/**
 * The words of a search for people. A phone number is one word however it is written, without what is not stored: the
 * plus sign, 00 and the zero before a national number.
 */
export const peopleWords = (search = ''): string[] =>
  searchedWords(
    search.replace(PHONE_RUN, (run) => {
      const digits = run.replace(/\(0\)/g, '').replace(/\D/g, '').replace(/^0+/, '')
      return digits.length < PHONE_DIGITS_MIN ? run : `${digits} `
    }),
  )

/** `holdsEachWord` for a search for people, whose numbers may be written in any way. */
export const holdsEachPeopleWord = (search?: string): RawBuilder<boolean> =>
  holdsEachWord(peopleWords(search).join(' '))

/** Maximum number of rows found by an index. */
export const INDEXED_MAX = 1_000
/** Maximum number of rows counted where an index finds more: each is read, and a larger number has little use. */
const COUNTED_MAX = 500
/** Limit of counting for a page that ends before `end`, so that a next page is always known. */
export const countLimit = (end: number): number => Math.max(COUNTED_MAX, end)

/** Tables whose `search_key` has an index of its grams (`functions/search.sql`). */
type SearchedTable = 'incidents' | 'users' | 'contacts' | 'mass_notifications' | 'file_items'
/**
 * Orders for counting: by an index that follows the rows on disk, where there is one. The planner does not know how few
 * rows belong to the organisation and would read those of others.
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
  /** Further conditions on the rows. */
  readonly where: RawBuilder<unknown>
  readonly order: RawBuilder<unknown>
  readonly range: Range | undefined
}
/** The result of a search. */
export interface Found<Id> {
  /** Ids of all matches, or only of the page. */
  readonly ids: readonly Id[]
  /** Null where `ids` are all matches, which remain to be filtered, counted and cut to the page. */
  readonly page: { readonly total: number; readonly isMinimum: boolean } | null
}

/**
 * Ids of the rows that contain every word, from the index of grams: at most `INDEXED_MAX`. Null where there are more,
 * where a list is read faster in its order, and for external people. Reading the rows by id applies row-level security.
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
 * The condition that a row contains every word, for a list that is read in its order. The planner assumes that every
 * word is rare and would sort all rows; it assumes that a `case` matches half of them.
 */
export const asIfCommon = (holds: RawBuilder<boolean>): RawBuilder<boolean> =>
  sql<boolean>`case when ${holds} then true end`

/**
 * Finds the rows of a list that contain every word: by an index of grams where they are few. Many rows, and those of
 * external people, are searched in the order of the list until the page is full, and counted up to `countLimit`.
 * Row-level security applies here or when a row is read by its id (decision 053).
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
  // The inner offset makes the planner keep both orders.
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

const PHRASE = /["“”„«»]([^"“”„«»]+)["“”„«»]/g
/** The parts of a search in quotation marks, which a text contains as they are. */
export const phrasesIn = (search: string): string[] =>
  [...search.matchAll(PHRASE)].map(([, phrase]) => phrase!.trim()).filter((phrase) => phrase !== '')

const WORD_MAX = 60
/** A character of a script without spaces between words. */
export const UNSPACED_CHARACTER =
  '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}]'
/** Each is a word of its own. */
const UNSPACED = new RegExp(UNSPACED_CHARACTER, 'gu')
/** A text in lower case and without accents. */
export const foldText = (value: string): string =>
  value
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
/** The distinct words of a folded text. */
export const foldedWords = (folded: string): string[] =>
  [...new Set(folded.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== ''))].map((word) =>
    cut(word, WORD_MAX),
  )
/** The search words of a text: lower case, without accents, de-duplicated. Search texts are split alike. */
export const searchWords = (value: string): string[] => foldedWords(foldText(value).replace(UNSPACED, ' $& '))

/** A full-text query for every word or its prefix. */
export const prefixQuery = (words: readonly string[]): string =>
  // Words consist of letters, digits and marks, so quoting them is enough.
  words.map((word) => `'${word}':*`).join(' & ')
