import { useCallback, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'

import { useChat } from '#providers/chat/useChat.ts'

import type { Target } from './useTarget.ts'

/** The thread of the address beside a room, or instead of it where there is no space for both. */
export function useThreadPanel(target: Target | null | undefined, isBeside: boolean) {
  const { lacks } = useChat().provider
  const isOffered = !lacks?.has('threads')
  const [params, setParams] = useSearchParams()
  /** The thread that was opened by its button, which takes the focus. */
  const [asked, setAsked] = useState<string | null>(null)
  const opener = useRef<Element | null>(null)
  const open = useCallback(
    (threadId: string) => {
      opener.current = document.activeElement
      setAsked(threadId)
      setParams((before) => {
        const next = new URLSearchParams(before)
        next.set('thread', threadId)
        return next
      })
    },
    [setParams],
  )
  const linked = target?.thread
  const id = isOffered ? (params.get('thread') ?? linked?.id ?? null) : null
  const close = useCallback(() => {
    // A room that was out of view comes back at the message.
    setParams(isBeside || id === null ? {} : { message: id })
    if (opener.current instanceof HTMLElement) opener.current.focus()
  }, [setParams, isBeside, id])
  return {
    id,
    isAnswering: isBeside && asked === id,
    target: linked && linked.id === id ? linked.sequence : null,
    open: isOffered ? open : undefined,
    close,
  }
}
