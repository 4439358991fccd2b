import CallEndRounded from '@mui/icons-material/CallEndRounded'
import MicOffRounded from '@mui/icons-material/MicOffRounded'
import MicRounded from '@mui/icons-material/MicRounded'
import OpenInFullRounded from '@mui/icons-material/OpenInFullRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import { memo, type ReactNode } from 'react'

import { calls, type MyCall } from '#providers/calls/calls.ts'
import { useText } from '#src/kit/useText.ts'

import { CallClock } from './WindowBar.tsx'

function BarButton(props: { label: string; icon: ReactNode; onClick: () => void; isLeaving?: boolean }) {
  return (
    <Tooltip title={props.label}>
      <IconButton
        aria-label={props.label}
        onClick={props.onClick}
        sx={{
          width: 44,
          height: 44,
          ...(props.isLeaving && { '&, &:hover': { bgcolor: 'error.main', color: 'error.contrastText' } }),
        }}
      >
        {props.icon}
      </IconButton>
    </Tooltip>
  )
}

interface Props extends Pick<MyCall, 'title' | 'status' | 'startedAt'> {
  /** True while the microphone is on; null if the engine has its own controls. */
  audio: boolean | null
}

/** A minimised window: microphone, restore and leave. */
export const MinimisedBar = memo(function MinimisedBar({ title, status, startedAt, audio }: Props) {
  const text = useText()
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5, minHeight: 56, pl: 2, pr: 1 }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="h4" component="h2" noWrap dir="auto">
          {title}
        </Typography>
        <CallClock status={status} startedAt={startedAt} />
      </Box>
      {audio !== null && (
        <BarButton
          label={text(audio ? 'callWindow.mute' : 'callWindow.unmute')}
          icon={audio ? <MicRounded /> : <MicOffRounded />}
          onClick={() => void calls.setAudio(!audio)}
        />
      )}
      <BarButton
        label={text('callWindow.restore')}
        icon={<OpenInFullRounded />}
        onClick={() => calls.toggleWindow()}
      />
      <BarButton
        label={text('callWindow.leaveCall')}
        icon={<CallEndRounded />}
        onClick={() => void calls.leave()}
        isLeaving
      />
    </Box>
  )
})
