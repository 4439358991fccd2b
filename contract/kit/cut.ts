/** Code units of the longest character that people write: a family with skin tones has about thirty. */
export const CHARACTER_MAX = 64
const characters = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** The first `max` code units of a text, or fewer: it ends between two characters as people see them (UAX #29). */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const { index } = characters.segment(text.slice(0, max + CHARACTER_MAX)).containing(max)!
  // A letter below hundreds of marks is cut between its code points.
  return text.slice(0, max - index <= CHARACTER_MAX ? index : max).replace(/[\uD800-\uDBFF]$/, '')
}

/** The first characters of a text as people see them; those of more than a few code units on average are fewer. */
export function firstCharacters(text: string, count: number): string[] {
  const start = cut(text, 4 * count + CHARACTER_MAX)
  return Array.from(characters.segment(start), ({ segment }) => segment).slice(0, count)
}

type IsEnd = (character: string) => boolean
/** Position behind the last code unit that is no end. Linear, as `/[ends]+$/` is not: it tries again at each of them. */
function endOf(text: string, isEnd: IsEnd): number {
  let end = text.length
  while (end > 0 && isEnd(text[end - 1]!)) end -= 1
  return end
}
/** A text without certain code units at its end. */
export const withoutEnd = (text: string, isEnd: IsEnd): string => text.slice(0, endOf(text, isEnd))
/** A text in three: certain code units at its beginning, the text without these ends, and those at its end. */
export function splitEnds(text: string, isEnd: IsEnd): [string, string, string] {
  const end = endOf(text, isEnd)
  let start = 0
  while (start < end && isEnd(text[start]!)) start += 1
  return [text.slice(0, start), text.slice(start, end), text.slice(end)]
}
export const isSpace = (character: string): boolean => character.trim() === ''
