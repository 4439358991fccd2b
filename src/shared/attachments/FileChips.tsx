import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'

import type { AttachmentName } from '#contract/attachments/schema.ts'
import { wholeName } from '#contract/kit/files.ts'
import { useText } from '#src/kit/useText.ts'

import { FileIcon } from './FileIcon.tsx'
import { useDownload } from './useAttachments.ts'

interface Props {
  files: readonly AttachmentName[]
  /** Takes a file off what carries it. */
  onDetach?: (file: AttachmentName) => void
}

/** Plain buttons without the library's machinery, which is too heavy for a long list. */
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

/** The files that a task or an update carries: a click downloads one. */
export function FileChips({ files, onDetach }: Props) {
  const text = useText()
  const download = useDownload()
  if (files.length === 0) return null
  return (
    <Box component="ul" aria-label={text('attachments.attached')} sx={chips}>
      {files.map((file) => {
        const name = wholeName(file)
        return (
          <li key={file.id}>
            <button
              type="button"
              aria-label={text('attachments.download', { name })}
              title={text('attachments.download', { name })}
              onClick={() => void download(file.id)}
            >
              <FileIcon extension={file.extension} />
              <span>
                <bdi>{name}</bdi>
              </span>
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
  )
}
