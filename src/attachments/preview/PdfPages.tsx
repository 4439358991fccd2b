import Box from '@mui/material/Box'
import GlobalStyles from '@mui/material/GlobalStyles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'

import { NARROW } from '#src/kit/layout/breakpoints.ts'
import { useText } from '#src/kit/useText.ts'

import { PdfFind, useFindBar } from './PdfFind.tsx'
import { PdfPage } from './PdfPage.tsx'
import type { PdfMatch } from './pdfSearch.ts'
import { PdfThumbnails } from './PdfThumbnails.tsx'
import { PdfTools, USUAL_ZOOM, ZOOMS } from './PdfTools.tsx'
import type { OpenedPdf } from './pdfValues.ts'
import { usePdfSearch } from './usePdfSearch.ts'

/** Pixels between pages. */
const GAP = 12
/** Pixels of a page's width at zoom 1. */
const PAGE_WIDTH = 800

/** The width of an element, as it changes with the window and what stands beside it. */
function useWidth(initial: number) {
  const element = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(initial)
  useEffect(() => {
    const node = element.current
    if (!node) return undefined
    const measure = () => setWidth(node.clientWidth || initial)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(node)
    return () => observer.disconnect()
  }, [initial])
  return { element, width }
}

/** The drawn pages of a zoom in a scroll area, and the page in sight. */
function usePages(pdf: OpenedPdf, zoom: number) {
  const { element, width: room } = useWidth(PAGE_WIDTH)
  const width = Math.round(Math.min(PAGE_WIDTH, room - 16) * ZOOMS[zoom]!)
  // oxlint-disable-next-line react-hooks-js/incompatible-library -- nothing here is memoized by a compiler
  const virtualizer = useVirtualizer({
    count: pdf.document.numPages,
    getScrollElement: () => element.current,
    estimateSize: () => Math.round((width * pdf.height) / pdf.width) + GAP,
    overscan: 1,
  })
  useEffect(() => virtualizer.measure(), [virtualizer, width])
  const offset = virtualizer.scrollOffset ?? 0
  const page = (virtualizer.getVirtualItems().find(({ end }) => end > offset + GAP)?.index ?? 0) + 1
  return { element, width, virtualizer, page }
}

/** The canvas of pdf.js that measures text. */
const measuring = <GlobalStyles styles={{ '.hiddenCanvasElement': { display: 'none' } }} />

const NONE: readonly PdfMatch[] = []

/** An opened PDF with its tools. Only visible pages are drawn. */
export function PdfPages({ pdf }: { pdf: OpenedPdf }) {
  const text = useText()
  const { numPages } = pdf.document
  const isNarrow = useMediaQuery(NARROW, { noSsr: true })
  const [zoom, setZoom] = useState(USUAL_ZOOM)
  const [hasThumbnails, setThumbnails] = useState(numPages > 1)
  const { element, width, virtualizer, page } = usePages(pdf, zoom)
  const go = (to: number) => virtualizer.scrollToIndex(to - 1, { align: 'start' })
  const field = useRef<HTMLInputElement>(null)
  const bar = useFindBar(field)
  const search = usePdfSearch(pdf)
  const matches = useMemo(() => Map.groupBy(search.matches, ({ page }) => page), [search.matches])
  const current = bar.isOpen ? search.matches[search.current] : undefined
  useEffect(() => {
    // A drawn page scrolls to the match itself.
    if (current && !virtualizer.getVirtualItems().some(({ index }) => index === current.page - 1))
      virtualizer.scrollToIndex(current.page - 1, { align: 'start' })
  }, [virtualizer, current])
  return (
    <Box sx={{ flex: 1, display: 'flex', minWidth: 0, minHeight: 0 }}>
      {measuring}
      {hasThumbnails && !isNarrow && <PdfThumbnails pdf={pdf} page={page} onPage={go} />}
      <Box sx={{ flex: 1, display: 'flex', flexDirection: 'column', minWidth: 0, minHeight: 0 }}>
        {bar.isOpen && (
          <PdfFind
            search={search}
            field={field}
            onClose={() => {
              bar.setOpen(false)
              element.current?.focus()
            }}
          />
        )}
        <Box
          ref={element}
          // Makes the scroll area reachable by keyboard.
          tabIndex={0}
          role="region"
          aria-label={text('filePreview.document')}
          sx={{ flex: 1, minHeight: 0, overflow: 'auto', bgcolor: 'background.default' }}
        >
          <div style={{ position: 'relative', height: virtualizer.getTotalSize(), minWidth: width }}>
            {virtualizer.getVirtualItems().map(({ key, index, start }) => (
              <div
                key={key}
                data-index={index}
                ref={virtualizer.measureElement}
                style={{
                  position: 'absolute',
                  insetInline: 0,
                  top: 0,
                  paddingTop: GAP,
                  transform: `translateY(${start}px)`,
                }}
              >
                <PdfPage
                  pdf={pdf}
                  number={index + 1}
                  width={width}
                  matches={(bar.isOpen && matches.get(index + 1)) || NONE}
                  current={current?.page === index + 1 ? current : undefined}
                />
              </div>
            ))}
          </div>
        </Box>
        <PdfTools
          page={page}
          total={numPages}
          zoom={zoom}
          onPage={go}
          onZoom={setZoom}
          thumbnails={
            isNarrow || numPages === 1
              ? undefined
              : { isOpen: hasThumbnails, toggle: () => setThumbnails(!hasThumbnails) }
          }
          onFind={() => bar.setOpen(true)}
        />
      </Box>
    </Box>
  )
}
