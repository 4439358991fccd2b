import { useVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

import type { Timeline } from '#providers/chat/timeline.ts'
import { useChat } from '#providers/chat/useChat.ts'

import type { TimelineItem } from './timelineValues.ts'
import { useMoreNearEdges, useMoved } from './useMoreNearEdges.ts'

/** Pixels from the end within which the list follows new messages. */
const END = 80
/** Milliseconds that a jump's target is highlighted. */
const MARKED_MS = 2_500

type MessageVirtualizer = Virtualizer<HTMLDivElement, Element>
/**
 * True if a resized row moves the scroll position, so that the view stays still. The default does not while
 * somebody scrolls up, when the first loaded row loses its author as older ones load above.
 */
const isAboveView = ({ key, start, end }: VirtualItem, _: number, virtualizer: MessageVirtualizer) =>
  virtualizer.itemSizeCache.has(key)
    ? end <= (virtualizer.scrollOffset ?? 0)
    : start < (virtualizer.scrollOffset ?? 0)

/** Sequence of the highlighted message, and a function that highlights one for a moment. */
function useMark(): [marked: number | null, mark: (sequence: number) => void] {
  const [marked, setMarked] = useState<number | null>(null)
  useEffect(() => {
    if (marked === null) return undefined
    const timer = setTimeout(() => setMarked(null), MARKED_MS)
    return () => clearTimeout(timer)
  }, [marked])
  return [marked, setMarked]
}

const belowOf = ({ scrollHeight, scrollTop, clientHeight }: Element) =>
  scrollHeight - scrollTop - clientHeight

/**
 * Keeps the newest message in view while the composer grows, a file is attached, a keyboard opens, or a narrower room
 * makes the messages higher.
 */
function useHeldEnd(area: RefObject<HTMLDivElement | null>) {
  useEffect(() => {
    const element = area.current
    if (!element || typeof ResizeObserver === 'undefined') return undefined
    let { clientHeight: height, clientWidth: width, scrollTop: top } = element
    // Rows are measured again after the room is.
    let follows = false
    const observer = new ResizeObserver(() => {
      const shrunk = height - element.clientHeight
      const below = belowOf(element)
      if (width !== element.clientWidth) follows = below - shrunk <= END
      height = element.clientHeight
      width = element.clientWidth
      if (follows || (shrunk > 0 && below - shrunk <= END)) element.scrollTop += below
    })
    observer.observe(element)
    if (element.lastElementChild) observer.observe(element.lastElementChild)
    const letGo = () => {
      if (element.scrollTop < top && belowOf(element) > END) follows = false
      top = element.scrollTop
    }
    element.addEventListener('scroll', letGo, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', letGo)
    }
  }, [area])
}

interface Options {
  /** Id of the room or thread. */
  id: string
  timeline: Timeline
  items: readonly TimelineItem[]
  area: RefObject<HTMLDivElement | null>
  target: number | null
}
interface MessageScroll {
  readonly virtualizer: MessageVirtualizer
  /** Sequence of the highlighted message. */
  readonly marked: number | null
  readonly isAtEnd: boolean
  readonly jump: (sequence: number) => void
  readonly jumpToEnd: () => void
  readonly retry: () => void
}

/** Scroll position of the message list, and loading near its edges. */
export function useMessageScroll({ id, timeline, items, area, target }: Options): MessageScroll {
  const chat = useChat()
  const [marked, mark] = useMark()
  /** Target to scroll to once it has loaded: a sequence, or the end. */
  const wanted = useRef<number | 'end' | null>(target ?? 'end')
  const [isMoved, settle] = useMoved(area)
  useHeldEnd(area)
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
  const open = useCallback(
    (to: number | 'end') => {
      wanted.current = to
      void chat.open(id, to === 'end' ? undefined : to)
    },
    [chat, id],
  )
  useEffect(() => open(target ?? 'end'), [open, target])

  // Scrolls to the target once its row has loaded.
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
    mark(to)
  }, [virtualizer, items, status, hasNewer, mark])
  useEffect(arrive, [arrive])
  useMoreNearEdges({
    id,
    area,
    timeline,
    // Calculated now, because the last one is of the messages before those that came above.
    range: virtualizer.calculateRange(),
    count: items.length,
    height: virtualizer.getTotalSize(),
    isMoved,
  })

  const jump = useCallback(
    (sequence: number) => {
      settle()
      open(sequence)
      arrive()
    },
    [settle, open, arrive],
  )
  const jumpToEnd = useCallback(() => {
    settle()
    if (!timeline.hasNewer) return virtualizer.scrollToEnd()
    open('end')
  }, [settle, open, timeline.hasNewer, virtualizer])
  return {
    virtualizer,
    marked,
    isAtEnd: virtualizer.isAtEnd(END),
    jump,
    jumpToEnd,
    retry: () => open('end'),
  }
}
