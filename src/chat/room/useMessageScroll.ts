import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

import type { Room } from '#contract/chat/schema.ts'
import type { Timeline } from '#providers/chat/timeline.ts'
import { useChat } from '#providers/chat/useChat.ts'

import type { TimelineItem } from './timelineValues.ts'

/** Pixels from the end within which the list follows new messages. */
const END = 80
/** Rows from the edge of what is loaded at which more is asked for. */
const NEAR = 8
/** How long a message that was jumped to stands out. */
const MARKED_MS = 2_500

interface Options {
  room: Room
  timeline: Timeline
  items: readonly TimelineItem[]
  area: RefObject<HTMLDivElement | null>
  target: number | null
}
interface MessageScroll {
  readonly virtualizer: Virtualizer<HTMLDivElement, Element>
  /** The sequence of the message that stands out. */
  readonly marked: number | null
  readonly isAtEnd: boolean
  readonly jump: (sequence: number) => void
  readonly jumpToEnd: () => void
  readonly retry: () => void
}

/** Where the list of messages stands, and what is loaded as it moves. */
export function useMessageScroll({ room, timeline, items, area, target }: Options): MessageScroll {
  const chat = useChat()
  const [marked, setMarked] = useState<number | null>(null)
  /** Where to go once it is loaded: a sequence, or the end. */
  const wanted = useRef<number | 'end' | null>(target ?? 'end')
  // oxlint-disable-next-line react/incompatible-library -- what it returns is used in this rendering only
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: items.length,
    getScrollElement: () => area.current,
    estimateSize: (index) => (items[index]?.kind === 'message' ? 56 : 32),
    getItemKey: (index) => items[index]!.key,
    overscan: 8,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: END,
    paddingStart: 8,
    paddingEnd: 8,
  })
  const { id } = room
  const open = useCallback(
    (to: number | 'end') => {
      wanted.current = to
      void chat.open(id, to === 'end' ? undefined : to)
    },
    [chat, id],
  )
  useEffect(() => open(target ?? 'end'), [open, target])

  // Goes to the wanted row once it is loaded.
  const { status, hasNewer } = timeline
  const arrive = useCallback(() => {
    const to = wanted.current
    if (to === null || status !== 'ready') return
    if (to === 'end') {
      if (hasNewer) return
      wanted.current = null
      const firstNew = items.findIndex(({ kind }) => kind === 'new')
      if (firstNew >= 0) virtualizer.scrollToIndex(firstNew, { align: 'center' })
      else virtualizer.scrollToEnd()
      return
    }
    const index = items.findIndex((item) => item.kind === 'message' && item.message.sequence >= to)
    if (index < 0) return
    wanted.current = null
    virtualizer.scrollToIndex(index, { align: 'center' })
    setMarked(to)
  }, [virtualizer, items, status, hasNewer])
  useEffect(arrive, [arrive])
  useEffect(() => {
    if (marked === null) return undefined
    const timer = setTimeout(() => setMarked(null), MARKED_MS)
    return () => clearTimeout(timer)
  }, [marked])

  const { startIndex = NEAR, endIndex = 0 } = virtualizer.range ?? {}
  const isNearStart = startIndex < NEAR && status === 'ready'
  const isNearEnd = endIndex > items.length - NEAR && status === 'ready'
  const first = timeline.messages[0]?.sequence
  const last = timeline.messages.at(-1)?.sequence
  useEffect(() => {
    if (isNearStart && timeline.hasOlder) void chat.loadOlder(id)
  }, [chat, id, isNearStart, first, timeline.hasOlder])
  useEffect(() => {
    if (isNearEnd && timeline.hasNewer) void chat.loadNewer(id)
  }, [chat, id, isNearEnd, last, timeline.hasNewer])

  const jump = useCallback(
    (sequence: number) => {
      open(sequence)
      arrive()
    },
    [open, arrive],
  )
  const jumpToEnd = useCallback(() => {
    if (!timeline.hasNewer) return virtualizer.scrollToEnd()
    open('end')
  }, [open, timeline.hasNewer, virtualizer])
  return {
    virtualizer,
    marked,
    isAtEnd: virtualizer.isAtEnd(END),
    jump,
    jumpToEnd,
    retry: () => open('end'),
  }
}
