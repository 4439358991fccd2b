import CloseRounded from '@mui/icons-material/CloseRounded'
import DownloadRounded from '@mui/icons-material/DownloadRounded'
import Box from '@mui/material/Box'

import type { AttachmentName } from '#contract/attachments/schema.ts'
import { wholeName } from '#contract/kit/files.ts'
import { useText } from '#src/kit/useText.ts'
import { useAttachedPreview } from './preview/useAttachedPreview.tsx'
import { useCanPreview } from './preview/useCanPreview.ts'

import { FileIcon } from './FileIcon.tsx'
import { fetchAttachment, useDownload } from './useAttachments.ts'

interface Props {
  files: readonly AttachmentName[]
  /** Detaches a file from its task or update. */
  onDetach?: (file: AttachmentName) => void
}

/** Plain buttons: MUI's are too heavy for a long list. */
const chips = {
  display: 'flex',
  flexWrap: 'wrap',
  gap: 0.75,
  m: 0,
  p: 0,
  listStyle: 'none',
  '& li': {
    display: 'flex',
    maxWidth: '100%',
    border: 1,
    borderColor: 'divider',
    borderRadius: '6px',
    color: 'text.secondary',
  },
  '& button': {
    display: 'flex',
    alignItems: 'center',
    gap: 0.5,
    minWidth: 0,
    minHeight: 32,
    px: 1,
    border: 0,
    borderRadius: '6px',
    bgcolor: 'transparent',
    color: 'inherit',
    font: 'inherit',
    fontSize: '0.8125rem',
    textAlign: 'start',
    cursor: 'pointer',
    '&:hover': { bgcolor: 'action.hover' },
    '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main' },
  },
  '& svg': { flex: 'none', fontSize: 16 },
  '& button > span': {
    display: '-webkit-box',
    WebkitBoxOrient: 'vertical',
    WebkitLineClamp: 2,
    overflow: 'hidden',
    color: 'text.primary',
    overflowWrap: 'anywhere',
  },
} as const

/** The files of a task or an update: a click previews a file, or downloads it. */
export function FileChips({ files, onDetach }: Props) {
  const text = useText()
  const download = useDownload()
  const canPreview = useCanPreview()
  const isShown = ({ extension }: AttachmentName) => canPreview({ extension, size: 0 })
  const preview = useAttachedPreview({
    files: files.filter(isShown),
    fetchFile: fetchAttachment,
    onDownload: (id) => void download(id),
  })
  if (files.length === 0) return null
  return (
    <>
      <Box component="ul" aria-label={text('attachments.attached')} sx={chips}>
        {files.map((file) => {
          const name = wholeName(file)
          const label = (
            <>
              <FileIcon extension={file.extension} />
              <span>
                <bdi>{name}</bdi>
              </span>
            </>
          )
          return (
            <li key={file.id}>
              {isShown(file) && (
                <button
                  type="button"
                  aria-haspopup="dialog"
                  aria-label={text('attachments.open', { name })}
                  title={text('attachments.open', { name })}
                  onClick={() => preview.open(file.id)}
                >
                  {label}
                </button>
              )}
              <button
                type="button"
                aria-label={text('attachments.download', { name })}
                title={text('attachments.download', { name })}
                onClick={() => void download(file.id)}
              >
                {isShown(file) ? <DownloadRounded /> : label}
              </button>
              {onDetach && (
                <button
                  type="button"
                  aria-label={text('attachments.detach', { name })}
                  title={text('attachments.detach', { name })}
                  onClick={() => onDetach(file)}
                >
                  <CloseRounded />
                </button>
              )}
            </li>
          )
        })}
      </Box>
      {preview.element}
    </>
  )
}
