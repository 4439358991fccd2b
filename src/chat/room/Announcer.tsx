import { useEffect, useState } from 'react'

import type { Message } from '#contract/chat/schema.ts'
import { lineOf } from '#providers/chat/plainText.ts'
import { useChat, useChatPeople } from '#providers/chat/useChat.ts'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { useText } from '#src/kit/useText.ts'

interface Props {
  roomId: string
  /** The thread whose answers are announced; absent for what the room shows. */
  threadId?: string
}

/** Announces new messages of the open room or thread to screen readers. */
export function Announcer({ roomId, threadId }: Props) {
  const text = useText()
  const chat = useChat()
  const { nameOf, nameByEmail } = useChatPeople()
  const [said, setSaid] = useState<Message>()
  useEffect(
    () =>
      chat.onArrival(({ message }) => {
        const isShown = threadId === undefined ? message.sequence > 0 : message.thread?.id === threadId
        if (message.roomId === roomId && isShown) setSaid(message)
      }),
    [chat, roomId, threadId],
  )
  return (
    <div role="log" aria-live="polite" style={visuallyHidden}>
      {said &&
        (said.isCall
          ? text('calls.saidStarted', { name: nameOf(said.user) })
          : text('chat.said', {
              name: nameOf(said.user),
              text: lineOf(said.text, nameByEmail) || text('chat.aFile'),
            }))}
    </div>
  )
}
