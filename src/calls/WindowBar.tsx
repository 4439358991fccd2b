import CloseFullscreenRounded from '@mui/icons-material/CloseFullscreenRounded'
import OpenInFullRounded from '@mui/icons-material/OpenInFullRounded'
import OpenWithRounded from '@mui/icons-material/OpenWithRounded'
import PictureInPictureAltRounded from '@mui/icons-material/PictureInPictureAltRounded'
import RemoveRounded from '@mui/icons-material/RemoveRounded'
import ViewSidebarRounded from '@mui/icons-material/ViewSidebarRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import MuiLink from '@mui/material/Link'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import { memo, type ReactNode } from 'react'
import { Link } from 'react-router-dom'

import { calls, type CallView, type MyCall } from '#providers/calls/calls.ts'
import { SECOND, useNow } from '#src/kit/time/clock.ts'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { useText } from '#src/kit/useText.ts'

import type { useDrag } from './useDrag.ts'
import { clockText } from './windowValues.ts'

type ClockProps = Pick<MyCall, 'status' | 'startedAt'>

/** Duration of the call, or the state of this page's connection. */
export const CallClock = memo(function CallClock({ status, startedAt }: ClockProps) {
  const text = useText()
  const now = useNow(SECOND)
  return (
    <Typography variant="caption" component="p" noWrap sx={{ color: 'text.secondary' }}>
      {status === 'connected' ? (
        <span role="timer" aria-live="off">
          <span style={visuallyHidden}>{text('callWindow.elapsed')} </span>
          {clockText(now - Date.parse(startedAt))}
        </span>
      ) : (
        text(`callWindow.status.${status}`)
      )}
    </Typography>
  )
})

function BarButton(props: { label: string; icon: ReactNode; onClick: () => void }) {
  return (
    <Tooltip title={props.label}>
      <IconButton
        aria-label={props.label}
        onClick={props.onClick}
        sx={{ width: { xs: 44, sm: 36 }, height: { xs: 44, sm: 36 } }}
      >
        {props.icon}
      </IconButton>
    </Tooltip>
  )
}

interface Props extends Pick<MyCall, 'title' | 'roomId' | 'status' | 'startedAt'> {
  view: Exclude<CallView, 'minimised'>
  isPhone: boolean
  /** Null unless the window floats. */
  drag: ReturnType<typeof useDrag> | null
}

/** Title, duration and view buttons of the window. Dragging the bar moves a floating window. */
export const WindowBar = memo(function WindowBar(props: Props) {
  const { title, roomId, status, startedAt, view, isPhone, drag } = props
  const text = useText()
  return (
    <Box
      onPointerDown={(event) => {
        if (!(event.target as Element).closest('button, a')) drag?.onPointerDown(event)
      }}
      sx={{
        flex: 'none',
        display: 'flex',
        alignItems: 'center',
        gap: 0.25,
        minHeight: 56,
        pl: 2,
        pr: 1,
        borderBottom: 1,
        borderColor: 'divider',
        ...(drag && { cursor: 'move', touchAction: 'none' }),
      }}
    >
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="h3" component="h2" noWrap dir="auto" title={title}>
          <MuiLink
            component={Link}
            to={`/chat/${roomId}`}
            color="inherit"
            aria-label={text('callWindow.openChat', { title })}
            onClick={() => {
              if (view === 'full' || isPhone) calls.show(isPhone ? 'minimised' : 'side')
            }}
          >
            {title}
          </MuiLink>
        </Typography>
        <CallClock status={status} startedAt={startedAt} />
      </Box>
      {drag && (
        <Tooltip title={`${text('callWindow.move')}. ${text('callWindow.moveText')}.`}>
          <IconButton
            aria-label={text('callWindow.move')}
            onPointerDown={drag.onPointerDown}
            onKeyDown={drag.onKeyDown}
            onClick={drag.toNextCorner}
            sx={{ width: 36, height: 36, cursor: 'move', touchAction: 'none' }}
          >
            <OpenWithRounded />
          </IconButton>
        </Tooltip>
      )}
      {!isPhone && view !== 'side' && (
        <BarButton
          label={text('callWindow.side')}
          icon={<ViewSidebarRounded />}
          onClick={() => calls.show('side')}
        />
      )}
      {!isPhone && view !== 'docked' && (
        <BarButton
          label={text(view === 'full' ? 'callWindow.reduce' : 'callWindow.dock')}
          icon={view === 'full' ? <CloseFullscreenRounded /> : <PictureInPictureAltRounded />}
          onClick={() => calls.show('docked')}
        />
      )}
      {!isPhone && view !== 'full' && (
        <BarButton
          label={text('callWindow.enlarge')}
          icon={<OpenInFullRounded />}
          onClick={() => calls.show('full')}
        />
      )}
      <BarButton
        label={text('callWindow.minimise')}
        icon={<RemoveRounded />}
        onClick={() => calls.show('minimised')}
      />
    </Box>
  )
})
