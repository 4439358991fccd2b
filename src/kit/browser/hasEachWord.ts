const fold = (words: string) => words.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** True if a text contains every word of a search, ignoring case and accents. */
export function hasEachWord(text: string, search: string): boolean {
  const folded = fold(text)
  return fold(search)
    .split(/\s+/)
    .every((word) => folded.includes(word))
}
