import CallRounded from '@mui/icons-material/CallRounded'
import Box from '@mui/material/Box'
import { memo } from 'react'
import { Link } from 'react-router-dom'

import type { Room } from '#contract/chat/schema.ts'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { useText } from '#src/kit/useText.ts'

import { RoomIcon } from './RoomIcon.tsx'
import { NAMES_IN_LIST, titleOf } from '../titleValues.ts'

/** Highest count on the badge, followed by a plus above it (operations §9). */
const BADGE_MAX = 99

export const RoomRow = memo(function RoomRow({ room, isOpen }: { room: Room; isOpen: boolean }) {
  const text = useText()
  const { unread } = room.membership
  const title = titleOf(room, NAMES_IN_LIST)
  return (
    <Box
      component={Link}
      to={`/chat/${room.id}`}
      aria-current={isOpen ? 'page' : undefined}
      sx={(theme) => ({
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        minHeight: { xs: 44, md: 32 },
        px: 1,
        borderRadius: '6px',
        textDecoration: 'none',
        color: room.privileged ? theme.vars.palette.privileged.main : 'text.primary',
        fontSize: { xs: '1rem', md: '0.875rem' },
        fontWeight: unread > 0 ? 600 : 400,
        '&:hover': { bgcolor: 'action.hover' },
        ...(isOpen && {
          '&, &:hover': {
            bgcolor: `color-mix(in srgb, ${theme.vars.palette.primary.main} 10%, transparent)`,
          },
        }),
      })}
    >
      <Box component="span" sx={{ display: 'flex', flex: 'none', color: 'text.secondary' }}>
        <RoomIcon room={room} />
      </Box>
      <Box
        component="span"
        dir="auto"
        title={title}
        sx={{ flex: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
      >
        {title}
      </Box>
      {room.callDetails && (
        <Box
          component="span"
          title={text('calls.inRoom')}
          sx={{ display: 'flex', flex: 'none', color: 'success.main' }}
        >
          <CallRounded sx={{ fontSize: 18 }} />
          <span style={visuallyHidden}>{text('calls.inRoom')}</span>
        </Box>
      )}
      {unread > 0 && (
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
            bgcolor: 'primary.main',
            color: 'primary.contrastText',
          }}
        >
          <span aria-hidden>{unread > BADGE_MAX ? `${BADGE_MAX}+` : unread}</span>
          <span style={visuallyHidden}>{text('chat.unread', { smart_count: unread })}</span>
        </Box>
      )}
    </Box>
  )
})
