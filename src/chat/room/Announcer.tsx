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
  /** True where the room beside it announces what it shows as well. */
  isBeside?: boolean
}

/** Announces new messages of the open room or thread to screen readers. */
export function Announcer({ roomId, threadId, isBeside = false }: Props) {
  const text = useText()
  const chat = useChat()
  const { nameOf, nameByEmail } = useChatPeople()
  const [said, setSaid] = useState<Message>()
  useEffect(
    () =>
      chat.onArrival(({ message }) => {
        const { sequence, thread } = message
        const isShown =
          threadId === undefined ? sequence > 0 : thread?.id === threadId && !(isBeside && sequence > 0)
        if (message.roomId === roomId && isShown) setSaid(message)
      }),
    [chat, roomId, threadId, isBeside],
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
