import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'

import { useChat } from '#providers/chat/useChat.ts'

/** The message in the address. */
export interface Target {
  /** Its number in the room; null where the room does not show it. */
  readonly sequence: number | null
  /** The thread that alone shows it, and its number there. */
  readonly thread?: { readonly id: string; readonly sequence: number } | undefined
}
const NOWHERE: Target = { sequence: null }

/** The message in the address of a room; null for none, undefined while it loads. */
export function useTarget(roomId: string): Target | null | undefined {
  const chat = useChat()
  const [params] = useSearchParams()
  const id = params.get('message')
  const [found, setFound] = useState<{ id: string; target: Target }>()
  useEffect(() => {
    if (id === null) return undefined
    let isCurrent = true
    chat.provider.message(id).then(
      ({ message, people }) => {
        if (!isCurrent) return
        chat.learn(people)
        const { sequence, thread } = message
        const target = sequence > 0 ? { sequence } : { sequence: null, thread }
        setFound({ id, target: message.roomId === roomId ? target : NOWHERE })
      },
      () => isCurrent && setFound({ id, target: NOWHERE }),
    )
    return () => {
      isCurrent = false
    }
  }, [chat, id, roomId])
  if (id === null) return null
  return found?.id === id ? found.target : undefined
}
