import CallEndRounded from '@mui/icons-material/CallEndRounded'
import GroupRounded from '@mui/icons-material/GroupRounded'
import MoreHorizRounded from '@mui/icons-material/MoreHorizRounded'
import MicOffRounded from '@mui/icons-material/MicOffRounded'
import MicRounded from '@mui/icons-material/MicRounded'
import PanToolRounded from '@mui/icons-material/PanToolRounded'
import ScreenShareRounded from '@mui/icons-material/ScreenShareRounded'
import StopScreenShareRounded from '@mui/icons-material/StopScreenShareRounded'
import VideocamOffRounded from '@mui/icons-material/VideocamOffRounded'
import VideocamRounded from '@mui/icons-material/VideocamRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Tooltip from '@mui/material/Tooltip'
import useMediaQuery from '@mui/material/useMediaQuery'
import { memo, type MouseEvent, type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router-dom'

import type { MediaState } from '#contract/calls/schema.ts'
import { calls, type MyCall } from '#providers/calls/calls.ts'
import type { CallChoices } from '#providers/calls/choices.ts'
import { PHONE } from '#src/kit/layout/breakpoints.ts'
import { useText } from '#src/kit/useText.ts'

interface ControlProps {
  label: string
  icon: ReactNode
  onClick: (event: MouseEvent<HTMLElement>) => void
  hasMenu?: boolean
  /** Key that presses the button while the window has the focus. */
  shortcut?: string
  /** Highlights a device that is off. */
  isOff?: boolean
  isPressed?: boolean
  isDisabled?: boolean
  /** The microphone, which Space turns on while it is held. */
  isTalk?: boolean
}
function Control(props: ControlProps) {
  const {
    label,
    icon,
    onClick,
    shortcut,
    isOff,
    isPressed,
    isDisabled = false,
    isTalk = false,
    hasMenu,
  } = props
  return (
    <Tooltip title={shortcut ? `${label} (${shortcut.toUpperCase()})` : label}>
      <span>
        <IconButton
          aria-label={label}
          aria-keyshortcuts={shortcut}
          aria-haspopup={hasMenu && 'menu'}
          aria-pressed={isPressed}
          data-talk={isTalk || undefined}
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

interface Props extends Pick<MyCall, 'engineKind' | 'roomId' | 'view'> {
  media: MediaState
  isLoading: boolean
  panel: 'people' | null
  onPanel: (panel: 'people' | null) => void
  stage: CallChoices['stage']
  onStage: (stage: CallChoices['stage']) => void
  onDevices: () => void
}

/** True if this browser can share its screen; mobile browsers cannot. */
const canShare = (): boolean => 'getDisplayMedia' in navigator.mediaDevices

type MoreProps = Pick<Props, 'isLoading' | 'stage' | 'onStage' | 'onDevices' | 'roomId' | 'view'>
/** The menu of what is needed rarely: the layout, the chat beside the call, the devices. */
function MoreControls({ isLoading, stage, onStage, onDevices, roomId, view }: MoreProps) {
  const text = useText()
  const navigate = useNavigate()
  const isPhone = useMediaQuery(PHONE, { noSsr: true })
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const act = (work: () => void) => () => {
    setAnchor(null)
    work()
  }
  const isGrid = stage === 'grid'
  return (
    <>
      <Control
        label={text('callWindow.more')}
        icon={<MoreHorizRounded />}
        hasMenu
        isDisabled={isLoading}
        onClick={(event) => setAnchor(event.currentTarget)}
      />
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        <MenuItem onClick={act(() => onStage(isGrid ? 'speaker' : 'grid'))}>
          {text(isGrid ? 'callWindow.speakerView' : 'callWindow.gridView')}
        </MenuItem>
        <MenuItem
          onClick={act(() => {
            // On a phone the window covers the chat.
            if (isPhone || view === 'full') calls.show(isPhone ? 'minimised' : 'side')
            void navigate(`/chat/${roomId}`)
          })}
        >
          {text('callWindow.chatBeside')}
        </MenuItem>
        <MenuItem onClick={act(onDevices)}>{text('callWindow.devices')}</MenuItem>
      </Menu>
    </>
  )
}

/** Buttons for the person's devices, the people panel and leaving. Jitsi draws its own controls, except for leaving. */
export const CallControls = memo(function CallControls(props: Props) {
  const { engineKind, media, isLoading, panel, onPanel, ...more } = props
  const text = useText()
  const { audio, video, screen } = media
  const isRaised = typeof media.hand === 'number'
  return (
    <Box
      role="group"
      aria-label={text('callWindow.controls')}
      sx={{
        flex: 'none',
        display: 'flex',
        justifyContent: 'center',
        gap: 0.5,
        px: 0.5,
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
            isTalk
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
            label={text(isRaised ? 'callWindow.lowerHand' : 'callWindow.raiseHand')}
            icon={<PanToolRounded />}
            shortcut="h"
            isPressed={isRaised}
            isDisabled={isLoading}
            onClick={() => calls.setHand(!isRaised)}
          />
        </>
      )}
      <Control
        label={text('callWindow.people')}
        icon={<GroupRounded />}
        isPressed={panel === 'people'}
        onClick={() => onPanel(panel === null ? 'people' : null)}
      />
      {engineKind === 'built-in' && <MoreControls isLoading={isLoading} {...more} />}
      <Tooltip title={text('callWindow.leaveCall')}>
        <IconButton
          aria-label={text('callWindow.leaveCall')}
          onClick={() => void calls.leave()}
          sx={{
            width: 48,
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
