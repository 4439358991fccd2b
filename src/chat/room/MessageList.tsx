import ArrowDownwardRounded from '@mui/icons-material/ArrowDownwardRounded'
import ArrowUpwardRounded from '@mui/icons-material/ArrowUpwardRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import type { Theme } from '@mui/material/styles'
import type { VirtualItem } from '@tanstack/react-virtual'
import {
  memo,
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useMemo,
  useRef,
} from 'react'

import type { Room } from '#contract/chat/schema.ts'
import type { ChatMessage, Timeline } from '#providers/chat/timeline.ts'
import { usePending, useTimeline } from '#providers/chat/useChat.ts'
import { useSession } from '#providers/session.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { useText } from '#src/kit/useText.ts'

import { MessageRow, messageRowStyles } from '../message/MessageRow.tsx'
import { DayLine } from './DayLine.tsx'
import { moveBetweenMessages } from './moveBetweenMessages.ts'
import { NewLine } from './NewLine.tsx'
import { type TimelineItem, timelineItems } from './timelineValues.ts'
import { useMessageScroll } from './useMessageScroll.ts'
import { useNewAfter } from './useNewAfter.ts'
import { useReading } from './useReading.ts'

/** Pixels of a row: a text of at most 900, the picture and the gaps. */
const WIDTH = 948

interface RowProps {
  room: Room
  item: TimelineItem
  isMarked: boolean
  onQuote: (message: ChatMessage) => void
  onJump: (sequence: number) => void
}
const Row = memo(function Row({ room, item, isMarked, onQuote, onJump }: RowProps) {
  if (item.kind === 'day') return <DayLine at={item.at} />
  if (item.kind === 'new') return <NewLine />
  return (
    <div className="markable" data-marked={isMarked}>
      <MessageRow
        room={room}
        message={item.message}
        startsGroup={item.startsGroup}
        isLatestOwn={item.isLatestOwn}
        onQuote={onQuote}
        onJump={onJump}
      />
    </div>
  )
})

/** Styles of the list and its rows, set once because scrolling mounts rows in every frame. */
const list = (theme: Theme) => ({
  ...messageRowStyles,
  position: 'relative',
  maxWidth: WIDTH,
  '& > *': { position: 'absolute', top: 0, left: 0, width: '100%' },
  '& .markable': { transition: theme.transitions.create('background-color') },
  '& .markable[data-marked="true"]': { bgcolor: 'action.selected' },
})

interface RowsProps extends Omit<RowProps, 'item' | 'isMarked'> {
  items: readonly TimelineItem[]
  shown: readonly VirtualItem[]
  marked: number | null
  measure: (row: Element | null) => void
}
function Rows({ items, shown, marked, measure, ...row }: RowsProps) {
  return shown.map(({ key, index, start }) => {
    const item = items[index]
    if (!item) return null
    return (
      <div
        key={key}
        ref={measure}
        data-index={index}
        role="listitem"
        style={{ transform: `translateY(${start}px)` }}
      >
        <Row {...row} item={item} isMarked={item.kind === 'message' && item.message.sequence === marked} />
      </div>
    )
  })
}

function JumpButton({
  at,
  icon,
  onClick,
  children,
}: {
  at: 'top' | 'bottom'
  icon: ReactNode
  onClick: () => void
  children: ReactNode
}) {
  return (
    <Button
      size="small"
      variant="contained"
      startIcon={icon}
      onClick={onClick}
      sx={{
        position: 'absolute',
        [at]: 8,
        left: '50%',
        transform: 'translateX(-50%)',
        whiteSpace: 'nowrap',
        boxShadow: 8,
      }}
    >
      {children}
    </Button>
  )
}

interface View {
  newAfter: number | null
  items: readonly TimelineItem[]
  timeline: Timeline
  start: number
}
/** Sequence of the first new message if it is above the view; null otherwise. */
function newAbove({ newAfter, items, timeline, start }: View): number | null {
  if (newAfter === null) return null
  const firstNew = items.findIndex(({ kind }) => kind === 'new')
  const isAbove = firstNew >= 0 ? firstNew < start : timeline.hasOlder && !timeline.hasNewer
  return isAbove ? newAfter + 1 : null
}

/** Imperative methods of the list. */
export interface MessageListHandle {
  readonly jump: (sequence: number) => void
  readonly jumpToEnd: () => void
}
interface Props {
  room: Room
  /** Sequence of the linked message. */
  target: number | null
  onQuote: (message: ChatMessage) => void
  ref: Ref<MessageListHandle>
}

/** The messages of a room. The view stays still while older ones load above, and follows the end if it is there. */
export function MessageList({ room, target, onQuote, ref }: Props) {
  const text = useText()
  const me = useSession().uuid ?? ''
  const timeline = useTimeline(room.id)
  const pending = usePending(room.id)
  const newAfter = useNewAfter(room)
  const items = useMemo(
    () => timelineItems(timeline, { pending, me, newAfter }),
    [timeline, pending, me, newAfter],
  )
  const area = useRef<HTMLDivElement>(null)
  const scroll = useMessageScroll({ room, timeline, items, area, target })
  const { virtualizer, marked, isAtEnd, jump, jumpToEnd } = scroll
  useReading({ room, items, last: virtualizer.range?.endIndex })
  const above = newAbove({ newAfter, items, timeline, start: virtualizer.range?.startIndex ?? 0 })
  useImperativeHandle(ref, () => ({ jump, jumpToEnd }))
  // The sender wants to see the sent message.
  const goToSent = useEffectEvent(jumpToEnd)
  useEffect(() => {
    if (pending.length > 0) goToSent()
  }, [pending.length])

  if (timeline.status === 'failed')
    return <ErrorState error={timeline.error} text={text('chat.messagesFailed')} onRetry={scroll.retry} />
  const { unread } = room.membership
  const isAway = (!isAtEnd || timeline.hasNewer) && timeline.status === 'ready' && items.length > 0
  return (
    <Box sx={{ position: 'relative', flex: 1, minHeight: 0 }}>
      <Box
        ref={area}
        // Makes the scroll area reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={text('chat.messages')}
        role="region"
        onKeyDown={moveBetweenMessages}
        sx={{ height: '100%', overflowY: 'auto', overflowAnchor: 'none', overscrollBehavior: 'contain' }}
      >
        {timeline.status === 'loading' && <ListSkeleton phone />}
        {timeline.status === 'ready' && items.length === 0 && <EmptyState text={text('chat.noMessages')} />}
        <Box role="list" sx={list} style={{ height: virtualizer.getTotalSize() }}>
          <Rows
            room={room}
            items={items}
            shown={virtualizer.getVirtualItems()}
            marked={marked}
            measure={virtualizer.measureElement}
            onQuote={onQuote}
            onJump={jump}
          />
        </Box>
      </Box>
      {above !== null && (
        <JumpButton at="top" icon={<ArrowUpwardRounded />} onClick={() => jump(above)}>
          {text('chat.toFirstNew')}
        </JumpButton>
      )}
      {isAway && (
        <JumpButton at="bottom" icon={<ArrowDownwardRounded />} onClick={jumpToEnd}>
          {unread > 0 ? text('chat.unread', { smart_count: unread }) : text('chat.toLatest')}
        </JumpButton>
      )}
    </Box>
  )
}
