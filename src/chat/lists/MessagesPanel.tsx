import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useNavigate } from 'react-router-dom'

import type { Message } from '#contract/chat/schema.ts'
import type { FoundMessages } from '#providers/chat/provider.ts'
import { useChat } from '#providers/chat/useChat.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { useText } from '#src/kit/useText.ts'

import { FoundMessage } from '../message/FoundMessage.tsx'
import { ListPanel } from './ListPanel.tsx'

interface Props {
  /** Part of the query's key. */
  name: string
  title: string
  /** Said of an empty list. */
  empty: string
  failed: string
  /** A page of messages, which begins after the cursor; undefined begins with the newest. */
  fetchPage: (part: { cursor?: string; signal: AbortSignal }) => Promise<FoundMessages>
  marksOf?: (message: Message) => ReactNode
  actsOf?: (message: Message) => ReactNode
  /** Query of the address that a message opens in its room; by default it leads to the message. */
  openedBy?: (message: Message) => string
}

/** Pages of messages of several rooms in the place of a room. Each opens in its room. */
export function MessagesPanel({
  name,
  title,
  empty,
  failed,
  fetchPage,
  marksOf,
  actsOf,
  openedBy = ({ id }) => `message=${id}`,
}: Props) {
  const text = useText()
  const chat = useChat()
  const navigate = useNavigate()
  const { data, error, isPending, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: ['chat', name],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const page = await fetchPage({ ...(cursor && { cursor }), signal })
      chat.learn(page.people)
      await Promise.all(
        [...new Set(page.messages.map(({ roomId }) => roomId))].map((id) => chat.loadRoom(id)),
      )
      return page
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    // Messages arrive while the list is open, and rooms are read before it is opened again.
    refetchOnMount: 'always',
  })
  useEffect(() => chat.onArrival(() => void refetch()), [chat, refetch])
  const messages = data?.pages.flatMap((page) => page.messages) ?? []
  return (
    <ListPanel title={title} isBusy={isFetching}>
      {isPending && <ListSkeleton phone />}
      {error && messages.length === 0 && (
        <ErrorState error={error} text={failed} onRetry={() => void refetch()} />
      )}
      {data && messages.length === 0 && <EmptyState text={empty} />}
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {messages.map((message) => (
          <Box component="li" key={message.id} sx={{ display: 'flex', alignItems: 'stretch' }}>
            <Box sx={{ flex: 1, minWidth: 0 }}>
              <FoundMessage
                message={message}
                marks={marksOf?.(message)}
                onFollow={() => void navigate(`/chat/${message.roomId}?${openedBy(message)}`)}
              />
            </Box>
            {actsOf?.(message)}
          </Box>
        ))}
      </Box>
      {hasNextPage && (
        <Button size="small" loading={isFetching} onClick={() => void fetchNextPage()} sx={{ m: 1 }}>
          {text('chat.loadMore')}
        </Button>
      )}
    </ListPanel>
  )
}
