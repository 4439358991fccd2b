import AddRounded from '@mui/icons-material/AddRounded'
import RemoveRounded from '@mui/icons-material/RemoveRounded'
import SearchRounded from '@mui/icons-material/SearchRounded'
import ViewSidebarRounded from '@mui/icons-material/ViewSidebarRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import { type FormEvent, useState } from 'react'

import { wholeNumber } from '#contract/kit/numbers.ts'
import { useText } from '#src/kit/useText.ts'

export const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3]
export const USUAL_ZOOM = 2

interface PageFieldProps {
  page: number
  total: number
  onPage: (page: number) => void
}

/** The number of the page in sight, which leads to another one. */
function PageField({ page, total, onPage }: PageFieldProps) {
  const text = useText()
  const [typed, setTyped] = useState<string>()
  const go = (event: FormEvent) => {
    event.preventDefault()
    const wanted = wholeNumber(typed ?? '')
    if (wanted >= 1 && wanted <= total) onPage(wanted)
    setTyped(undefined)
  }
  return (
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
  )
}

interface Props extends PageFieldProps {
  zoom: number
  onZoom: (zoom: number) => void
  /** Undefined where there is no room for thumbnails. */
  thumbnails: { readonly isOpen: boolean; readonly toggle: () => void } | undefined
  onFind: () => void
}

/** The tools below the pages. */
export function PdfTools({ zoom, onZoom, thumbnails, onFind, ...pages }: Props) {
  const text = useText()
  return (
    <Box
      sx={{ flex: 'none', display: 'flex', alignItems: 'center', justifyContent: 'center', gap: 1, py: 0.5 }}
    >
      {thumbnails && (
        <IconButton
          size="small"
          aria-label={text('filePreview.thumbnails')}
          title={text('filePreview.thumbnails')}
          aria-pressed={thumbnails.isOpen}
          color={thumbnails.isOpen ? 'primary' : 'default'}
          onClick={thumbnails.toggle}
        >
          <ViewSidebarRounded sx={{ transform: 'scaleX(-1)' }} />
        </IconButton>
      )}
      <PageField {...pages} />
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
      <IconButton
        size="small"
        aria-label={text('filePreview.find')}
        title={text('filePreview.find')}
        onClick={onFind}
      >
        <SearchRounded />
      </IconButton>
    </Box>
  )
}
