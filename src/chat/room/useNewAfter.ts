import { useEffect, useState } from 'react'

/**
 * Sequence of the last read message when the room or thread was opened, the page was left, or a message was marked as unread; null
 * without new messages.
 */
export function useNewAfter({
  unread,
  readSequence,
}: {
  unread: number
  readSequence: number
}): number | null {
  const [newAfter, setNewAfter] = useState(unread > 0 ? readSequence : null)
  const [before, setBefore] = useState(readSequence)
  if (readSequence !== before) {
    setBefore(readSequence)
    if (readSequence < before) setNewAfter(readSequence)
  }
  useEffect(() => {
    const left = () => {
      if (document.hidden) setNewAfter(null)
    }
    document.addEventListener('visibilitychange', left)
    return () => document.removeEventListener('visibilitychange', left)
  }, [])
  if (newAfter === null && unread > 0 && document.hidden) setNewAfter(readSequence)
  return newAfter
}
