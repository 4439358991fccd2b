import { useEffect, useState } from 'react'

import { lineOf } from '#providers/chat/plainText.ts'
import { useChat, useChatPeople } from '#providers/chat/useChat.ts'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { useText } from '#src/kit/useText.ts'

/** Reads new messages of the open room aloud, for screen readers. */
export function Announcer({ roomId }: { roomId: string }) {
  const text = useText()
  const chat = useChat()
  const { nameOf, nameByEmail } = useChatPeople()
  const [said, setSaid] = useState<{ user: string; html: string }>()
  useEffect(
    () =>
      chat.onArrival(({ message }) => {
        if (message.roomId === roomId) setSaid({ user: message.user, html: message.text })
      }),
    [chat, roomId],
  )
  return (
    <div role="log" aria-live="polite" style={visuallyHidden}>
      {said &&
        text('chat.said', {
          name: nameOf(said.user),
          text: lineOf(said.html, nameByEmail) || text('chat.aFile'),
        })}
    </div>
  )
}
