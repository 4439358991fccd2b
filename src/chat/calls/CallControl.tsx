import ArrowDropDownRounded from '@mui/icons-material/ArrowDropDownRounded'
import CallRounded from '@mui/icons-material/CallRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import useMediaQuery from '@mui/material/useMediaQuery'
import { Suspense, useState } from 'react'

import { callsAccess } from '#contract/calls/access.ts'
import { callCan } from '#contract/calls/rules.ts'
import type { Ringing } from '#contract/calls/schema.ts'
import type { Room } from '#contract/chat/schema.ts'
import { keepCallChoices } from '#providers/calls/choices.ts'
import { useCan } from '#providers/useCan.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { NARROW } from '#src/kit/layout/breakpoints.ts'
import { useText } from '#src/kit/useText.ts'
import { EndCallDialog } from '#src/calls/EndCallDialog.tsx'
import { useCallActs } from '#src/calls/useCallActs.ts'
import { useCallOfBrowser, useReturnToCall } from '#src/calls/useReturnToCall.ts'

import { titleOf } from '../titleValues.ts'
import { CallMenu } from './CallMenu.tsx'
import { CallPeopleDialog } from './CallPeopleDialog.tsx'

const DevicesDialog = lazy(async () => ({
  default: (await import('#src/calls/DevicesDialog.tsx')).DevicesDialog,
}))

/** The action of a room's call button. */
function useMainAct(room: Room) {
  const text = useText()
  const { start, join } = useCallActs()
  const returnToCall = useReturnToCall()
  const isIn = useCallOfBrowser()?.roomId === room.id
  const details = room.callDetails
  if (isIn) return { label: text('calls.returnTo'), run: returnToCall, isIn }
  if (details)
    return {
      label: text('calls.join'),
      run: () => void join({ callId: details.callId, roomId: room.id }),
      isIn,
    }
  return { label: text('calls.start'), run: () => void start(room.id), isIn }
}

interface MainProps {
  label: string
  hasCall: boolean
  onClick: () => void
}
/** An icon while the room has no call; green with a label during one. */
function MainButton({ label, hasCall, onClick }: MainProps) {
  const isNarrow = useMediaQuery(NARROW)
  if (hasCall && !isNarrow)
    return (
      <Button
        variant="contained"
        color="success"
        size="small"
        startIcon={<CallRounded />}
        onClick={onClick}
        sx={{ flex: 'none' }}
      >
        {label}
      </Button>
    )
  return (
    <Tooltip title={label}>
      <IconButton
        aria-label={label}
        onClick={onClick}
        sx={{
          width: 44,
          height: 44,
          ...(hasCall && {
            '&.MuiIconButton-root, &:hover': { bgcolor: 'success.main', color: 'success.contrastText' },
          }),
        }}
      >
        <CallRounded />
      </IconButton>
    </Tooltip>
  )
}

/** Starts, joins or shows the call of a room. The menu offers people to call, the device test and the end for all. */
export function CallControl({ room }: { room: Room }) {
  const text = useText()
  const can = useCan()
  const { start, ring } = useCallActs()
  const { label, run, isIn } = useMainAct(room)
  const [menu, setMenu] = useState<HTMLElement | null>(null)
  const [asking, setAsking] = useState<'people' | 'end' | 'devices' | null>(null)
  const done = () => setAsking(null)
  const tested = () => {
    // A test made here is not offered again in the call's window.
    keepCallChoices({ isTested: true })
    done()
  }
  const { callDetails: details } = room
  if (!can(callsAccess) || room.isArchived) return null
  const callPeople = (ringing: Ringing) => void (isIn ? ring(ringing) : start(room.id, ringing))
  const mayCallPeople = room.kind !== 'DIRECT_MESSAGE' && (isIn || details === null)
  const mayEnd = details !== null && callCan.end(room.membership)
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', flex: 'none' }}>
      <MainButton label={label} hasCall={details !== null} onClick={run} />
      <Tooltip title={text('calls.more')}>
        <IconButton
          aria-label={text('calls.more')}
          aria-haspopup="menu"
          aria-expanded={menu !== null}
          onClick={(event) => setMenu(event.currentTarget)}
          sx={{ width: 28, height: 44 }}
        >
          <ArrowDropDownRounded />
        </IconButton>
      </Tooltip>
      <CallMenu
        anchor={menu}
        onClose={() => setMenu(null)}
        onEverybody={mayCallPeople && (() => callPeople({ who: 'EVERYBODY' }))}
        onPeople={mayCallPeople && (() => setAsking('people'))}
        onDevices={() => setAsking('devices')}
        onEnd={mayEnd && (() => setAsking('end'))}
      />
      {asking === 'people' && <CallPeopleDialog room={room} onCall={callPeople} onClose={done} />}
      {asking === 'devices' && (
        <Suspense>
          <DevicesDialog onClose={tested} />
        </Suspense>
      )}
      {details && (
        <EndCallDialog callId={details.callId} title={titleOf(room)} open={asking === 'end'} onClose={done} />
      )}
    </Box>
  )
}
