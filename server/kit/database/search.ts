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
    word.slice(0, WORD_MAX),
  )
}

/** A query of full-text search that finds every word, or words that begin with it. */
export const prefixQuery = (words: readonly string[]): string =>
  // Words are letters, digits and marks only, so quoting them is enough.
  words.map((word) => `'${word}':*`).join(' & ')
