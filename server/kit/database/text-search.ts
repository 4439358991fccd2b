import { foldedWords, foldText, UNSPACED_CHARACTER } from './search.ts'

const UNSPACED_RUN = new RegExp(`${UNSPACED_CHARACTER}+`, 'gu')
/** A run of a script without spaces, or a word of another. */
const TOKEN = new RegExp(`${UNSPACED_CHARACTER}+|(?:(?!${UNSPACED_CHARACTER})[\\p{L}\\p{M}\\p{N}])+`, 'gu')
/** A word of which too many others are the beginning; it is found alone. */
const SINGLE = /^[a-z\p{N}]$/u

/** Every two characters in a row. */
const pairsOf = (characters: readonly string[]): string[] =>
  characters.slice(1).map((one, at) => characters[at]! + one)

/**
 * The search words of a long text: as `searchWords`, but scripts without spaces in pairs of characters, because a long
 * text holds every frequent character.
 */
export const textWords = (text: string): string[] =>
  foldedWords(
    foldText(text).replace(UNSPACED_RUN, (run) => {
      const characters = Array.from(run)
      // The last character is the beginning of no pair.
      return ` ${[...pairsOf(characters), characters.at(-1)].join(' ')} `
    }),
  )

/** Full-text queries for texts that have every word of a search, or any. */
export interface TextQueries {
  readonly all: string
  readonly any: string
}
/**
 * The queries of a search for words of `textWords`, by their beginning. Null without words, and where there are only
 * single letters and digits, which most texts have.
 */
export function textQueries(search: string): TextQueries | null {
  const words = foldedWords(
    foldText(search).replace(UNSPACED_RUN, (run) => {
      const characters = Array.from(run)
      return ` ${(characters.length === 1 ? characters : pairsOf(characters)).join(' ')} `
    }),
  )
  if (words.every((word) => SINGLE.test(word))) return null
  // Words consist of letters, digits and marks, so quoting them is enough.
  const terms = words.map((word) => (SINGLE.test(word) ? `'${word}'` : `'${word}':*`))
  return { all: terms.join(' & '), any: terms.join(' | ') }
}

/** A part of a text that shows where a search found it. */
export interface SnippetPart {
  readonly text: string
  readonly isMatch: boolean
}
interface Span {
  readonly start: number
  readonly end: number
}

/** Places of a search's words in a text, by characters. */
function matchesIn(characters: readonly string[], search: string): Span[] {
  const terms = [...foldText(search).matchAll(TOKEN)].map(([term]) => term)
  // Folding changes the number of characters.
  const places: number[] = []
  let folded = ''
  for (const [place, character] of characters.entries()) {
    // Normalising is most of the work, and ASCII needs none.
    const one = character < '\u0080' ? character.toLowerCase() : foldText(character)
    folded += one
    for (let n = 0; n < one.length; n += 1) places.push(place)
  }
  const spanOf = (from: number, to: number): Span => ({ start: places[from]!, end: places[to - 1]! + 1 })
  return [...folded.matchAll(TOKEN)].flatMap(({ 0: token, index }) => {
    if (token.search(UNSPACED_RUN) !== 0) {
      const isFound = terms.some((term) => (SINGLE.test(term) ? token === term : token.startsWith(term)))
      return isFound ? [spanOf(index, index + token.length)] : []
    }
    const term = terms.find((one) => token.includes(one))
    if (term === undefined) return []
    const from = index + token.indexOf(term)
    return [spanOf(from, from + term.length)]
  })
}

const SNIPPET_LENGTH = 150
/** Characters before the first match. */
const LEAD = 50
/** Characters by which a snippet is shortened to begin and end between words. */
const SLACK = 20

/** The part of a text around the first word of a search, with its words marked. */
export function snippetOf(text: string, search: string): SnippetPart[] {
  const characters = Array.from(text)
  const matches = matchesIn(characters, search)
  let start = Math.max(0, (matches[0]?.start ?? 0) - LEAD)
  let end = Math.min(characters.length, start + SNIPPET_LENGTH)
  if (start > 0) {
    const space = characters.slice(start, start + SLACK).indexOf(' ')
    if (space >= 0) start += space + 1
  }
  if (end < characters.length) {
    const space = characters.slice(end - SLACK, end).lastIndexOf(' ')
    if (space >= 0) end -= SLACK - space
  }
  const parts: SnippetPart[] = []
  const add = (from: number, to: number, isMatch: boolean) => {
    if (to > from) parts.push({ text: characters.slice(from, to).join(''), isMatch })
  }
  if (start > 0) parts.push({ text: '…', isMatch: false })
  let at = start
  for (const match of matches.filter((one) => one.start >= start && one.end <= end)) {
    add(at, match.start, false)
    add(match.start, match.end, true)
    at = match.end
  }
  add(at, end, false)
  if (end < characters.length) parts.push({ text: '…', isMatch: false })
  return parts
}
