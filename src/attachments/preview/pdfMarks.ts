import type { PdfMatch } from './pdfSearch.ts'

/** Names of the highlights, for `::highlight()`. */
export const MATCH = 'pdf-match'
export const CURRENT_MATCH = 'pdf-current-match'

/** False in browsers before 2024, which go to a match without marking it. */
const canMark = () => typeof Highlight === 'function' && 'highlights' in CSS

function highlightOf(name: string): Highlight {
  const known = CSS.highlights.get(name)
  if (known) return known
  const added = new Highlight()
  CSS.highlights.set(name, added)
  return added
}

/** The range of a match in the elements of its page; undefined where the page's text is another. */
export function rangeOf(elements: readonly HTMLElement[], { from, to }: PdfMatch): Range | undefined {
  const [first, last] = [elements[from.piece]?.firstChild, elements[to.piece]?.firstChild]
  if (!(first instanceof Text) || !(last instanceof Text)) return undefined
  const range = new Range()
  range.setStart(first, Math.min(from.offset, first.length))
  range.setEnd(last, Math.min(to.offset, last.length))
  return range
}

/** Marks ranges without a change of the document. Returns what removes the marks. */
export function mark(name: string, ranges: readonly Range[]): () => void {
  if (!canMark()) return () => undefined
  const highlight = highlightOf(name)
  for (const range of ranges) highlight.add(range)
  return () => {
    for (const range of ranges) highlight.delete(range)
  }
}
