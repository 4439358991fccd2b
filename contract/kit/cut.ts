/** Code units of the longest character in use: a family with skin tones has about thirty. */
export const CHARACTER_MAX = 64
let segmenter: Intl.Segmenter | undefined
/** The segmenter of grapheme clusters; undefined in browsers without one, such as Firefox before 125. */
const characters = (): Intl.Segmenter | undefined =>
  'Segmenter' in Intl ? (segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' })) : undefined

/** At most the first `max` code units of a text, cut between two grapheme clusters (UAX #29), or code points without a segmenter. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const around = characters()?.segment(text.slice(0, max + CHARACTER_MAX))
  const index = around?.containing(max)?.index ?? max
  // A letter with hundreds of combining marks is cut between code points.
  return text.slice(0, max - index <= CHARACTER_MAX ? index : max).replace(/[\uD800-\uDBFF]$/, '')
}

/** The first grapheme clusters of a text; fewer if they average more than a few code units. */
export function firstCharacters(text: string, count: number): string[] {
  const start = cut(text, 4 * count + CHARACTER_MAX)
  const segments = characters()?.segment(start)
  return (segments ? Array.from(segments, ({ segment }) => segment) : Array.from(start)).slice(0, count)
}

type IsEnd = (character: string) => boolean
/** Position behind the last code unit to keep. Linear, unlike `/[ends]+$/`, which backtracks. */
function endOf(text: string, isEnd: IsEnd): number {
  let end = text.length
  while (end > 0 && isEnd(text[end - 1]!)) end -= 1
  return end
}
/** Removes certain code units from the end of a text. */
export const withoutEnd = (text: string, isEnd: IsEnd): string => text.slice(0, endOf(text, isEnd))
/** Splits a text into certain code units at its start, the text between, and those at its end. */
export function splitEnds(text: string, isEnd: IsEnd): [string, string, string] {
  const end = endOf(text, isEnd)
  let start = 0
  while (start < end && isEnd(text[start]!)) start += 1
  return [text.slice(0, start), text.slice(start, end), text.slice(end)]
}
export const isSpace = (character: string): boolean => character.trim() === ''
