import { useQuery, useQueryClient } from '@tanstack/react-query'

import { fileLinksApi } from '#contract/file-links/api.ts'
import type { FileLink } from '#contract/file-links/schema.ts'
import { requestSlice } from '#providers/slice.ts'

/** Below the key of all data about files, so that they are refetched together. */
const LINKS = ['files', 'links']
/** Links in one list; older ones are in the audit log. */
const LINKS_SHOWN = 100

/** Links to one item, or to all items, newest first. */
export const useLinks = (itemId?: number) =>
  useQuery({
    queryKey: [...LINKS, itemId ?? 'all'],
    queryFn: ({ signal }) =>
      requestSlice<FileLink>(fileLinksApi.list, {
        first: 0,
        count: LINKS_SHOWN,
        filter: itemId === undefined ? {} : { itemId },
        signal,
      }),
  })

export function useRefreshLinks(): () => void {
  const client = useQueryClient()
  return () => void client.invalidateQueries({ queryKey: LINKS })
}
