import { useVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual'
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

type MessageVirtualizer = Virtualizer<HTMLDivElement, Element>
/**
 * Whether a row that has another height than before moves the scroll position, so that what is in view stays. The default
 * does not while somebody scrolls up, when the first loaded row loses its author as older ones load above.
 */
const isAboveView = ({ key, start, end }: VirtualItem, _: number, virtualizer: MessageVirtualizer) =>
  virtualizer.itemSizeCache.has(key)
    ? end <= (virtualizer.scrollOffset ?? 0)
    : start < (virtualizer.scrollOffset ?? 0)

interface Edges {
  id: string
  timeline: Timeline
  /** Rows in view, and how many there are. */
  range: MessageVirtualizer['range']
  count: number
}
/** Loads more once somebody comes near to the first or the last row that is loaded. */
function useMoreNearEdges({ id, timeline, range, count }: Edges) {
  const { status, messages, hasOlder, hasNewer } = timeline
  const chat = useChat()
  const { startIndex = NEAR, endIndex = 0 } = range ?? {}
  const isNearStart = startIndex < NEAR && status === 'ready'
  const isNearEnd = endIndex > count - NEAR && status === 'ready'
  const first = messages[0]?.sequence
  const last = messages.at(-1)?.sequence
  useEffect(() => {
    if (isNearStart && hasOlder && first !== undefined) void chat.loadOlder(id)
  }, [chat, id, isNearStart, first, hasOlder])
  useEffect(() => {
    if (isNearEnd && hasNewer && last !== undefined) void chat.loadNewer(id)
  }, [chat, id, isNearEnd, last, hasNewer])
}

interface Options {
  room: Room
  timeline: Timeline
  items: readonly TimelineItem[]
  area: RefObject<HTMLDivElement | null>
  target: number | null
}
interface MessageScroll {
  readonly virtualizer: MessageVirtualizer
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
  useEffect(() => {
    virtualizer.shouldAdjustScrollPositionOnItemSizeChange = isAboveView
  }, [virtualizer])
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

  useMoreNearEdges({ id, timeline, range: virtualizer.range, count: items.length })

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
