import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'

import type { MessageAttachment } from '#contract/chat/schema.ts'
import { useChat } from '#providers/chat/useChat.ts'
import { FileIcon } from '#src/attachments/FileIcon.tsx'
import { useMet } from '#src/kit/browser/useMet.ts'
import { BlobImage } from '#src/kit/layout/BlobImage.tsx'

/** Bytes above which an image is not fetched for a thumbnail. */
const FETCHED_MAX = 5 * 1_024 * 1_024
const KEPT_MS = 60_000

/** The bytes of an image, once loaded. */
function useImage({ id, type, size }: MessageAttachment, isMet: boolean): Blob | undefined {
  const chat = useChat()
  const { data } = useQuery({
    queryKey: ['chat', 'file', id],
    queryFn: async ({ signal }) => (await chat.provider.file(id, signal)).blob,
    enabled: isMet && type === 'image' && size <= FETCHED_MAX,
    staleTime: Infinity,
    gcTime: KEPT_MS,
    retry: false,
  })
  return data
}

/** Thumbnail of an image, or an icon for other files. Decorative: the name is beside it. */
export function FileThumb({ file, size = 36 }: { file: MessageAttachment; size?: number }) {
  const frame = useRef<HTMLSpanElement>(null)
  const bytes = useImage(file, useMet(frame))
  return (
    <Box
      ref={frame}
      component="span"
      aria-hidden
      sx={{
        flex: 'none',
        display: 'grid',
        placeItems: 'center',
        width: size,
        height: size,
        overflow: 'hidden',
        border: 1,
        borderColor: 'divider',
        borderRadius: '6px',
        color: 'text.secondary',
        '& img': { width: '100%', height: '100%', objectFit: 'cover' },
      }}
    >
      {bytes ? <BlobImage bytes={bytes} /> : <FileIcon extension={file.extension} />}
    </Box>
  )
}
