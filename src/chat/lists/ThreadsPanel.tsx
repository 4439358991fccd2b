import Box from '@mui/material/Box'
import { useState } from 'react'

import type { Message, ThreadEntry } from '#contract/chat/schema.ts'
import { useChat, useIsUnreadThread } from '#providers/chat/useChat.ts'
import { useText } from '#src/kit/useText.ts'

import { MessagesPanel } from './MessagesPanel.tsx'

/** The number of answers, and a mark while some are unread. */
function ThreadMark({ thread: { id, answers } }: { thread: ThreadEntry }) {
  const text = useText()
  const isUnread = useIsUnreadThread(id)
  return (
    <>
      {isUnread && (
        <Box component="span" sx={{ flex: 'none', fontWeight: 600, color: 'primary.main' }}>
          {text('chat.isUnread')}
        </Box>
      )}
      <Box component="span" sx={{ flex: 'none' }}>
        {text('chatMessages.answers', { smart_count: answers.count })}
      </Box>
    </>
  )
}

/** Threads in which the person takes part, last answered first. */
export function ThreadsPanel() {
  const text = useText()
  const { provider } = useChat()
  const [threads, setThreads] = useState<ReadonlyMap<string, ThreadEntry>>(new Map())
  const marksOf = ({ id }: Message) => {
    const thread = threads.get(id)
    return thread && <ThreadMark thread={thread} />
  }
  return (
    <MessagesPanel
      name="threads"
      title={text('chat.threads')}
      empty={text('chat.noThreads')}
      failed={text('chat.threadsFailed')}
      fetchPage={async (part) => {
        const page = await provider.threads(part)
        setThreads(
          (known) => new Map([...known, ...page.threads.map((one) => [one.messageId, one] as const)]),
        )
        return page
      }}
      openedBy={({ id, thread }) => `thread=${thread?.id ?? id}`}
      marksOf={marksOf}
    />
  )
}
