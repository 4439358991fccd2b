import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router-dom'

import { useChat } from '#providers/chat/useChat.ts'

/** Alt, Shift and arrow down opens the next unread room. */
export function useChatKeys(openId: string | undefined) {
  const chat = useChat()
  const navigate = useNavigate()
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' && event.altKey && event.shiftKey) {
      event.preventDefault()
      const lists = (['WAR_ROOM', 'BREAKOUT_ROOM', 'DIRECT_MESSAGE'] as const).flatMap(
        (kind) => chat.list(kind).rooms,
      )
      const at = lists.findIndex(({ id }) => id === openId)
      const next = [...lists.slice(at + 1), ...lists.slice(0, at + 1)].find(
        ({ id, membership }) => id !== openId && membership.unread > 0,
      )
      if (next) void navigate(`/chat/${next.id}`)
    }
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}
