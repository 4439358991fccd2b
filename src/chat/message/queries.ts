import { useQuery } from '@tanstack/react-query'

import type { DownloadedFile } from '#providers/api.ts'
import { useChat } from '#providers/chat/useChat.ts'
import { statusOf } from '#providers/problem.ts'

const KEPT_MS = 5 * 60_000

/** The bytes of a message's file, which never change. */
export function useFile(id: string, { enabled = true } = {}) {
  const { provider } = useChat()
  const query = useQuery<DownloadedFile>({
    queryKey: ['chat', 'file', id],
    queryFn: ({ signal }) => provider.file(id, signal),
    staleTime: Infinity,
    gcTime: KEPT_MS,
    enabled,
  })
  return { ...query, isMissing: statusOf(query.error) === 404 }
}

/** The readers of a message, the first of many; requested on demand. */
export function useReaders(messageId: string, enabled: boolean) {
  const { provider } = useChat()
  return useQuery({
    queryKey: ['chat', 'readers', messageId],
    queryFn: () => provider.readers(messageId),
    enabled,
    staleTime: 0,
  })
}
