import CallRounded from '@mui/icons-material/CallRounded'
import EditRounded from '@mui/icons-material/EditRounded'
import MoreHorizRounded from '@mui/icons-material/MoreHorizRounded'
import NotificationsOffOutlined from '@mui/icons-material/NotificationsOffOutlined'
import StarRounded from '@mui/icons-material/StarRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import type { SvgIconProps } from '@mui/material/SvgIcon'
import { useLocaleState } from 'react-admin'
import { type ComponentType, memo, type MouseEvent, Suspense, useState } from 'react'
import { Link } from 'react-router-dom'

import type { LastMessage, Room } from '#contract/chat/schema.ts'
import { useHasDraft } from '#providers/chat/drafts.ts'
import { withNames } from '#providers/chat/plainText.ts'
import { useChat, useChatPeople } from '#providers/chat/useChat.ts'
import { useSession } from '#providers/session.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useLongPress } from '#src/kit/browser/useLongPress.ts'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import type { MenuPlace } from '#src/kit/list/RowMenu.tsx'
import { MINUTE, useNow } from '#src/kit/time/clock.ts'
import { exactTime } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

import { listTime } from './listTime.ts'
import { RoomIcon } from './RoomIcon.tsx'
import { NAMES_IN_LIST, titleOf } from '../titleValues.ts'

const RoomMenu = lazy(async () => ({ default: (await import('./RoomMenu.tsx')).RoomMenu }))

/** Highest count on the badge, followed by a plus above it (operations §9). */
const BADGE_MAX = 99

interface BadgeProps {
  count: number
  /** Words for screen readers. */
  label: string
  isMention?: boolean
}
/** A count: of mentions with `@` and in the colour of attention, of unread messages in blue. */
export function CountBadge({ count, label, isMention = false }: BadgeProps) {
  return (
    <Box
      component="span"
      sx={{
        flex: 'none',
        minWidth: 20,
        px: 0.75,
        borderRadius: '10px',
        fontSize: '0.75rem',
        lineHeight: '20px',
        fontWeight: 600,
        textAlign: 'center',
        bgcolor: isMention ? 'error.main' : 'primary.main',
        color: isMention ? 'error.contrastText' : 'primary.contrastText',
      }}
    >
      <span aria-hidden>
        {isMention && '@'}
        {count > BADGE_MAX ? `${BADGE_MAX}+` : count}
      </span>
      <span style={visuallyHidden}>{label}</span>
    </Box>
  )
}

interface MarkProps {
  icon: ComponentType<SvgIconProps>
  label: string
  color?: string
}
function Mark({ icon: Icon, label, color = 'text.secondary' }: MarkProps) {
  return (
    <Box component="span" title={label} sx={{ display: 'flex', flex: 'none', color }}>
      <Icon sx={{ fontSize: 16 }} />
      <span style={visuallyHidden}>{label}</span>
    </Box>
  )
}

const oneLine = { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const

/** The newest message in one line, behind its author; a direct message with one person names only oneself. */
function LastLine({ room, message }: { room: Room; message: LastMessage }) {
  const text = useText()
  const { uuid } = useSession()
  const { find, nameOf, nameByEmail } = useChatPeople()
  const isMine = message.user === uuid
  const author = isMine ? text('chat.you') : find(message.user)?.firstName || nameOf(message.user)
  const words = message.deleted
    ? text('chatMessages.deleted')
    : withNames(message.text.replace(/\s+/g, ' '), nameByEmail) || text('chat.aFile')
  const isAlone = room.kind === 'DIRECT_MESSAGE' && room.member_count <= 2 && !isMine
  return (
    <Box component="span" dir="auto" sx={oneLine}>
      {isAlone ? words : text('chat.said', { name: author, text: words })}
    </Box>
  )
}

/** Time of day today, the weekday within the last days, the date before. */
function ListTime({ at }: { at: string }) {
  const [locale] = useLocaleState()
  const now = useNow(MINUTE)
  return (
    <Box component="time" dateTime={at} title={exactTime(locale, Date.parse(at))} sx={{ flex: 'none' }}>
      {listTime(locale, Date.parse(at), now)}
    </Box>
  )
}

function Counts({ room: { membership } }: { room: Room }) {
  const text = useText()
  const { unread, mentions = 0, isMuted } = membership
  return (
    <>
      {mentions > 0 && (
        <CountBadge
          isMention
          count={mentions}
          label={text('chat.mentionsUnread', { smart_count: mentions })}
        />
      )}
      {unread > 0 && !isMuted && (
        <CountBadge count={unread} label={text('chat.unread', { smart_count: unread })} />
      )}
    </>
  )
}

/** The name of a room with its marks and counts, and below them its newest message. */
function Lines({ room, title, hasDraft }: { room: Room; title: string; hasDraft: boolean }) {
  const text = useText()
  const { unread, mentions = 0, isFavourite, isMuted } = room.membership
  const isCalling = mentions > 0 || (unread > 0 && !isMuted)
  return (
    <Box component="span" sx={{ flex: 1, minWidth: 0 }}>
      <span className="room-line">
        <Box
          component="span"
          dir="auto"
          title={title}
          sx={{ ...oneLine, flex: 1, fontWeight: isCalling ? 600 : 400 }}
        >
          {title}
        </Box>
        {isFavourite && <Mark icon={StarRounded} label={text('chat.favourite')} />}
        {isMuted && <Mark icon={NotificationsOffOutlined} label={text('chat.muted')} />}
        {room.callDetails && <Mark icon={CallRounded} label={text('calls.inRoom')} color="success.main" />}
        <Counts room={room} />
      </span>
      {(room.lastMessage || hasDraft) && (
        <span className="room-line">
          {hasDraft && <Mark icon={EditRounded} label={text('chat.draft')} color="primary.main" />}
          {room.lastMessage && (
            <>
              <LastLine room={room} message={room.lastMessage} />
              <Box component="span" sx={{ flex: 1 }} />
              <ListTime at={room.lastMessage.created_at} />
            </>
          )}
        </span>
      )}
    </Box>
  )
}

/** Opens the menu of a room: by its button, by the right button and the menu key, and by a long press. */
function useRoomMenu() {
  const [place, setPlace] = useState<MenuPlace | null>(null)
  const { stop, ...touch } = useLongPress((_, at) => setPlace(at))
  return {
    place,
    open: setPlace,
    close: () => setPlace(null),
    handlers: {
      ...touch,
      onContextMenu: (event: MouseEvent<HTMLElement>) => {
        event.preventDefault()
        stop()
        // The menu key has no pointer.
        const isPointer = event.clientX > 0 || event.clientY > 0
        setPlace(isPointer ? { left: event.clientX, top: event.clientY } : event.currentTarget)
      },
      // The finger that opened the menu does not follow the link.
      onClickCapture: (event: MouseEvent) => place !== null && event.preventDefault(),
    },
  }
}

const rowStyles = {
  position: 'relative',
  '& .room-more': { position: 'absolute', insetInlineEnd: 4, top: 4, bgcolor: 'background.paper' },
  '&:not(:hover, :focus-within) .room-more:not([aria-expanded="true"])': { opacity: 0 },
  '@media (hover: none)': { '& .room-more': { display: 'none' } },
} as const

/** A room in a list: its name and counts, below them its newest message. */
export const RoomRow = memo(function RoomRow({ room, isOpen }: { room: Room; isOpen: boolean }) {
  const text = useText()
  const { lacks } = useChat().provider
  const hasDraft = useHasDraft(room.id) && !isOpen
  const menu = useRoomMenu()
  const title = titleOf(room, NAMES_IN_LIST)
  const hasMenu = !lacks?.has('ownSettings')
  return (
    <Box sx={rowStyles} {...(hasMenu && menu.handlers)}>
      <Box
        component={Link}
        to={`/chat/${room.id}`}
        aria-current={isOpen ? 'page' : undefined}
        sx={(theme) => ({
          display: 'flex',
          alignItems: 'center',
          gap: 1,
          minHeight: { xs: 52, md: 44 },
          px: 1,
          borderRadius: '6px',
          textDecoration: 'none',
          color: room.privileged ? theme.vars.palette.privileged.main : 'text.primary',
          fontSize: { xs: '1rem', md: '0.875rem' },
          '&:hover': { bgcolor: 'action.hover' },
          ...(isOpen && {
            '&, &:hover': {
              bgcolor: `color-mix(in srgb, ${theme.vars.palette.primary.main} 10%, transparent)`,
            },
          }),
          '& .room-line': { display: 'flex', alignItems: 'center', gap: 0.5 },
          '& .room-line + .room-line': { fontSize: '0.75rem', color: 'text.secondary' },
        })}
      >
        <Box component="span" sx={{ display: 'flex', flex: 'none', color: 'text.secondary' }}>
          <RoomIcon room={room} />
        </Box>
        <Lines room={room} title={title} hasDraft={hasDraft} />
      </Box>
      {hasMenu && (
        <IconButton
          className="room-more"
          size="small"
          aria-label={text('chat.settingsOf', { name: title })}
          aria-haspopup="menu"
          aria-expanded={menu.place !== null}
          onClick={({ currentTarget }) => menu.open(currentTarget)}
        >
          <MoreHorizRounded fontSize="small" />
        </IconButton>
      )}
      {menu.place && (
        <Suspense>
          <RoomMenu room={room} title={title} place={menu.place} onClose={menu.close} />
        </Suspense>
      )}
    </Box>
  )
})
