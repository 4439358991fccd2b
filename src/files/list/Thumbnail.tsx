import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import pLimit from 'p-limit'
import { useRef } from 'react'

import { filesApi } from '#contract/files/api.ts'
import { hasThumbnail } from '#contract/files/rules.ts'
import type { StorageItem } from '#contract/files/schema.ts'
import { call } from '#providers/api.ts'
import { statusOf } from '#providers/problem.ts'
import { useMet } from '#src/kit/browser/useMet.ts'
import { BlobImage } from '#src/kit/layout/BlobImage.tsx'

import { ItemIcon } from './ItemIcon.tsx'

/** Pictures are made one after another on the server, so more requests would only wait there. */
const limit = pLimit(2)
const KEPT_MS = 10 * 60_000
const BUSY = 503

/** A small picture of an image, loaded once it is in view, or the icon of a file or folder. Decorative. */
export function Thumbnail({ item }: { item: StorageItem }) {
  const frame = useRef<HTMLDivElement>(null)
  const isMet = useMet(frame)
  const { data } = useQuery({
    queryKey: ['file-thumbnails', item.id, item.fileVersion],
    // A tile that is scrolled out of the page gives its place to others.
    queryFn: ({ signal }) =>
      limit(async () => {
        signal.throwIfAborted()
        const { blob } = await call(filesApi.thumbnail, { params: { id: item.id }, signal })
        return blob
      }),
    enabled: isMet && hasThumbnail(item),
    staleTime: Infinity,
    gcTime: KEPT_MS,
    retry: (count, error) => count < 3 && statusOf(error) === BUSY,
  })
  return (
    <Box
      ref={frame}
      aria-hidden
      sx={{
        display: 'grid',
        placeItems: 'center',
        width: '100%',
        height: '100%',
        overflow: 'hidden',
        '& img': { width: '100%', height: '100%', objectFit: 'cover' },
        '& svg': { fontSize: 44, color: item.isFolder ? 'primary.main' : 'text.secondary' },
      }}
    >
      {data ? <BlobImage bytes={data} /> : <ItemIcon item={item} />}
    </Box>
  )
}
