import { type RefObject, useCallback, useEffect, useState } from 'react'

import type { Timeline } from '#providers/chat/timeline.ts'
import { useChat } from '#providers/chat/useChat.ts'

/** Rows from an edge at which more messages are requested. */
const NEAR = 8
/** Events of somebody moving the list. Screen readers fire none: their arrival at the first row counts. */
const INPUTS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const
type Area = RefObject<HTMLDivElement | null>

/** True once somebody has moved the list; `settle` resets that after the product scrolled it. */
export function useMoved(area: Area): [isMoved: boolean, settle: () => void] {
  const [isMoved, setIsMoved] = useState(false)
  useEffect(() => {
    const element = area.current
    if (!element) return undefined
    const stop = new AbortController()
    const options = { passive: true, signal: stop.signal }
    for (const input of INPUTS) element.addEventListener(input, () => setIsMoved(true), options)
    element.addEventListener('scroll', () => element.scrollTop === 0 && setIsMoved(true), options)
    return () => stop.abort()
  }, [area])
  return [isMoved, useCallback(() => setIsMoved(false), [])]
}

interface Edges {
  id: string
  area: Area
  timeline: Timeline
  /** Indexes of the rows in view. */
  range: { readonly startIndex: number; readonly endIndex: number } | null
  count: number
  /** Height of all rows in pixels. */
  height: number
  isMoved: boolean
}
/**
 * Loads more near the first or last loaded row. Until somebody moves the list, loads only enough to fill the
 * window, so that opening a room takes one page.
 */
export function useMoreNearEdges({ id, area, timeline, range, count, height, isMoved }: Edges) {
  const { status, messages, hasOlder, hasNewer } = timeline
  const chat = useChat()
  const { startIndex = NEAR, endIndex = 0 } = range ?? {}
  const isReady = status === 'ready'
  const isNearStart = startIndex < NEAR && isReady
  const isNearEnd = endIndex > count - NEAR && isReady
  const first = messages[0]?.sequence
  const last = messages.at(-1)?.sequence
  useEffect(() => {
    const isWanted = isMoved || height <= (area.current?.clientHeight ?? 0)
    if (isNearStart && hasOlder && first !== undefined && isWanted) void chat.loadOlder(id)
  }, [chat, id, area, isMoved, height, isNearStart, first, hasOlder])
  useEffect(() => {
    const isWanted = isMoved || height <= (area.current?.clientHeight ?? 0)
    if (isNearEnd && hasNewer && last !== undefined && isWanted) void chat.loadNewer(id)
  }, [chat, id, area, isMoved, height, isNearEnd, last, hasNewer])
}
