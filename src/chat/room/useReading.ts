import { useEffect, useState } from 'react'

import { useChat, useIsUnreadThread } from '#providers/chat/useChat.ts'

import type { TimelineItem } from './timelineValues.ts'

const isLookedAt = () => !document.hidden && document.hasFocus()

/** True while the page is visible and has the focus. */
function useIsLookedAt(): boolean {
  const [value, setValue] = useState(isLookedAt)
  useEffect(() => {
    const update = () => setValue(isLookedAt())
    document.addEventListener('visibilitychange', update)
    window.addEventListener('focus', update)
    window.addEventListener('blur', update)
    return () => {
      document.removeEventListener('visibilitychange', update)
      window.removeEventListener('focus', update)
      window.removeEventListener('blur', update)
    }
  }, [])
  return value
}

interface Options {
  /** Id of the room or thread, and the number of its last message. */
  id: string
  lastSequence: number
  items: readonly TimelineItem[]
  /** Index of the last row in view. */
  last: number | undefined
}

/** Marks rows in view as read while the page is looked at. */
export function useReading({ id, lastSequence, items, last }: Options) {
  const chat = useChat()
  const looked = useIsLookedAt()
  const shown = last === undefined ? undefined : items[Math.min(last, items.length - 1)]
  const sequence = shown?.kind === 'message' ? shown.message.sequence : 0
  // An own unsent message has no sequence yet, and everything before it is in view.
  const upTo = sequence === Number.MAX_SAFE_INTEGER ? lastSequence : sequence
  // Somebody who begins to take part learns of it after the answer is shown.
  const isUnreadThread = useIsUnreadThread(id)
  useEffect(() => {
    if (looked && upTo > 0) chat.read(id, upTo)
  }, [chat, looked, upTo, id])
  useEffect(() => {
    if (looked && isUnreadThread && upTo > 0) chat.read(id, upTo)
  }, [chat, looked, upTo, id, isUnreadThread])
}
