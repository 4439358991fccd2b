import { useEffect, useRef, useState } from 'react'

import { useDebounced } from '#src/kit/browser/useDebounced.ts'

import { findIn, type PageText, pageText, type PdfMatch, type TextPiece } from './pdfSearch.ts'
import type { OpenedPdf } from './pdfValues.ts'

const MATCHES_MAX = 1_000
const DELAY_MS = 200

export interface PdfSearch {
  readonly words: string
  readonly matches: readonly PdfMatch[]
  /** Index of the match in sight. */
  readonly current: number
  readonly state: 'searching' | 'complete' | 'without text'
  readonly search: (words: string) => void
  /** Goes to the next match, or with -1 to the previous one, round the end. */
  readonly step: (by: 1 | -1) => void
}

interface Found {
  /** Words of these matches. */
  readonly words: string
  readonly matches: readonly PdfMatch[]
  readonly hasText: boolean
  readonly isComplete: boolean
}
const NOTHING: Found = { words: '', matches: [], hasText: true, isComplete: true }

/** Searches the pages of a document one after another, and keeps their text while it is open. */
export function usePdfSearch(pdf: OpenedPdf): PdfSearch {
  const [words, search] = useState('')
  const wanted = useDebounced(words, DELAY_MS)
  const [found, setFound] = useState(NOTHING)
  const [position, setPosition] = useState({ words: '', index: 0 })
  const texts = useRef(new Map<number, PageText>())
  useEffect(() => {
    if (wanted.trim() === '') return undefined
    let isOver = false
    const run = async () => {
      let matches: readonly PdfMatch[] = []
      let hasText = false
      for (let page = 1; page <= pdf.document.numPages && matches.length < MATCHES_MAX; page++) {
        const text = texts.current.get(page) ?? pageText(await piecesOf(pdf, page))
        texts.current.set(page, text)
        if (isOver) return
        hasText ||= text.text !== ''
        const more = findIn(text, wanted, page)
        if (more.length === 0) continue
        matches = [...matches, ...more].slice(0, MATCHES_MAX)
        setFound({ words: wanted, matches, hasText, isComplete: false })
      }
      setFound({ words: wanted, matches, hasText, isComplete: true })
    }
    void run()
    return () => {
      isOver = true
    }
  }, [pdf, wanted])
  const isFound = words === found.words
  const matches = isFound ? found.matches : NOTHING.matches
  const current = position.words === words ? position.index : 0
  const state = found.hasText ? 'complete' : 'without text'
  return {
    words,
    matches,
    current,
    state: isFound && found.isComplete ? state : 'searching',
    search,
    step: (by) => {
      const { length } = matches
      if (length > 0) setPosition({ words, index: (current + by + length) % length })
    },
  }
}

/** The pieces of a page's text; none where the page is damaged. */
async function piecesOf(pdf: OpenedPdf, page: number): Promise<TextPiece[]> {
  try {
    const { items } = await (await pdf.document.getPage(page)).getTextContent()
    return items.filter((item) => 'str' in item)
  } catch {
    return []
  }
}
