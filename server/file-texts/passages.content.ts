import { textWords } from '#server/kit/database/text-search.ts'

/** A part of a text, with the number of its page where the format has pages. */
export interface PageText {
  readonly page: number | null
  readonly text: string
}

/** A passage with its words as a literal of `tsvector`. */
export interface Passage extends PageText {
  readonly words: string
}
/** The text of a file as it is stored. */
export interface FileText {
  /** The words of all passages as a literal of `tsvector`. */
  readonly words: string
  readonly passages: readonly Passage[]
}

/** Characters of a file's text that are searched. */
export const TEXT_MAX = 1_000_000
/** Milliseconds since the start of the process after which no further page is read. */
const READ_MS = 40_000
/** Characters of a passage, from which the snippet of a search is cut. */
const PASSAGE_LENGTH = 1_000
/** Characters in which the end of a passage looks for a space. */
const SLACK = 100
/** Bytes of all words: a `tsvector` holds a megabyte. */
const WORDS_MAX = 1_000_000

/** One line without invisible characters, each character in its composed form. */
const cleaned = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[\p{Bidi_Control}\u00ad\u200b\ufeff]/gu, '')
    .replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
    .trim()

/** A text in passages, cut between words where there are spaces. */
function* passagesOf(text: string): Generator<string> {
  let at = 0
  while (at < text.length) {
    let end = Math.min(text.length, at + PASSAGE_LENGTH)
    if (end < text.length) {
      const space = text.lastIndexOf(' ', end)
      if (space > end - SLACK) end = space
      // A pair of surrogates is one character.
      else if (/[\uD800-\uDBFF]/.test(text[end - 1]!)) end -= 1
    }
    yield text.slice(at, end).trim()
    at = end
  }
}

// Words consist of letters, digits and marks, so quoting them is enough.
const literalOf = (words: Iterable<string>): string => Array.from(words, (word) => `'${word}'`).join(' ')

/** The passages and words of a text, up to `TEXT_MAX` characters and `READ_MS`. Stops reading pages there. */
export async function fileTextOf(pages: AsyncIterable<PageText> | Iterable<PageText>): Promise<FileText> {
  const passages: Passage[] = []
  const all = new Set<string>()
  let left = TEXT_MAX
  let bytesLeft = WORDS_MAX
  for await (const { page, text } of pages) {
    for (const passage of passagesOf(cleaned(text.slice(0, left)))) {
      const words = textWords(passage)
      for (const word of words) {
        if (all.has(word)) continue
        bytesLeft -= Buffer.byteLength(word)
        if (bytesLeft >= 0) all.add(word)
      }
      passages.push({ page, text: passage, words: literalOf(words) })
    }
    left -= text.length
    if (left <= 0 || performance.now() > READ_MS) break
  }
  return { words: literalOf(all), passages }
}
