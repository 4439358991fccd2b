import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import { type RefObject, useEffect, useRef, useState } from 'react'

import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { useText } from '#src/kit/useText.ts'

import { drawPage, layText } from './pdfDrawing.ts'
import { CURRENT_MATCH, mark, MATCH, rangeOf } from './pdfMarks.ts'
import type { PdfMatch } from './pdfSearch.ts'
import type { OpenedPdf } from './pdfValues.ts'

interface Page {
  readonly pdf: OpenedPdf
  readonly number: number
  /** CSS pixels. */
  readonly width: number
}
interface DrawnPage {
  readonly canvas: RefObject<HTMLCanvasElement | null>
  readonly layer: RefObject<HTMLDivElement | null>
  /** Height by width. */
  readonly ratio: number
  /** Parts of the page that are not shown. */
  readonly missing: 'page' | 'pictures' | undefined
  /** Elements of the page's text; undefined until it is there. */
  readonly pieces: readonly HTMLElement[] | undefined
}

function useDrawnPage({ pdf, number, width }: Page, hasText: boolean): DrawnPage {
  const canvas = useRef<HTMLCanvasElement>(null)
  const layer = useRef<HTMLDivElement>(null)
  const [ratio, setRatio] = useState(pdf.height / pdf.width)
  const [missing, setMissing] = useState<DrawnPage['missing']>()
  const [pieces, setPieces] = useState<readonly HTMLElement[]>()
  useEffect(() => {
    const over = new AbortController()
    const { signal } = over
    const draw = async () => {
      const page = await pdf.document.getPage(number)
      if (signal.aborted || !canvas.current) return
      const natural = page.getViewport({ scale: 1 })
      setRatio(natural.height / natural.width)
      const isWhole = await drawPage(canvas.current, { page, width, signal })
      if (signal.aborted) return
      setMissing(isWhole ? undefined : 'pictures')
      if (!hasText || !layer.current) return
      const laid = await layText(layer.current, { page, width, signal })
      if (!signal.aborted) setPieces(laid)
    }
    draw().catch(() => {
      if (!signal.aborted) setMissing('page')
    })
    return () => {
      over.abort()
      setPieces(undefined)
    }
  }, [pdf, number, width, hasText])
  return { canvas, layer, ratio, missing, pieces }
}

/** Text over its picture: invisible, but selected, copied, marked and read aloud. */
const textSx = {
  position: 'absolute',
  inset: 0,
  overflow: 'clip',
  lineHeight: 1,
  direction: 'ltr',
  textAlign: 'initial',
  textSizeAdjust: 'none',
  forcedColorAdjust: 'none',
  transformOrigin: '0 0',
  '--min-font-size': 1,
  '--text-scale-factor': 'calc(var(--total-scale-factor) * var(--min-font-size))',
  '--min-font-size-inv': 'calc(1 / var(--min-font-size))',
  '& :is(span, br)': {
    position: 'absolute',
    color: 'transparent',
    whiteSpace: 'pre',
    cursor: 'text',
    transformOrigin: '0 0',
  },
  '& > span': {
    fontSize: 'calc(var(--text-scale-factor) * var(--font-height, 0))',
    transform: 'rotate(var(--rotate, 0deg)) scaleX(var(--scale-x, 1)) scale(var(--min-font-size-inv))',
  },
  '& ::selection': { backgroundColor: 'rgb(31 95 214 / 0.3)' },
  [`& ::highlight(${MATCH})`]: { backgroundColor: 'rgb(255 196 0 / 0.45)' },
  [`& ::highlight(${CURRENT_MATCH})`]: { backgroundColor: 'rgb(255 110 0 / 0.6)' },
} as const

interface PdfPageProps extends Page {
  readonly matches: readonly PdfMatch[]
  /** The match in sight, if it is on this page. */
  readonly current: PdfMatch | undefined
}

/** One page with its text. Says on the page what could not be drawn of it. */
export function PdfPage({ matches, current, ...page }: PdfPageProps) {
  const text = useText()
  const { canvas, layer, ratio, missing, pieces } = useDrawnPage(page, true)
  useEffect(() => {
    if (!pieces) return undefined
    const ranges = matches.flatMap((match) => rangeOf(pieces, match) ?? [])
    return mark(MATCH, ranges)
  }, [pieces, matches])
  useEffect(() => {
    const range = pieces && current && rangeOf(pieces, current)
    if (!range) return undefined
    range.startContainer.parentElement?.scrollIntoView({ block: 'center', inline: 'nearest' })
    return mark(CURRENT_MATCH, [range])
  }, [pieces, current])
  const { number, pdf, width } = page
  return (
    <Box
      role="group"
      aria-label={text('filePreview.pageOf', { page: number, total: pdf.document.numPages })}
      sx={{ position: 'relative', mx: 'auto', bgcolor: '#fff', boxShadow: 1 }}
      style={{ width, height: Math.round(width * ratio) }}
    >
      <canvas ref={canvas} aria-hidden style={{ display: 'block', width: '100%', height: '100%' }} />
      <Box ref={layer} sx={textSx} />
      {pieces?.length === 0 && <span style={visuallyHidden}>{text('filePreview.pageWithoutText')}</span>}
      {missing && (
        <Alert severity="warning" sx={{ position: 'absolute', top: 8, insetInline: 8 }}>
          {text(missing === 'page' ? 'filePreview.pageNotDrawn' : 'filePreview.picturesNotDrawn')}
        </Alert>
      )}
    </Box>
  )
}

/** The small picture of a page, without its text. */
export function PdfThumbnail(page: Page) {
  const { canvas, ratio } = useDrawnPage(page, false)
  const { width } = page
  return (
    <canvas
      ref={canvas}
      aria-hidden
      style={{ display: 'block', background: '#fff', width, height: Math.round(width * ratio) }}
    />
  )
}
