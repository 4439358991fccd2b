import ChevronLeftRounded from '@mui/icons-material/ChevronLeftRounded'
import ChevronRightRounded from '@mui/icons-material/ChevronRightRounded'
import CloseRounded from '@mui/icons-material/CloseRounded'
import DownloadRounded from '@mui/icons-material/DownloadRounded'
import Box from '@mui/material/Box'
import Dialog from '@mui/material/Dialog'
import IconButton from '@mui/material/IconButton'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useCallback, useId } from 'react'

import { filesApi } from '#contract/files/api.ts'
import { canPreview } from '#contract/files/rules.ts'
import type { StorageItem } from '#contract/files/schema.ts'
import { wholeName } from '#contract/kit/files.ts'
import { call } from '#providers/api.ts'
import { HttpProblem, NO_ANSWER, statusOf } from '#providers/problem.ts'
import { apiUrl } from '#providers/session.ts'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { useText } from '#src/kit/useText.ts'
import { FileIcon } from '#src/shared/attachments/FileIcon.tsx'
import { FilePreview } from '#src/shared/preview/FilePreview.tsx'
import { NotPreviewed, PreviewState } from '#src/shared/preview/PreviewState.tsx'

import { useFileDownload } from '../useFileDownload.ts'

/** Fetches the content behind a ticket. */
async function fetchContent(url: string): Promise<Blob> {
  const response = await fetch(url).catch(() => {
    throw new HttpProblem(NO_ANSWER, 0)
  })
  if (!response.ok) throw new HttpProblem(response.statusText, response.status)
  return response.blob()
}

/** A file with a ticket to its content. */
function TicketedPreview({ item }: { item: StorageItem }) {
  const text = useText()
  const ticket = useQuery({
    queryKey: ['file-preview', item.id, item.fileVersion],
    queryFn: () => call(filesApi.preview, { params: { id: item.id }, body: {} }),
    // Opened again, the file is looked at again, and the history says so.
    gcTime: 0,
    staleTime: Infinity,
  })
  const url = ticket.data && apiUrl() + ticket.data.path
  const load = useCallback(() => fetchContent(url!), [url])
  if (url === undefined && ticket.error)
    return statusOf(ticket.error) === 415 ? (
      <NotPreviewed because="cannot" />
    ) : (
      <Box sx={{ m: 'auto' }}>
        <ErrorState
          error={ticket.error}
          text={text('filePreview.failed')}
          onRetry={() => void ticket.refetch()}
        />
      </Box>
    )
  if (url === undefined) return <PreviewState state={{ status: 'loading' }} />
  const { extension, size } = item
  return <FilePreview name={wholeName(item)} extension={extension} size={size} load={load} mediaUrl={url} />
}

/** Keys that a player or a text field uses itself. */
const ownKeys = (target: EventTarget) =>
  target instanceof Element && target.closest('input, video, audio, [role="tab"]') !== null

interface Props {
  item: StorageItem
  /** The files and folders of the list, in its order. */
  items: readonly StorageItem[]
  onClose: () => void
  onOpen: (item: StorageItem) => void
}

/** A file in full size, with the way to the other files of the list (operations §2). */
export function PreviewDialog({ item, items, onClose, onOpen }: Props) {
  const text = useText()
  const titleId = useId()
  const download = useFileDownload()
  const files = items.filter(({ isFolder }) => !isFolder)
  const place = files.findIndex(({ id }) => id === item.id)
  const [previous, next] = [files[place - 1], place < 0 ? undefined : files[place + 1]]
  const turn = (event: KeyboardEvent) => {
    const to = event.key === 'ArrowLeft' ? previous : event.key === 'ArrowRight' ? next : undefined
    if (to && !ownKeys(event.target) && !event.altKey && !event.ctrlKey && !event.metaKey) onOpen(to)
  }
  const name = wholeName(item)
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
        <FileIcon extension={item.extension} sx={{ color: 'text.secondary' }} />
        <Box
          id={titleId}
          component="h2"
          title={name}
          dir="auto"
          sx={{
            flex: 1,
            minWidth: 0,
            m: 0,
            mx: 0.5,
            fontSize: '1rem',
            fontWeight: 600,
            overflow: 'hidden',
            textOverflow: 'ellipsis',
            whiteSpace: 'nowrap',
          }}
        >
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
          onClick={() => void download(item.id)}
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
      <Box sx={{ flex: 1, display: 'flex', minHeight: 0, overflow: 'hidden' }}>
        {canPreview(item) ? (
          <TicketedPreview key={`${item.id} ${item.fileVersion}`} item={item} />
        ) : (
          <NotPreviewed because="cannot" />
        )}
      </Box>
    </Dialog>
  )
}
