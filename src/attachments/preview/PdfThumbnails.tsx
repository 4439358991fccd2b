import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'

import { useText } from '#src/kit/useText.ts'

import { PdfThumbnail } from './PdfPage.tsx'
import type { OpenedPdf } from './pdfValues.ts'

/** Pixels. */
const WIDTH = 112
const STRIP_WIDTH = 160
/** Height of a page's number with the space around it. */
const LABEL = 40

interface Props {
  pdf: OpenedPdf
  /** The page in sight, from 1. */
  page: number
  onPage: (page: number) => void
}

/** The pages in small, beside them. Only visible ones are drawn. */
export function PdfThumbnails({ pdf, page, onPage }: Props) {
  const text = useText()
  const scroller = useRef<HTMLElement>(null)
  // oxlint-disable-next-line react-hooks-js/incompatible-library -- nothing here is memoized by a compiler
  const virtualizer = useVirtualizer({
    count: pdf.document.numPages,
    getScrollElement: () => scroller.current,
    estimateSize: () => Math.round((WIDTH * pdf.height) / pdf.width) + LABEL,
    overscan: 1,
  })
  useEffect(() => virtualizer.scrollToIndex(page - 1), [virtualizer, page])
  return (
    <Box
      component="nav"
      ref={scroller}
      aria-label={text('filePreview.thumbnails')}
      sx={{ flex: 'none', width: STRIP_WIDTH, overflow: 'auto', borderInlineEnd: 1, borderColor: 'divider' }}
    >
      <div style={{ position: 'relative', height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => (
          <ButtonBase
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            aria-label={text('filePreview.goToPage', { page: index + 1 })}
            aria-current={index + 1 === page ? 'page' : undefined}
            onClick={() => onPage(index + 1)}
            sx={{
              position: 'absolute',
              top: 0,
              insetInline: 0,
              display: 'flex',
              flexDirection: 'column',
              gap: 0.5,
              py: 1,
              color: 'text.secondary',
              fontSize: '0.75rem',
              '& canvas': { border: 1, borderColor: 'divider' },
              '&[aria-current]': { color: 'primary.main', fontWeight: 600 },
              '&[aria-current] canvas': { outline: 2, outlineStyle: 'solid', outlineColor: 'primary.main' },
            }}
            style={{ transform: `translateY(${start}px)` }}
          >
            <PdfThumbnail pdf={pdf} number={index + 1} width={WIDTH} />
            {index + 1}
          </ButtonBase>
        ))}
      </div>
    </Box>
  )
}
