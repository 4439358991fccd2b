import ChevronLeftRounded from '@mui/icons-material/ChevronLeftRounded'
import ChevronRightRounded from '@mui/icons-material/ChevronRightRounded'
import CloseRounded from '@mui/icons-material/CloseRounded'
import DownloadRounded from '@mui/icons-material/DownloadRounded'
import Box from '@mui/material/Box'
import Dialog from '@mui/material/Dialog'
import IconButton from '@mui/material/IconButton'
import { type KeyboardEvent, type ReactNode, useId } from 'react'

import { wholeName } from '#contract/kit/files.ts'
import { useText } from '#src/kit/useText.ts'
import { FileIcon } from '../FileIcon.tsx'

export interface PreviewedFile {
  readonly id: string | number
  /** Name without its extension. */
  readonly name: string
  /** Extension without the dot. */
  readonly extension: string
}

/** True for elements that use arrow keys themselves, such as players and text fields. */
const ownKeys = (target: EventTarget) =>
  target instanceof Element && target.closest('input, video, audio, [role="tab"]') !== null
const titleSx = {
  flex: 1,
  minWidth: 0,
  m: 0,
  mx: 0.5,
  fontSize: '1rem',
  fontWeight: 600,
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
} as const

interface Props<File extends PreviewedFile> {
  file: File
  /** The files of the same list, in its order. */
  files: readonly File[]
  onOpen: (file: File) => void
  onDownload: (file: File) => void
  onClose: () => void
  /** The preview of the file. */
  children: ReactNode
}

/** A file in full size. Buttons and arrow keys lead to the other files of its list (operations §2). */
export function PreviewDialog<File extends PreviewedFile>(props: Props<File>) {
  const { file, files, onOpen, onDownload, onClose, children } = props
  const text = useText()
  const titleId = useId()
  const place = files.findIndex(({ id }) => id === file.id)
  const [previous, next] = [files[place - 1], place < 0 ? undefined : files[place + 1]]
  const turn = ({ key, target, altKey, ctrlKey, metaKey }: KeyboardEvent) => {
    const [before, after] = document.dir === 'rtl' ? [next, previous] : [previous, next]
    const to = key === 'ArrowLeft' ? before : key === 'ArrowRight' ? after : undefined
    if (to && !ownKeys(target) && !altKey && !ctrlKey && !metaKey) onOpen(to)
  }
  const name = wholeName(file)
  return (
    <Dialog open fullScreen onClose={onClose} onKeyDown={turn} aria-labelledby={titleId}>
      <Box
        sx={{
          flex: 'none',
          display: 'flex',
          alignItems: 'center',
          gap: 0.5,
          minHeight: 56,
          px: { xs: 1, sm: 2 },
          borderBottom: 1,
          borderColor: 'divider',
        }}
      >
        <FileIcon extension={file.extension} sx={{ color: 'text.secondary' }} />
        <Box id={titleId} component="h2" title={name} dir="auto" sx={titleSx}>
          {name}
        </Box>
        {place >= 0 && files.length > 1 && (
          <>
            <IconButton
              aria-label={text('filePreview.previous')}
              disabled={!previous}
              onClick={() => previous && onOpen(previous)}
            >
              <ChevronLeftRounded />
            </IconButton>
            <Box
              component="span"
              aria-live="polite"
              sx={{ color: 'text.secondary', display: { xs: 'none', sm: 'inline' } }}
            >
              {text('filePreview.position', { position: place + 1, total: files.length })}
            </Box>
            <IconButton
              aria-label={text('filePreview.next')}
              disabled={!next}
              onClick={() => next && onOpen(next)}
            >
              <ChevronRightRounded />
            </IconButton>
          </>
        )}
        <IconButton
          aria-label={text('filePreview.download')}
          title={text('filePreview.download')}
          onClick={() => onDownload(file)}
        >
          <DownloadRounded />
        </IconButton>
        <IconButton
          aria-label={text('filePreview.close')}
          title={text('filePreview.close')}
          onClick={onClose}
        >
          <CloseRounded />
        </IconButton>
      </Box>
      <Box sx={{ flex: 1, display: 'flex', minHeight: 0, overflow: 'hidden' }}>{children}</Box>
    </Dialog>
  )
}
