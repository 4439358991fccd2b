import AddRounded from '@mui/icons-material/AddRounded'
import RemoveRounded from '@mui/icons-material/RemoveRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type FormEvent, useEffect, useRef, useState } from 'react'

import { useText } from '#src/kit/useText.ts'

import { type OpenedPdf, openPdf } from './pdfValues.ts'
import { PreviewState } from './PreviewState.tsx'
import { type Load, usePreviewed } from './usePreviewed.ts'

const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3]
const USUAL_ZOOM = 2
/** Pixels between pages. */
const GAP = 12
/** Pixels of a page's width at zoom 1. */
const PAGE_WIDTH = 800
/** Pixels of a canvas above which browsers draw nothing. */
const CANVAS_MAX = 16_000_000

interface PageProps {
  pdf: OpenedPdf
  number: number
  width: number
}

/** Draws one page at the screen's resolution. */
function PdfPage({ pdf, number, width }: PageProps) {
  const text = useText()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [ratio, setRatio] = useState(pdf.height / pdf.width)
  useEffect(() => {
    let stop: (() => void) | undefined
    let isGone = false
    const draw = async () => {
      const page = await pdf.document.getPage(number)
      if (isGone || !canvas.current) return
      const natural = page.getViewport({ scale: 1 })
      setRatio(natural.height / natural.width)
      const height = (width * natural.height) / natural.width
      const density = Math.min(devicePixelRatio || 1, Math.sqrt(CANVAS_MAX / (width * height)))
      const viewport = page.getViewport({ scale: (width / natural.width) * density })
      canvas.current.width = Math.floor(viewport.width)
      canvas.current.height = Math.floor(viewport.height)
      const drawing = page.render({ canvas: canvas.current, viewport })
      stop = () => drawing.cancel()
      await drawing.promise
    }
    // A page that cannot be drawn stays white; the others are shown.
    void draw().catch(() => undefined)
    return () => {
      isGone = true
      stop?.()
    }
  }, [pdf, number, width])
  return (
    <Box
      component="canvas"
      ref={canvas}
      role="img"
      aria-label={text('filePreview.pageOf', { page: number, total: pdf.document.numPages })}
      sx={{ display: 'block', mx: 'auto', bgcolor: '#fff', boxShadow: 1 }}
      style={{ width, height: Math.round(width * ratio) }}
    />
  )
}

interface ToolsProps {
  page: number
  total: number
  zoom: number
  onPage: (page: number) => void
  onZoom: (zoom: number) => void
}

function PdfTools({ page, total, zoom, onPage, onZoom }: ToolsProps) {
  const text = useText()
  const [typed, setTyped] = useState<string>()
  const go = (event: FormEvent) => {
    event.preventDefault()
    const wanted = Number(typed)
    if (Number.isInteger(wanted) && wanted >= 1 && wanted <= total) onPage(wanted)
    setTyped(undefined)
  }
  return (
    <Box
      sx={{ flex: 'none', display: 'flex', alignItems: 'center', justifyContent: 'center', gap: 1, py: 0.5 }}
    >
      <Box component="form" onSubmit={go} sx={{ display: 'flex', alignItems: 'center', gap: 0.5 }}>
        <Box
          component="input"
          aria-label={text('filePreview.page')}
          inputMode="numeric"
          value={typed ?? String(page)}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={() => setTyped(undefined)}
          sx={{
            width: 48,
            height: 32,
            px: 0.5,
            border: 1,
            borderColor: 'background.edge',
            borderRadius: '6px',
            bgcolor: 'transparent',
            color: 'inherit',
            font: 'inherit',
            textAlign: 'end',
          }}
        />
        {text('filePreview.pagesOf', { total })}
      </Box>
      <IconButton
        size="small"
        aria-label={text('filePreview.zoomOut')}
        disabled={zoom === 0}
        onClick={() => onZoom(zoom - 1)}
      >
        <RemoveRounded />
      </IconButton>
      <Box component="span" aria-live="polite">
        {text('filePreview.zoom', { percent: ZOOMS[zoom]! * 100 })}
      </Box>
      <IconButton
        size="small"
        aria-label={text('filePreview.zoomIn')}
        disabled={zoom === ZOOMS.length - 1}
        onClick={() => onZoom(zoom + 1)}
      >
        <AddRounded />
      </IconButton>
    </Box>
  )
}

/** The pages of an opened PDF. Only visible ones are drawn. */
function PdfPages({ pdf }: { pdf: OpenedPdf }) {
  const text = useText()
  const scroller = useRef<HTMLDivElement>(null)
  const [zoom, setZoom] = useState(USUAL_ZOOM)
  const [room, setRoom] = useState(PAGE_WIDTH)
  useEffect(() => {
    setRoom(scroller.current?.clientWidth || PAGE_WIDTH)
    return () => void pdf.document.loadingTask.destroy()
  }, [pdf])
  const width = Math.round(Math.min(PAGE_WIDTH, room - 16) * ZOOMS[zoom]!)
  // oxlint-disable-next-line react-hooks-js/incompatible-library -- nothing here is memoized by a compiler
  const virtualizer = useVirtualizer({
    count: pdf.document.numPages,
    getScrollElement: () => scroller.current,
    estimateSize: () => Math.round((width * pdf.height) / pdf.width) + GAP,
    overscan: 1,
  })
  useEffect(() => virtualizer.measure(), [virtualizer, width])
  const rows = virtualizer.getVirtualItems()
  const offset = virtualizer.scrollOffset ?? 0
  const current = (rows.find(({ end }) => end > offset + GAP)?.index ?? 0) + 1
  return (
    <Box sx={{ flex: 1, display: 'flex', flexDirection: 'column', minWidth: 0, minHeight: 0 }}>
      <Box
        ref={scroller}
        // Makes the scroll area reachable by keyboard.
        tabIndex={0}
        role="region"
        aria-label={text('filePreview.document')}
        sx={{ flex: 1, minHeight: 0, overflow: 'auto', bgcolor: 'background.default' }}
      >
        <div style={{ position: 'relative', height: virtualizer.getTotalSize(), minWidth: width }}>
          {rows.map(({ key, index, start }) => (
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
              <PdfPage pdf={pdf} number={index + 1} width={width} />
            </div>
          ))}
        </div>
      </Box>
      <PdfTools
        page={current}
        total={pdf.document.numPages}
        zoom={zoom}
        onPage={(page) => virtualizer.scrollToIndex(page - 1, { align: 'start' })}
        onZoom={setZoom}
      />
    </Box>
  )
}

export function PdfPreview({ load }: { load: Load }) {
  const state = usePreviewed(load, openPdf)
  if (state.status !== 'ready') return <PreviewState state={state} />
  return <PdfPages pdf={state.value} />
}
