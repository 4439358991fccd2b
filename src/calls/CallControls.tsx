import CallEndRounded from '@mui/icons-material/CallEndRounded'
import GroupRounded from '@mui/icons-material/GroupRounded'
import MicOffRounded from '@mui/icons-material/MicOffRounded'
import MicRounded from '@mui/icons-material/MicRounded'
import ScreenShareRounded from '@mui/icons-material/ScreenShareRounded'
import SettingsRounded from '@mui/icons-material/SettingsRounded'
import StopScreenShareRounded from '@mui/icons-material/StopScreenShareRounded'
import VideocamOffRounded from '@mui/icons-material/VideocamOffRounded'
import VideocamRounded from '@mui/icons-material/VideocamRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import { memo, type ReactNode } from 'react'

import type { MediaState } from '#contract/calls/schema.ts'
import { calls, type MyCall } from '#providers/calls/calls.ts'
import { useText } from '#src/kit/useText.ts'

interface ControlProps {
  label: string
  icon: ReactNode
  onClick: () => void
  /** Key that presses the button while the window has the focus. */
  shortcut?: string
  /** Highlights a device that is off. */
  isOff?: boolean
  isPressed?: boolean
  isDisabled?: boolean
}
function Control({ label, icon, onClick, shortcut, isOff, isPressed, isDisabled = false }: ControlProps) {
  return (
    <Tooltip title={shortcut ? `${label} (${shortcut.toUpperCase()})` : label}>
      <span>
        <IconButton
          aria-label={label}
          aria-keyshortcuts={shortcut}
          aria-pressed={isPressed}
          disabled={isDisabled}
          onClick={onClick}
          sx={{
            width: 44,
            height: 44,
            border: 1,
            borderColor: 'background.edge',
            color: 'text.primary',
            ...((isOff || isPressed) && {
              '&, &:hover': { bgcolor: 'text.primary', color: 'background.paper' },
            }),
          }}
        >
          {icon}
        </IconButton>
      </span>
    </Tooltip>
  )
}

interface Props extends Pick<MyCall, 'engineKind'> {
  media: MediaState
  isLoading: boolean
  panel: 'people' | null
  onPanel: (panel: 'people' | null) => void
  onDevices: () => void
}

/** True if this browser can share its screen; mobile browsers cannot. */
const canShare = (): boolean => 'getDisplayMedia' in navigator.mediaDevices

/** Buttons for the person's devices, the people panel and leaving. Jitsi draws its own controls, except for leaving. */
export const CallControls = memo(function CallControls(props: Props) {
  const { engineKind, media, isLoading, panel, onPanel, onDevices } = props
  const text = useText()
  const { audio, video, screen } = media
  return (
    <Box
      role="group"
      aria-label={text('callWindow.controls')}
      sx={{
        flex: 'none',
        display: 'flex',
        justifyContent: 'center',
        gap: { xs: 0.75, sm: 1 },
        px: 1,
        py: 1,
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      {engineKind === 'built-in' && (
        <>
          <Control
            label={text(audio ? 'callWindow.mute' : 'callWindow.unmute')}
            icon={audio ? <MicRounded /> : <MicOffRounded />}
            shortcut="m"
            isOff={!audio}
            isDisabled={isLoading}
            onClick={() => void calls.setAudio(!audio)}
          />
          <Control
            label={text(video ? 'callWindow.stopVideo' : 'callWindow.startVideo')}
            icon={video ? <VideocamRounded /> : <VideocamOffRounded />}
            shortcut="v"
            isOff={!video}
            isDisabled={isLoading}
            onClick={() => void calls.setVideo(!video)}
          />
          {canShare() && (
            <Control
              label={text(screen ? 'callWindow.stopSharing' : 'callWindow.share')}
              icon={screen ? <StopScreenShareRounded /> : <ScreenShareRounded />}
              isOff={screen}
              isDisabled={isLoading}
              onClick={() => void calls.setScreen(!screen)}
            />
          )}
          <Control
            label={text('callWindow.devices')}
            icon={<SettingsRounded />}
            isDisabled={isLoading}
            onClick={onDevices}
          />
        </>
      )}
      <Control
        label={text('callWindow.people')}
        icon={<GroupRounded />}
        isPressed={panel === 'people'}
        onClick={() => onPanel(panel === null ? 'people' : null)}
      />
      <Tooltip title={text('callWindow.leaveCall')}>
        <IconButton
          aria-label={text('callWindow.leaveCall')}
          onClick={() => void calls.leave()}
          sx={{
            width: 56,
            height: 44,
            '&, &:hover': { bgcolor: 'error.main', color: 'error.contrastText' },
          }}
        >
          <CallEndRounded />
        </IconButton>
      </Tooltip>
    </Box>
  )
})
