import ArrowBackRounded from '@mui/icons-material/ArrowBackRounded'
import InfoOutlined from '@mui/icons-material/InfoOutlined'
import SearchRounded from '@mui/icons-material/SearchRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import { Suspense } from 'react'
import { Link } from 'react-router-dom'

import type { Room } from '#contract/chat/schema.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { PRIVILEGED_HEADER } from '#src/kit/theme/palette.ts'
import { useText } from '#src/kit/useText.ts'

import { RoomIcon } from '../lists/RoomIcon.tsx'
import { titleOf } from '../titleValues.ts'

// Loaded after the messages.
const CallControl = lazy(async () => ({ default: (await import('../calls/CallControl.tsx')).CallControl }))

export type Panel = 'info' | 'search'
interface Props {
  room: Room
  panel: Panel | null
  onPanel: (panel: Panel) => void
}

/** The name of the room and the buttons of its panels. Crimson from edge to edge while the room is privileged. */
export function RoomHeader({ room, panel, onPanel }: Props) {
  const text = useText()
  const title = titleOf(room)
  const isPrivileged = room.isWarRoom && room.privileged
  const buttons = [
    { panel: 'search', label: text('chat.search'), icon: <SearchRounded /> },
    { panel: 'info', label: text('chat.info'), icon: <InfoOutlined /> },
  ] as const
  return (
    <Box
      component="header"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: { xs: 0, sm: 1 },
        minHeight: 56,
        px: { xs: 0.5, md: 2 },
        borderBottom: 1,
        borderColor: 'divider',
        bgcolor: isPrivileged ? PRIVILEGED_HEADER : 'background.paper',
        color: isPrivileged ? '#FFFFFF' : 'text.primary',
        '& .MuiIconButton-root': { color: 'inherit' },
      }}
    >
      <IconButton
        component={Link}
        to="/chat"
        aria-label={text('chat.back')}
        sx={{ display: { md: 'none' }, width: 44, height: 44 }}
      >
        <ArrowBackRounded />
      </IconButton>
      <RoomIcon room={room} />
      <Box sx={{ flex: 1, minWidth: 0, px: { xs: 0.5, sm: 0 } }}>
        <Typography variant="h3" component="h2" noWrap dir="auto" title={title}>
          {title}
        </Typography>
        <Typography
          variant="caption"
          component="p"
          noWrap
          sx={{ color: isPrivileged ? 'inherit' : 'text.secondary' }}
        >
          {isPrivileged && `${text('chat.privileged')} · `}
          {text('chat.members', { smart_count: room.member_count })}
        </Typography>
      </Box>
      <Suspense fallback={<Box sx={{ flex: 'none', width: room.kind === 'DIRECT_MESSAGE' ? 44 : 72 }} />}>
        <CallControl room={room} />
      </Suspense>
      {buttons.map(({ panel: one, label, icon }) => (
        <Tooltip key={one} title={label}>
          <IconButton
            aria-label={label}
            aria-pressed={panel === one}
            onClick={() => onPanel(one)}
            sx={{ width: 44, height: 44 }}
          >
            {icon}
          </IconButton>
        </Tooltip>
      ))}
    </Box>
  )
}
