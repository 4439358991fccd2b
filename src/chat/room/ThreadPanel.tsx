import ArrowBackRounded from '@mui/icons-material/ArrowBackRounded'
import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'

import { messageCan } from '#contract/chat/rules.ts'
import type { Room } from '#contract/chat/schema.ts'
import { useChat, useOpenedThread, useTimeline } from '#providers/chat/useChat.ts'
import { serverNow } from '#providers/serverClock.ts'
import { useSession } from '#providers/session.ts'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { useText } from '#src/kit/useText.ts'
import { useConfig } from '#src/config/useConfig.ts'

import { Composer, type ComposerHandle } from '../composer/Composer.tsx'
import { editKey, startEditing } from '../message/useEditedMessage.ts'
import { titleOf } from '../titleValues.ts'
import { Announcer } from './Announcer.tsx'
import { MessageList, type MessageListHandle } from './MessageList.tsx'
import { ThreadContext } from './threadContext.ts'

interface Props {
  room: Room
  threadId: string
  /** Number of the linked answer. */
  target: number | null
  /** True where the room stays in view. */
  isBeside: boolean
  /** True for a thread that the person opened to answer in. */
  isAnswering: boolean
  onClose: () => void
}

function Header({ room, isBeside, onClose }: Pick<Props, 'room' | 'isBeside' | 'onClose'>) {
  const text = useText()
  return (
    <Box
      component="header"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 0.5,
        minHeight: 56,
        px: isBeside ? 1.5 : 0.5,
        borderBottom: 1,
        borderColor: 'divider',
        bgcolor: 'background.paper',
      }}
    >
      {!isBeside && (
        <IconButton aria-label={text('chat.backToRoom')} onClick={onClose} sx={{ width: 44, height: 44 }}>
          <ArrowBackRounded />
        </IconButton>
      )}
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="h3" component="h2">
          {text('chat.thread')}
        </Typography>
        <Box dir="auto" sx={{ fontSize: '0.75rem', color: 'text.secondary' }} className="room-title">
          {titleOf(room)}
        </Box>
      </Box>
      {isBeside && (
        <IconButton aria-label={text('chat.closeThread')} onClick={onClose} sx={{ width: 44, height: 44 }}>
          <CloseRounded />
        </IconButton>
      )}
    </Box>
  )
}

interface AnsweringProps extends Pick<Props, 'room' | 'threadId' | 'isAnswering' | 'onClose'> {
  list: RefObject<MessageListHandle | null>
  composer: RefObject<ComposerHandle | null>
}
/** The composer of answers, which the room may show as well. */
function Answering({ room, threadId, isAnswering, onClose, list, composer }: AnsweringProps) {
  const text = useText()
  const [isAlsoInRoom, setAlsoInRoom] = useState(false)
  const editLast = useEditLast(threadId)
  return (
    <>
      <Composer
        ref={composer}
        room={room}
        thread={{
          id: threadId,
          // On a phone the keyboard would cover the thread.
          autoFocus: isAnswering,
          isAlsoInRoom,
          onSent: () => setAlsoInRoom(false),
          onEscape: onClose,
        }}
        takesDrops
        onEditLast={() => {
          const sequence = editLast()
          if (sequence !== undefined) list.current?.jump(sequence)
        }}
      />
      <FormControlLabel
        control={<Checkbox size="small" checked={isAlsoInRoom} onChange={(_, is) => setAlsoInRoom(is)} />}
        label={text('chatMessages.alsoInRoom')}
        slotProps={{ typography: { variant: 'body2' } }}
        sx={{ m: 0, mt: -1, px: 1, pb: 0.5, minHeight: { xs: 44, sm: 36 } }}
      />
    </>
  )
}

/** Opens the editor of the caller's last answer. Returns its number; undefined where none can be edited. */
function useEditLast(threadId: string): () => number | undefined {
  const chat = useChat()
  const me = useSession().uuid ?? ''
  const minutes = useConfig()?.messageHistoryEditTimeout ?? 0
  return () => {
    const last = chat
      .timeline(threadId)
      .messages.findLast((message) => messageCan.edit(message, me, { now: serverNow(), minutes }))
    if (last) startEditing(editKey(last.id, true))
    return last?.sequence
  }
}

/** The thread of a message: the message, its answers, and a composer for another one. */
export function ThreadPanel({ room, threadId, target, isBeside, isAnswering, onClose }: Props) {
  const text = useText()
  const chat = useChat()
  const list = useRef<MessageListHandle>(null)
  const composer = useRef<ComposerHandle>(null)
  const open = () => void chat.openThread(threadId, room.id, target ?? undefined)
  useEffect(
    () => void chat.openThread(threadId, room.id, target ?? undefined),
    [chat, threadId, room.id, target],
  )
  const thread = useOpenedThread(threadId)
  const { status, error, hasOlder } = useTimeline(threadId)
  const threads = useMemo(() => ({ isInThread: true, open: () => {} }), [])
  return (
    <ThreadContext value={threads}>
      <Box
        component="section"
        aria-label={text('chat.thread')}
        sx={{
          display: 'flex',
          flexDirection: 'column',
          flex: 1,
          minWidth: 0,
          minHeight: 0,
          [`& [data-message="${threadId}"]`]: { borderBottom: 1, borderColor: 'divider', pb: 1, mb: 0.5 },
          '& .room-title': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
        }}
      >
        <Header room={room} isBeside={isBeside} onClose={onClose} />
        {thread && !thread.hasFirst && !hasOlder && (
          <Box sx={{ p: 1.5, fontStyle: 'italic', color: 'text.secondary' }}>{text('chat.firstRemoved')}</Box>
        )}
        {thread ? (
          <MessageList
            ref={list}
            room={room}
            thread={{ id: threadId, readSequence: thread.readSequence ?? null }}
            target={target}
            onQuote={(message) => composer.current?.reply(message)}
          />
        ) : status === 'failed' ? (
          <ErrorState error={error} text={text('chat.threadFailed')} onRetry={open} />
        ) : (
          <ListSkeleton phone />
        )}
        {thread && !room.isArchived && (
          <Answering
            room={room}
            threadId={threadId}
            isAnswering={isAnswering}
            onClose={onClose}
            list={list}
            composer={composer}
          />
        )}
        <Announcer roomId={room.id} threadId={threadId} isBeside={isBeside} />
      </Box>
    </ThreadContext>
  )
}
