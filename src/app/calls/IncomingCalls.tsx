import CallEndRounded from '@mui/icons-material/CallEndRounded'
import CallRounded from '@mui/icons-material/CallRounded'
import SchoolRounded from '@mui/icons-material/SchoolRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useNavigate } from 'react-router-dom'

import type { IncomingCall } from '#contract/calls/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import { useIncomingCalls, useMyCallId } from '#providers/calls/useCalls.ts'
import { Initials } from '#src/kit/layout/Initials.tsx'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { HEADER_HEIGHT } from '#src/kit/theme/theme.ts'
import { useText } from '#src/kit/useText.ts'
import { useCallActs } from '#src/calls/useCallActs.ts'

import { useHostAboveDialogs } from './aboveDialogs.ts'
import { useRinging } from './useRinging.ts'

const EDITABLE = 'input, textarea, select, [contenteditable="true"]'
/** True while somebody types or answers a dialog. */
function isOccupied(): boolean {
  const focused = document.activeElement
  return focused?.closest(`${EDITABLE}, [role="dialog"], [role="menu"]`) !== null && focused !== null
}

/** Titles of incoming calls. */
function useWords() {
  const text = useText()
  return ({ by, title, isDirect, isExercise }: IncomingCall) => {
    const name = fullName(by)
    const call = isDirect ? text('calls.calling', { name }) : text('calls.callingIn', { name, room: title })
    return isExercise ? text('calls.exerciseCall', { call }) : call
  }
}

/** Moves the focus to the ringing call for keyboard users, unless somebody types or answers a dialog. */
function useOwnFocus() {
  const card = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const before = document.activeElement
    const element = card.current
    if (!isOccupied()) element?.focus({ preventScroll: true })
    return () => {
      if (element?.contains(document.activeElement) && before instanceof HTMLElement)
        before.focus({ preventScroll: true })
    }
  }, [])
  return card
}

function Card({ call }: { call: IncomingCall }) {
  const text = useText()
  const { join, decline } = useCallActs()
  const [isBusy, setIsBusy] = useState(false)
  const card = useOwnFocus()
  const id = useId()
  const { callId, roomId, by, isDirect, isExercise, title } = call
  const act = async (run: () => Promise<boolean>) => {
    setIsBusy(true)
    await run()
    // The card stays if the call was refused or the other call was not left.
    setIsBusy(false)
  }
  return (
    <Box
      ref={card}
      role="alertdialog"
      aria-labelledby={`${id}title`}
      aria-describedby={`${id}text`}
      tabIndex={-1}
      sx={{
        display: 'grid',
        gap: 1.5,
        p: 2,
        border: 1,
        borderColor: isExercise ? 'warning.main' : 'success.main',
        borderRadius: 1,
        bgcolor: 'background.paper',
        boxShadow: 8,
        pointerEvents: 'auto',
        '&:focus': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: -2 },
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, minWidth: 0 }}>
        <Box
          sx={{
            borderRadius: '50%',
            '@keyframes ring': { to: { boxShadow: '0 0 0 8px transparent' } },
            '@media (prefers-reduced-motion: no-preference)': {
              boxShadow: '0 0 0 0 var(--m-palette-success-main)',
              animation: 'ring 1.5s ease-out infinite',
            },
          }}
        >
          <Initials firstName={by.firstName} lastName={by.lastName} imageUrl={by.profileImageUrl} size={40} />
        </Box>
        <Box sx={{ minWidth: 0 }}>
          <Box id={`${id}title`} sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
            {text('calls.incomingCall')}
          </Box>
          <Box id={`${id}text`} sx={{ overflowWrap: 'anywhere', lineHeight: 1.4 }}>
            {isExercise && <StatusChip icon={SchoolRounded} tone="warning" label={text('calls.exercise')} />}
            <Box component="bdi" sx={{ display: 'block', fontSize: '1rem', fontWeight: 600 }}>
              {fullName(by)}
            </Box>
            {!isDirect && <bdi>{title}</bdi>}
          </Box>
        </Box>
      </Box>
      <Box sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 1 }}>
        <Button
          variant="outlined"
          color="error"
          startIcon={<CallEndRounded />}
          disabled={isBusy}
          onClick={() => void act(() => decline(callId))}
          sx={{ minHeight: 44 }}
        >
          {text('calls.decline')}
        </Button>
        <Button
          variant="contained"
          color="success"
          startIcon={<CallRounded />}
          disabled={isBusy}
          onClick={() => void act(() => join({ callId, roomId }))}
          sx={{ minHeight: 44 }}
        >
          {text('calls.answer')}
        </Button>
      </Box>
    </Box>
  )
}

/** The ringing calls above every page and dialog, the latest first. */
export function IncomingCalls() {
  const text = useText()
  const navigate = useNavigate()
  const incoming = useIncomingCalls()
  const isInCall = useMyCallId() !== null
  const wordsOf = useWords()
  const host = useHostAboveDialogs()
  useRinging(incoming, isInCall, {
    title: wordsOf,
    open: ({ roomId }) => void navigate(`/chat/${roomId}`),
  })
  return createPortal(
    <>
      <Box role="alert" style={visuallyHidden}>
        {incoming[0] && `${text('calls.incomingCall')}: ${wordsOf(incoming[0])}`}
      </Box>
      {incoming.length > 0 && (
        <Box
          component="section"
          aria-label={text('calls.incoming')}
          sx={{
            position: 'fixed',
            top: HEADER_HEIGHT + 8,
            left: { xs: 8, sm: 'auto' },
            right: { xs: 8, sm: 16 },
            zIndex: 'snackbar',
            display: 'grid',
            gap: 1,
            width: { sm: 360 },
            maxHeight: `calc(100dvh - ${HEADER_HEIGHT + 16}px)`,
            overflowY: 'auto',
          }}
        >
          {incoming.map((call) => (
            <Card key={call.callId} call={call} />
          ))}
        </Box>
      )}
    </>,
    host,
  )
}
