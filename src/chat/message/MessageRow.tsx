import BookmarkRounded from '@mui/icons-material/BookmarkRounded'
import GavelRounded from '@mui/icons-material/GavelRounded'
import PushPinRounded from '@mui/icons-material/PushPinRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useLocaleState } from 'react-admin'
import { memo, Suspense, useRef, useState } from 'react'

import type { Room } from '#contract/chat/schema.ts'
import type { ChatMessage } from '#providers/chat/timeline.ts'
import { useChat, useChatPeople, useIsSaved } from '#providers/chat/useChat.ts'
import { useSession } from '#providers/session.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useLongPress } from '#src/kit/browser/useLongPress.ts'
import { Initials } from '#src/kit/layout/Initials.tsx'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { clockTime, exactTime } from '#src/kit/time/formats.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { actStyles, MessageActions } from './MessageActions.tsx'
import { MessageActivities } from './MessageActivities.tsx'
import { MessageFiles } from './MessageFiles.tsx'
import { MessageReactions } from './MessageReactions.tsx'
import { MessageStatus } from './MessageStatus.tsx'
import { MessageText, messageTextStyles } from './MessageText.tsx'
import { QuotationLink } from './QuotedMessage.tsx'
import { ThreadLine } from './ThreadLine.tsx'
import { useThreads } from '../room/threadContext.ts'
import { useCanEdit } from './useCanEdit.ts'
import { editKey, stopEditing, useIsEdited } from './useEditedMessage.ts'

const EditMessage = lazy(async () => ({ default: (await import('./EditMessage.tsx')).EditMessage }))
const ConfirmationBar = lazy(async () => ({
  default: (await import('#src/confirmations/ConfirmationBar.tsx')).ConfirmationBar,
}))
const CallBanner = lazy(async () => ({ default: (await import('../calls/CallBanner.tsx')).CallBanner }))

const AVATAR_SIZE = 36
/** Height in pixels of an ended call's banner while it loads. */
const BANNER_HEIGHT = 66

function useAuthorName(userId: string): string {
  const text = useText()
  const { find, nameOf } = useChatPeople()
  return find(userId) === undefined ? text('chatMessages.userLoading') : nameOf(userId)
}

/** The author's picture, or the time for a later message of a group. */
function Margin({ message, startsGroup }: { message: ChatMessage; startsGroup: boolean }) {
  const [locale] = useLocaleState()
  const { find } = useChatPeople()
  const person = find(message.user)
  const at = Date.parse(message.created_at)
  if (startsGroup)
    return (
      <Initials
        firstName={person?.firstName ?? '?'}
        lastName={person?.lastName ?? ''}
        imageUrl={person?.profileImageUrl ?? null}
        size={AVATAR_SIZE}
      />
    )
  return (
    <time dateTime={message.created_at} title={exactTime(locale, at)} className="later-time">
      {clockTime(locale, at)}
    </time>
  )
}

/** Name of the author, and time of the group's first message. */
function Author({ message }: { message: ChatMessage }) {
  const name = useAuthorName(message.user)
  return (
    <div className="author">
      <span className="author-name">
        <bdi>{name}</bdi>
      </span>
      <span className="author-time">
        <Time at={message.created_at} clock />
      </span>
      {message.privileged && <PrivilegedMark />}
    </div>
  )
}

/** Marks a message sent while its room was privileged. */
function PrivilegedMark() {
  const text = useText()
  return (
    <Box
      component="span"
      title={text('chatMessages.privileged')}
      sx={{ display: 'inline-flex', alignSelf: 'center', color: 'privileged.main' }}
    >
      <GavelRounded sx={{ fontSize: 14 }} />
      <Box component="span" sx={visuallyHidden}>
        {text('chatMessages.privileged')}
      </Box>
    </Box>
  )
}

function PinnedMark({ userId }: { userId: string }) {
  const text = useText()
  const { nameOf } = useChatPeople()
  return (
    <div className="mark">
      <PushPinRounded sx={{ fontSize: 14 }} />
      {text('chatMessages.pinned', { name: nameOf(userId) })}
    </div>
  )
}

function SavedMark({ message }: { message: ChatMessage }) {
  const text = useText()
  if (!useIsSaved(message.id)) return null
  return (
    <div className="mark">
      <BookmarkRounded sx={{ fontSize: 14 }} />
      {text('chatMessages.saved')}
    </div>
  )
}

/** The request to confirm the message, if any. */
function Confirmation({ message: { id, roomId } }: { message: ChatMessage }) {
  const { lacks } = useChat().provider
  if (lacks?.has('confirmations')) return null
  return (
    <Suspense>
      <ConfirmationBar place="ROOM" id={roomId} subjectId={id} />
    </Suspense>
  )
}

/** Actions on a message that could not be sent. */
function Failure({ message }: { message: ChatMessage }) {
  const chat = useChat()
  const text = useText()
  const { clientId, problem, thread, roomId } = message
  const id = thread?.id ?? roomId
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1 }}>
      <Box role="alert" sx={{ fontSize: '0.8125rem', color: 'error.main' }}>
        {text('chatMessages.failed')} {problem}
      </Box>
      <Box className="failed-acts" sx={{ '@media (hover: hover)': { opacity: 0 } }}>
        <Button size="small" onClick={() => chat.retry(id, clientId)}>
          {text('chatMessages.retry')}
        </Button>
        <Button size="small" color="inherit" onClick={() => chat.discard(id, clientId)}>
          {text('chatMessages.discard')}
        </Button>
      </Box>
    </Box>
  )
}

function Files({ message }: { message: ChatMessage }) {
  const { uuid } = useSession()
  const canEdit = useCanEdit(message)
  const isOnlyFile = message.text === '' && message.attachments.length === 1
  return <MessageFiles message={message} canRemove={() => message.user === uuid && (canEdit || isOnlyFile)} />
}

interface Props {
  room: Room
  message: ChatMessage
  /** True for the first message of an author's group. */
  startsGroup: boolean
  /** True for the caller's own latest message, which shows its delivery state. */
  isLatestOwn: boolean
  onQuote: (message: ChatMessage) => void
  onJump: (sequence: number, messageId: string) => void
}

function Content({ room, message, isLatestOwn, onJump }: Omit<Props, 'startsGroup' | 'onQuote'>) {
  const text = useText()
  const { isInThread } = useThreads()
  if (message.deletedAt !== null)
    return (
      <Box sx={{ fontStyle: 'italic', color: 'text.secondary', lineHeight: 1.5 }}>
        {text('chatMessages.deleted')}
      </Box>
    )
  return (
    <>
      {message.replyTo && <QuotationLink quotation={message.replyTo} onJump={onJump} />}
      {message.isCall ? (
        <Suspense fallback={<Box sx={{ height: BANNER_HEIGHT }} />}>
          <CallBanner room={room} message={message} />
        </Suspense>
      ) : (
        message.text !== '' && <MessageText html={message.text} audiences={message.audiences} />
      )}
      {message.editedAt !== null && (
        <Box component="span" sx={{ fontSize: '0.75rem', color: 'text.secondary' }}>
          {text('chatMessages.edited')}
        </Box>
      )}
      {message.attachments.length > 0 && <Files message={message} />}
      {message.reactions.length > 0 && <MessageReactions message={message} />}
      {message.status === 'failed' && <Failure message={message} />}
      {isLatestOwn && !(isInThread && message.status === 'received') && (
        <MessageStatus room={room} message={message} />
      )}
    </>
  )
}

/** Styles of all rows, set once on the list, because scrolling mounts rows in every frame. */
export const messageRowStyles = {
  ...messageTextStyles,
  '& .message': {
    position: 'relative',
    display: 'grid',
    gridTemplateColumns: '48px minmax(0, 1fr)',
    columnGap: 1,
    px: { xs: 1, sm: 2 },
    pt: 0.25,
    pb: 0.25,
    '&[data-starts-group="true"]': { pt: 0.75 },
    '@media (hover: none)': { paddingInlineEnd: '44px' },
    '& > .acts': actStyles,
    '@media (hover: hover)': {
      '&:hover, &:has(:focus-visible)': { bgcolor: 'action.hover' },
      '&:not(:hover, :focus-within) > .acts:not([data-held="true"])': { opacity: 0, pointerEvents: 'none' },
    },
    '&[data-privileged="true"]': { boxShadow: 'inset 3px 0 0 var(--m-palette-privileged-main)' },
    '&[data-failed="true"]': { bgcolor: 'rgba(var(--m-palette-error-mainChannel) / 0.08)' },
    '& > .margin': { display: 'flex', justifyContent: 'flex-end', alignItems: 'flex-start' },
    '& > .content': { minWidth: 0 },
    '& .later-time': {
      fontSize: '0.6875rem',
      lineHeight: '21px',
      color: 'text.secondary',
      whiteSpace: 'nowrap',
      opacity: 0,
    },
    '& .author': {
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'baseline',
      columnGap: 1,
      lineHeight: 1.4,
    },
    '& .mark': {
      display: 'flex',
      alignItems: 'center',
      gap: 0.5,
      fontSize: '0.75rem',
      color: 'text.secondary',
    },
    '& .author-name': { fontWeight: 600, overflowWrap: 'anywhere' },
    '& .author-time': { fontSize: '0.75rem', color: 'text.secondary' },
    '&:hover .later-time, &:focus-within .later-time': { opacity: 1 },
    '@media (hover: none) ': { '& .later-time': { opacity: 1 } },
    '&:hover .failed-acts, &:focus-within .failed-acts': { opacity: 1 },
  },
} as const

/** A message with its actions. */
export const MessageRow = memo(function MessageRow({ onQuote, startsGroup, ...props }: Props) {
  const { room, message } = props
  const name = useAuthorName(message.user)
  const { uuid } = useSession()
  const { isInThread } = useThreads()
  const isEdited = useIsEdited(editKey(message.id, isInThread)) && message.user === uuid
  const [isMet, setMet] = useState(false)
  const more = useRef<HTMLButtonElement>(null)
  const { stop: _, ...touch } = useLongPress(() => more.current?.click())
  const hasActs = message.status === 'received' && message.deletedAt === null && !isEdited
  const isFailed = message.status === 'failed'
  const finishEditing = () => {
    const before = stopEditing()
    // The menu button is mounted again after the editor closes.
    requestAnimationFrame(() => (before ?? more.current)?.focus())
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- shows what the keyboard reaches as well
    <article
      className="message"
      aria-label={name}
      data-message={message.id}
      onMouseEnter={() => setMet(true)}
      onFocus={() => setMet(true)}
      {...touch}
      data-starts-group={startsGroup}
      data-privileged={message.privileged}
      data-failed={isFailed}
    >
      <div className="margin">
        <Margin message={message} startsGroup={startsGroup} />
      </div>
      <div className="content">
        {startsGroup && <Author message={message} />}
        {message.pinned && <PinnedMark userId={message.pinned.user} />}
        <SavedMark message={message} />
        {isEdited ? (
          <Suspense fallback={<Content {...props} />}>
            <EditMessage message={message} onDone={finishEditing} />
          </Suspense>
        ) : (
          <Content {...props} />
        )}
        <MessageActivities message={message} />
        <ThreadLine message={message} />
        {hasActs && <Confirmation message={message} />}
      </div>
      {hasActs && <MessageActions ref={more} room={room} message={message} isMet={isMet} onQuote={onQuote} />}
    </article>
  )
})
