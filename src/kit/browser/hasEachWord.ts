const fold = (words: string) => words.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Whether a text holds every word of a search somewhere, whatever their case and accents. */
export function hasEachWord(text: string, search: string): boolean {
  const folded = fold(text)
  return fold(search)
    .split(/\s+/)
    .every((word) => folded.includes(word))
}
