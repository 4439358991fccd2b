const BLOCK_END = /<br\s*\/?>|<\/(?:p|li|h[1-6]|pre|blockquote|t[dh])>/gi
const MENTION = /@([^\s@<>()"',;:]+@[^\s@<>()"',;:!?]*[^\s@<>()"',;:!?.])/g
/** The text of a message in one line, with names for mentioned addresses. */
export function lineOf(html: string, nameOf: (email: string) => string): string {
  const { body } = new DOMParser().parseFromString(html.replace(BLOCK_END, '$& '), 'text/html')
  const words = (body.textContent ?? '').replace(/\s+/g, ' ').trim()
  return withNames(words, nameOf)
}
/** A plain text with names for mentioned addresses. */
export const withNames = (plain: string, nameOf: (email: string) => string): string =>
  plain.replace(MENTION, (_, email: string) => `@${nameOf(email)}`)
