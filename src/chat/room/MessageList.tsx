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
  useCallback,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useMemo,
  useRef,
} from 'react'

import type { Room } from '#contract/chat/schema.ts'
import type { ChatMessage, Timeline } from '#providers/chat/timeline.ts'
import { useChat, usePending, useTimeline } from '#providers/chat/useChat.ts'
import { useSession } from '#providers/session.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { useText } from '#src/kit/useText.ts'

import { MessageRow, messageRowStyles } from '../message/MessageRow.tsx'
import { DayLine } from './DayLine.tsx'
import { moveBetweenMessages } from './moveBetweenMessages.ts'
import { NewLine } from './NewLine.tsx'
import { useThreads } from './threadContext.ts'
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
  onJump: (sequence: number, messageId: string) => void
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

/** Jumps to the newest message, and says how many are unread. */
function EndButton({ unread, onClick }: { unread: number; onClick: () => void }) {
  const text = useText()
  return (
    <JumpButton at="bottom" icon={<ArrowDownwardRounded />} onClick={onClick}>
      {unread > 0 ? text('chat.unread', { smart_count: unread }) : text('chat.toLatest')}
    </JumpButton>
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
  /** The thread whose messages are shown, and the place of the person in it; absent for those of the room. */
  thread?: { readonly id: string; readonly readSequence: number | null } | undefined
  /** Sequence of the linked message. */
  target: number | null
  onQuote: (message: ChatMessage) => void
  ref: Ref<MessageListHandle>
}

/** Goes to a quoted message of the room or thread. The room opens the thread of one that it does not show. */
function useFollowing(threadId: string | undefined, jump: (sequence: number) => void) {
  const chat = useChat()
  const { open } = useThreads()
  return useCallback(
    (sequence: number, messageId: string) => {
      if (threadId === undefined && sequence > 0) return jump(sequence)
      // A quotation has the number of the room, if any.
      const known = chat.timeline(threadId ?? '').messages.find(({ id }) => id === messageId)
      if (known) return jump(known.sequence)
      chat.provider.message(messageId).then(
        ({ message: { thread } }) => {
          if (threadId !== undefined) jump(thread?.sequence ?? 0)
          else if (thread) open?.(thread.id)
        },
        () => undefined,
      )
    },
    [chat, threadId, jump, open],
  )
}

/** The messages of the room or thread, and the person's place among them. */
function usePlace(room: Room, thread: Props['thread']) {
  const timeline = useTimeline(thread?.id ?? room.id)
  if (!thread)
    return {
      timeline,
      id: room.id,
      label: 'chat.messages',
      lastSequence: room.sequence,
      ...room.membership,
    } as const
  const lastSequence = timeline.messages.at(-1)?.sequence ?? 0
  const readSequence = thread.readSequence ?? lastSequence
  const unread = Math.max(0, lastSequence - readSequence)
  return { timeline, id: thread.id, label: 'chat.answers', lastSequence, readSequence, unread } as const
}

/** The messages of a room or thread. The view stays still while older ones load above, and follows the end if it is there. */
export function MessageList({ room, thread, target, onQuote, ref }: Props) {
  const text = useText()
  const me = useSession().uuid ?? ''
  const { timeline, id, label, lastSequence, unread, readSequence } = usePlace(room, thread)
  const pending = usePending(id)
  const newAfter = useNewAfter({ unread, readSequence })
  const items = useMemo(
    () => timelineItems(timeline, { pending, me, newAfter }),
    [timeline, pending, me, newAfter],
  )
  const area = useRef<HTMLDivElement>(null)
  const scroll = useMessageScroll({ id, timeline, items, area, target })
  const { virtualizer, marked, isAtEnd, jump, jumpToEnd } = scroll
  useReading({ id, lastSequence, items, last: virtualizer.range?.endIndex })
  const above = newAbove({ newAfter, items, timeline, start: virtualizer.range?.startIndex ?? 0 })
  useImperativeHandle(ref, () => ({ jump, jumpToEnd }))
  const follow = useFollowing(id === room.id ? undefined : id, jump)
  // The sender wants to see the sent message.
  const goToSent = useEffectEvent(jumpToEnd)
  useEffect(() => {
    if (pending.length > 0) goToSent()
  }, [pending.length])

  if (timeline.status === 'failed')
    return <ErrorState error={timeline.error} text={text('chat.messagesFailed')} onRetry={scroll.retry} />
  const isReady = timeline.status === 'ready'
  const isAway = isReady && items.length > 0 && (!isAtEnd || timeline.hasNewer)
  return (
    <Box sx={{ position: 'relative', flex: 1, minHeight: 0 }}>
      <Box
        ref={area}
        // Makes the scroll area reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={text(label)}
        role="region"
        onKeyDown={moveBetweenMessages}
        sx={{ height: '100%', overflowY: 'auto', overflowAnchor: 'none', overscrollBehavior: 'contain' }}
      >
        {timeline.status === 'loading' && <ListSkeleton phone />}
        {isReady && items.length === 0 && <EmptyState text={text('chat.noMessages')} />}
        <Box role="list" sx={list} style={{ height: virtualizer.getTotalSize() }}>
          <Rows
            room={room}
            items={items}
            shown={virtualizer.getVirtualItems()}
            marked={marked}
            measure={virtualizer.measureElement}
            onQuote={onQuote}
            onJump={follow}
          />
        </Box>
      </Box>
      {above !== null && (
        <JumpButton at="top" icon={<ArrowUpwardRounded />} onClick={() => jump(above)}>
          {text('chat.toFirstNew')}
        </JumpButton>
      )}
      {isAway && <EndButton unread={unread} onClick={jumpToEnd} />}
    </Box>
  )
}
