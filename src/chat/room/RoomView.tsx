import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import useMediaQuery from '@mui/material/useMediaQuery'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'

import { ARCHIVED_CHAT, type Room } from '#contract/chat/schema.ts'
import { messageCan } from '#contract/chat/rules.ts'
import type { ChatMessage } from '#providers/chat/timeline.ts'
import { useChat } from '#providers/chat/useChat.ts'
import { serverNow } from '#providers/serverClock.ts'
import { useSession } from '#providers/session.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { draftedForm, useKept } from '#src/kit/form/useDraft.ts'
import { useText } from '#src/kit/useText.ts'
import { useConfig } from '#src/config/useConfig.ts'

import { Composer, type ComposerHandle } from '../composer/Composer.tsx'
import { EDIT_ROOM } from '../info/formValues.ts'
import { editedMessage, resumeEditing, startEditing } from '../message/useEditedMessage.ts'
import { Announcer } from './Announcer.tsx'
import { MessageList, type MessageListHandle } from './MessageList.tsx'
import { type Panel, RoomHeader } from './RoomHeader.tsx'
import { TypingLine } from './TypingLine.tsx'

// Loaded on demand: the room does not wait for its panels.
const PANELS = {
  info: lazy(async () => ({ default: (await import('../info/InfoPanel.tsx')).InfoPanel })),
  search: lazy(async () => ({ default: (await import('./SearchPanel.tsx')).SearchPanel })),
} satisfies { readonly [panel in Panel]: unknown }
const PanelDrawer = lazy(async () => ({ default: (await import('./PanelDrawer.tsx')).PanelDrawer }))
/** Width from which a panel stands beside the room. */
const WIDE = '(min-width: 1200px)'
const PANEL_WIDTH = 275

/** Sequence of the message in the address; null for none, undefined while it loads. */
function useTarget(roomId: string): number | null | undefined {
  const chat = useChat()
  const [params] = useSearchParams()
  const id = params.get('message')
  const [found, setFound] = useState<{ id: string; sequence: number | null }>()
  useEffect(() => {
    if (id === null) return undefined
    let isCurrent = true
    chat.provider.message(id).then(
      ({ message, people }) => {
        if (!isCurrent) return
        chat.learn(people)
        setFound({ id, sequence: message.roomId === roomId ? message.sequence : null })
      },
      () => isCurrent && setFound({ id, sequence: null }),
    )
    return () => {
      isCurrent = false
    }
  }, [chat, id, roomId])
  if (id === null) return null
  return found?.id === id ? found.sequence : undefined
}

/** One room: messages, composer, and a panel beside them. */
export function RoomView({ room }: { room: Room }) {
  const text = useText()
  const chat = useChat()
  const isWide = useMediaQuery(WIDE)
  const [panel, setPanel] = useState<Panel | null>(() =>
    draftedForm(EDIT_ROOM) === undefined ? null : 'info',
  )
  const list = useRef<MessageListHandle>(null)
  const composer = useRef<ComposerHandle>(null)
  const target = useTarget(room.id)
  // Kept here, because scrolling unmounts the row of the edited message.
  useKept('edited message', editedMessage, resumeEditing)
  useEffect(() => chat.resumeReading(room.id), [chat, room.id])
  const closePanel = () => setPanel(null)
  const jump = (sequence: number) => {
    if (!isWide) closePanel()
    list.current?.jump(sequence)
  }
  const me = useSession().uuid ?? ''
  const minutes = useConfig()?.messageHistoryEditTimeout ?? 0
  const editLast = () => {
    const now = serverNow()
    const last = chat
      .timeline(room.id)
      .messages.findLast((message) => messageCan.edit(message, me, { now, minutes }))
    if (!last) return
    list.current?.jump(last.sequence)
    startEditing(last.id)
  }
  const quote = (message: ChatMessage) => composer.current?.reply(message)
  const Side = PANELS[panel ?? 'search']
  const side = (
    <Suspense fallback={<Skeleton variant="rounded" height={320} sx={{ m: 2 }} />}>
      <Side room={room} onClose={closePanel} onJump={jump} />
    </Suspense>
  )
  return (
    <Box sx={{ display: 'flex', flex: 1, minWidth: 0, minHeight: 0 }}>
      <Box sx={{ display: 'flex', flexDirection: 'column', flex: 1, minWidth: 0, minHeight: 0 }}>
        <RoomHeader
          room={room}
          panel={panel}
          onPanel={(one) => setPanel((before) => (before === one ? null : one))}
        />
        {target !== undefined && <MessageList ref={list} room={room} target={target} onQuote={quote} />}
        <TypingLine roomId={room.id} />
        {room.isArchived ? (
          <Box
            sx={{ p: 2, borderTop: 1, borderColor: 'divider', color: 'text.secondary', textAlign: 'center' }}
          >
            {ARCHIVED_CHAT}
          </Box>
        ) : (
          <Composer ref={composer} room={room} onEditLast={editLast} />
        )}
        <Announcer roomId={room.id} />
      </Box>
      {panel && isWide && (
        <Box
          component="aside"
          sx={{
            width: PANEL_WIDTH,
            flex: 'none',
            overflowY: 'auto',
            borderLeft: 1,
            borderColor: 'divider',
            bgcolor: 'background.paper',
          }}
        >
          {side}
        </Box>
      )}
      {!isWide && panel && (
        <Suspense>
          <PanelDrawer label={text(`chat.${panel}`)} width={PANEL_WIDTH} onClose={closePanel}>
            {side}
          </PanelDrawer>
        </Suspense>
      )}
    </Box>
  )
}
