import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type RefObject, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'

import { ARCHIVED_CHAT, type Room } from '#contract/chat/schema.ts'
import { messageCan } from '#contract/chat/rules.ts'
import type { ChatMessage } from '#providers/chat/timeline.ts'
import { useChat } from '#providers/chat/useChat.ts'
import { serverNow } from '#providers/serverClock.ts'
import { useSession } from '#providers/session.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { draftedForm, useKept } from '#src/kit/form/useDraft.ts'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { useText } from '#src/kit/useText.ts'
import { useConfig } from '#src/config/useConfig.ts'

import { Composer, type ComposerHandle } from '../composer/Composer.tsx'
import { EDIT_ROOM } from '../info/formValues.ts'
import { editedMessage, editKey, resumeEditing, startEditing } from '../message/useEditedMessage.ts'
import { Announcer } from './Announcer.tsx'
import { MessageList, type MessageListHandle } from './MessageList.tsx'
import { type Panel, RoomHeader } from './RoomHeader.tsx'
import { ThreadContext } from './threadContext.ts'
import { TypingLine } from './TypingLine.tsx'
import { type Target, useTarget } from './useTarget.ts'
import { useThreadPanel } from './useThreadPanel.ts'

// Loaded on demand: the room does not wait for its panels.
const PANELS = {
  info: lazy(async () => ({ default: (await import('../info/InfoPanel.tsx')).InfoPanel })),
  search: lazy(async () => ({ default: (await import('./SearchPanel.tsx')).SearchPanel })),
} satisfies { readonly [panel in Panel]: unknown }
const PanelDrawer = lazy(async () => ({ default: (await import('./PanelDrawer.tsx')).PanelDrawer }))
const ThreadPanel = lazy(async () => ({ default: (await import('./ThreadPanel.tsx')).ThreadPanel }))
/** Width from which a panel stands beside the room. */
const WIDE = '(min-width: 1200px)'
const PANEL_WIDTH = 275
/** Width from which a thread stands beside the room. */
const WIDE_FOR_THREADS = '(min-width: 1360px)'
const THREAD_WIDTH = 460

/** The messages of a room, and the composer below them. */
function Conversation({ room, target, list, takesDrops }: ConversationProps) {
  const chat = useChat()
  const composer = useRef<ComposerHandle>(null)
  const me = useSession().uuid ?? ''
  const minutes = useConfig()?.messageHistoryEditTimeout ?? 0
  const editLast = () => {
    const now = serverNow()
    const last = chat
      .timeline(room.id)
      .messages.findLast((message) => messageCan.edit(message, me, { now, minutes }))
    if (!last) return
    list.current?.jump(last.sequence)
    startEditing(editKey(last.id, false))
  }
  return (
    <>
      {target !== undefined && (
        <MessageList
          ref={list}
          room={room}
          target={target?.sequence ?? null}
          onQuote={(message: ChatMessage) => composer.current?.reply(message)}
        />
      )}
      <TypingLine roomId={room.id} />
      {room.isArchived ? (
        <Box
          sx={{ p: 2, borderTop: 1, borderColor: 'divider', color: 'text.secondary', textAlign: 'center' }}
        >
          {ARCHIVED_CHAT}
        </Box>
      ) : (
        <Composer ref={composer} room={room} takesDrops={takesDrops} onEditLast={editLast} />
      )}
      <Announcer roomId={room.id} />
    </>
  )
}
interface ConversationProps {
  room: Room
  /** The message in the address; undefined while it loads. */
  target: Target | null | undefined
  list: RefObject<MessageListHandle | null>
  takesDrops: boolean
}

/** One room: messages, composer, and a panel or a thread beside them. */
export function RoomView({ room }: { room: Room }) {
  const text = useText()
  const chat = useChat()
  const isWide = useMediaQuery(WIDE)
  const isBeside = useMediaQuery(WIDE_FOR_THREADS)
  const [, setParams] = useSearchParams()
  const [panel, setPanel] = useState<Panel | null>(() =>
    draftedForm(EDIT_ROOM) === undefined ? null : 'info',
  )
  const list = useRef<MessageListHandle>(null)
  const target = useTarget(room.id)
  const thread = useThreadPanel(target, isBeside)
  // Kept here, because scrolling unmounts the row of the edited message.
  useKept('edited message', editedMessage, resumeEditing)
  useEffect(() => chat.resumeReading(room.id), [chat, room.id])
  const closePanel = () => setPanel(null)
  const jump = (sequence: number, messageId: string) => {
    if (!isWide) closePanel()
    // A message that only its thread shows opens as a link does.
    if (sequence > 0) list.current?.jump(sequence)
    else setParams({ message: messageId })
  }
  const { open } = thread
  const threads = useMemo(() => ({ isInThread: false, open }), [open])
  const Side = PANELS[panel ?? 'search']
  const side = (
    <Suspense fallback={<Skeleton variant="rounded" height={320} sx={{ m: 2 }} />}>
      <Side room={room} onClose={closePanel} onJump={jump} />
    </Suspense>
  )
  const openedThread = thread.id !== null && (
    <Suspense fallback={<ListSkeleton phone />}>
      <ThreadPanel
        key={thread.id}
        room={room}
        threadId={thread.id}
        target={thread.target}
        isBeside={isBeside}
        isAnswering={thread.isAnswering}
        onClose={thread.close}
      />
    </Suspense>
  )
  if (openedThread && !isBeside)
    return <Box sx={{ display: 'flex', flex: 1, minWidth: 0, minHeight: 0 }}>{openedThread}</Box>
  return (
    <Box sx={{ display: 'flex', flex: 1, minWidth: 0, minHeight: 0 }}>
      <Box sx={{ display: 'flex', flexDirection: 'column', flex: 1, minWidth: 0, minHeight: 0 }}>
        <RoomHeader
          room={room}
          panel={openedThread ? null : panel}
          onPanel={(one) => {
            if (openedThread) thread.close()
            setPanel((before) => (before === one && !openedThread ? null : one))
          }}
        />
        <ThreadContext value={threads}>
          <Conversation room={room} target={target} list={list} takesDrops={!openedThread} />
        </ThreadContext>
      </Box>
      {isWide && (panel || openedThread) && (
        <Box
          component="aside"
          sx={{
            display: 'flex',
            flexDirection: 'column',
            width: openedThread ? THREAD_WIDTH : PANEL_WIDTH,
            flex: 'none',
            overflowY: openedThread ? 'hidden' : 'auto',
            borderLeft: 1,
            borderColor: 'divider',
            bgcolor: 'background.paper',
          }}
        >
          {openedThread || side}
        </Box>
      )}
      {!isWide && panel && !openedThread && (
        <Suspense>
          <PanelDrawer label={text(`chat.${panel}`)} width={PANEL_WIDTH} onClose={closePanel}>
            {side}
          </PanelDrawer>
        </Suspense>
      )}
    </Box>
  )
}
