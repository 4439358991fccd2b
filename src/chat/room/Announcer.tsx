import { useEffect, useState } from 'react'

import { useChat, useChatPeople } from '#providers/chat/useChat.ts'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { useText } from '#src/kit/useText.ts'

const plainOf = (html: string): string =>
  new DOMParser().parseFromString(html, 'text/html').body.textContent?.trim() ?? ''

/** Reads new messages of the open room aloud, for screen readers. */
export function Announcer({ roomId }: { roomId: string }) {
  const text = useText()
  const chat = useChat()
  const { nameOf } = useChatPeople()
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
      {said && text('chat.said', { name: nameOf(said.user), text: plainOf(said.html) || text('chat.aFile') })}
    </div>
  )
}
