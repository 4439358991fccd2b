import Box from '@mui/material/Box'

import type { Message } from '#contract/chat/schema.ts'
import { useChat, useIsUnreadThread, useKnownRoom } from '#providers/chat/useChat.ts'
import { useText } from '#src/kit/useText.ts'

import { MessagesPanel } from './MessagesPanel.tsx'

/** Marks a mention that was not read yet. */
function UnreadMark({ message }: { message: Message }) {
  const text = useText()
  const room = useKnownRoom(message.roomId)
  const isUnreadThread = useIsUnreadThread(message.thread?.id ?? '')
  const isUnread =
    message.sequence === 0 ? isUnreadThread : room && message.sequence > room.membership.readSequence
  if (!isUnread) return null
  return (
    <Box component="span" sx={{ flex: 'none', fontWeight: 600, color: 'error.main' }}>
      {text('chat.isUnread')}
    </Box>
  )
}

const marksOf = (message: Message) => <UnreadMark message={message} />

/** Messages that mention the person, in all rooms, newest first. */
export function MentionsPanel() {
  const text = useText()
  const { provider } = useChat()
  return (
    <MessagesPanel
      name="mentions"
      title={text('chat.mentions')}
      empty={text('chat.noMentions')}
      failed={text('chat.mentionsFailed')}
      fetchPage={(part) => provider.mentions(part)}
      marksOf={marksOf}
    />
  )
}
