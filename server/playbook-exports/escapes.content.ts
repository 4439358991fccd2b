import { isSpace, splitEnds } from '#contract/kit/cut.ts'

const codeOf = (character: string): string => `&#${character.codePointAt(0)};`
/** Characters as references, which no reader trims. */
export const asCodes = (space: string): string => Array.from(space, codeOf).join('')
const INLINE = /[\\`*[\]<]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)/gu
/** Characters that would begin a heading, list, quote, rule, code block, or the second line of a table. */
const BLOCK_START = /^(?:>|[-+=~#|:](?![\p{L}\p{N}]))/u
const NUMBER_START = /^(\d{1,9})([.)])(?=\s|$)/

/** Escapes text within a line of Markdown. */
export const escapedText = (text: string): string => text.replace(INLINE, '\\$&').replaceAll('\r', codeOf)
/** Escapes text at the start of a line. */
export const escapedStart = (text: string): string =>
  escapedText(text).replace(BLOCK_START, '\\$&').replace(NUMBER_START, '$1\\$2')

/** Escapes one line of plain text. Spaces at its ends become character references. */
export function escapedLine(line: string): string {
  const [before, middle, after] = splitEnds(line, isSpace)
  return `${asCodes(before)}${escapedStart(middle)}${asCodes(after)}`
}
/** A text without line breaks, such as a title. */
export const escapedTitle = (title: string): string => escapedLine(title).replaceAll('\n', codeOf)
/** Escapes trailing signs, which would close the heading. */
export const escapedHeading = (title: string): string => escapedTitle(title).replace(/(?<=\s)#+$/, '\\$&')
