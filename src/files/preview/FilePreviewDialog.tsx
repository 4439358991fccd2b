import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'

import { filesApi } from '#contract/files/api.ts'
import type { StorageItem } from '#contract/files/schema.ts'
import { wholeName } from '#contract/kit/files.ts'
import { call } from '#providers/api.ts'
import { HttpProblem, NO_ANSWER, problemOf, statusOf } from '#providers/problem.ts'
import { apiUrl } from '#providers/session.ts'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { useText } from '#src/kit/useText.ts'
import { FilePreview } from '#src/attachments/preview/FilePreview.tsx'
import { PreviewDialog } from '#src/attachments/preview/PreviewDialog.tsx'
import { NotPreviewed, PreviewState } from '#src/attachments/preview/PreviewState.tsx'
import { useCanPreview } from '#src/attachments/preview/useCanPreview.ts'

import { useDownload } from '../useDownload.ts'

/** Fetches the content, or one page of an image that the server converts, by its ticket URL. */
async function fetchContent(url: string, page?: number): Promise<Blob> {
  const response = await fetch(page === undefined ? url : `${url}?page=${page}`).catch(() => {
    throw new HttpProblem(NO_ANSWER, 0)
  })
  if (!response.ok) throw await problemOf(response)
  return response.blob()
}

function TicketedPreview({ item }: { item: StorageItem }) {
  const text = useText()
  const ticket = useQuery({
    queryKey: ['file-preview', item.id, item.fileVersion],
    queryFn: () => call(filesApi.preview, { params: { id: item.id }, body: {} }),
    // Opening a file again requests a new ticket, so that the history records each view.
    gcTime: 0,
    staleTime: Infinity,
  })
  const url = ticket.data && apiUrl() + ticket.data.path
  const load = useCallback((page?: number) => fetchContent(url!, page), [url])
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

interface Props {
  item: StorageItem
  /** Items of the list, in order. */
  items: readonly StorageItem[]
  onClose: () => void
  onOpen: (item: StorageItem) => void
}

/** A file of the storage in full size (operations §2). */
export function FilePreviewDialog({ item, items, onClose, onOpen }: Props) {
  const { downloadOne } = useDownload()
  const canPreview = useCanPreview()
  return (
    <PreviewDialog
      file={item}
      files={items.filter(({ isFolder }) => !isFolder)}
      onOpen={onOpen}
      onDownload={({ id }) => void downloadOne(id)}
      onClose={onClose}
    >
      {canPreview(item) ? (
        <TicketedPreview key={`${item.id} ${item.fileVersion}`} item={item} />
      ) : (
        <NotPreviewed because="cannot" />
      )}
    </PreviewDialog>
  )
}
