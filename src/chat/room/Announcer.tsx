import { useEffect, useState } from 'react'

import type { Message } from '#contract/chat/schema.ts'
import { lineOf } from '#providers/chat/plainText.ts'
import { useChat, useChatPeople } from '#providers/chat/useChat.ts'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { useText } from '#src/kit/useText.ts'

/** Announces new messages of the open room to screen readers. */
export function Announcer({ roomId }: { roomId: string }) {
  const text = useText()
  const chat = useChat()
  const { nameOf, nameByEmail } = useChatPeople()
  const [said, setSaid] = useState<Message>()
  useEffect(
    () =>
      chat.onArrival(({ message }) => {
        if (message.roomId === roomId) setSaid(message)
      }),
    [chat, roomId],
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
