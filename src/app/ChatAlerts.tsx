import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router-dom'

import type { Message, Room } from '#contract/chat/schema.ts'
import { startAlerts } from '#providers/chat/alerts.ts'
import { chat } from '#providers/chat/chat.ts'
import { useChatPeople } from '#providers/chat/useChat.ts'
import { useText } from '#src/kit/useText.ts'

/**
 * Follows the chat from the start of the session, and alerts the person to mentions and direct messages if
 * they asked for it.
 */
export function ChatAlerts() {
  const text = useText()
  const navigate = useNavigate()
  const { nameOf } = useChatPeople()
  const title = useEffectEvent(({ user }: Message, room: Room) => {
    const name = nameOf(user)
    return room.name === null ? name : text('chat.alert', { name, room: room.name })
  })
  const open = useEffectEvent((address: string) => void navigate(address))
  const file = text('chat.aFile')
  useEffect(() => {
    const stopFollowing = chat.start()
    const stopAlerts = startAlerts({ title: (message, room) => title(message, room), file }, (address) =>
      open(address),
    )
    return () => {
      stopAlerts()
      stopFollowing()
    }
  }, [file])
  return null
}
