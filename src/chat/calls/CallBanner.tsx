import CallEndRounded from '@mui/icons-material/CallEndRounded'
import CallRounded from '@mui/icons-material/CallRounded'
import PhoneMissedRounded from '@mui/icons-material/PhoneMissedRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'

import { Suspense, useState } from 'react'

import { AVATARS_MAX, type CallDetails, type CallParticipant } from '#contract/calls/schema.ts'
import type { Room } from '#contract/chat/schema.ts'
import type { ChatMessage } from '#providers/chat/timeline.ts'
import { Initials } from '#src/kit/layout/Initials.tsx'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { MINUTE } from '#src/kit/time/clock.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'
import { DialInLink } from '#src/calls/DialInLink.tsx'
import { useCallActs } from '#src/calls/useCallActs.ts'
import { useCallOfBrowser, useReturnToCall } from '#src/calls/useReturnToCall.ts'
import { useDuration } from '#src/playbooks/useDuration.ts'

import { lazy } from '#src/kit/browser/lazy.ts'

import { titleOf } from '../titleValues.ts'

const AttendanceDialog = lazy(async () => ({
  default: (await import('#src/calls/AttendanceDialog.tsx')).AttendanceDialog,
}))

const AVATAR_SIZE = 28

/** De-duplicates people who joined with several devices. */
const peopleOf = (participants: readonly CallParticipant[]): CallParticipant[] => [
  ...new Map(participants.map((one) => [one.userId, one])).values(),
]

/** Participants of a call: the first few as pictures, all of them by name. */
function People({ participants }: { participants: readonly CallParticipant[] }) {
  const text = useText()
  const people = peopleOf(participants)
  const more = people.length - AVATARS_MAX
  const names = people.map(({ name }) => name).join(', ')
  return (
    <Box title={names} sx={{ display: 'flex', alignItems: 'center', gap: 0.5, minWidth: 0 }}>
      <Box component="span" sx={visuallyHidden}>
        {text('calls.inIt', { names })}
      </Box>
      {people.slice(0, AVATARS_MAX).map(({ userId, name, avatar }) => {
        const [firstName = '', ...others] = name.split(' ')
        return (
          <Initials
            key={userId}
            firstName={firstName}
            lastName={others.at(-1) ?? ''}
            imageUrl={avatar}
            size={AVATAR_SIZE}
          />
        )
      })}
      {more > 0 && (
        <Box component="span" aria-hidden sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
          +{more}
        </Box>
      )}
    </Box>
  )
}

/** Joins the call of a room, or shows it again for participants. */
function JoinButton({ room, details }: { room: Room; details: CallDetails }) {
  const text = useText()
  const { join } = useCallActs()
  const returnToCall = useReturnToCall()
  const isIn = useCallOfBrowser()?.callId === details.callId
  return (
    <Button
      size="small"
      variant="contained"
      color="success"
      startIcon={<CallRounded />}
      onClick={isIn ? returnToCall : () => void join({ callId: details.callId, roomId: room.id })}
      sx={{ minHeight: { xs: 44, md: 32 } }}
    >
      {text(isIn ? 'calls.returnTo' : 'calls.join')}
    </Button>
  )
}

/** Opens the list of those who were in a call that has ended. */
function AttendanceButton({ call }: { call: NonNullable<ChatMessage['call']> }) {
  const text = useText()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        size="small"
        color="inherit"
        onClick={() => setOpen(true)}
        sx={{ minHeight: { xs: 44, md: 32 } }}
      >
        {text('calls.whoWasHere')}
      </Button>
      {isOpen && (
        <Suspense>
          <AttendanceDialog callId={call.id} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

const MARKS = {
  active: { icon: CallRounded, color: 'success.main' },
  ended: { icon: CallEndRounded, color: 'text.secondary' },
  missed: { icon: PhoneMissedRounded, color: 'text.secondary' },
} as const

/** Start of a call, and the duration of an ended one. */
function Times({ message, isActive }: { message: ChatMessage; isActive: boolean }) {
  const text = useText()
  const { ofMinutes } = useDuration()
  const { call } = message
  const startedAt = call?.startedAt ?? message.created_at
  const minutes = call?.endedAt ? (Date.parse(call.endedAt) - Date.parse(startedAt)) / MINUTE : 0
  const rest =
    !isActive && call?.isMissed
      ? text('calls.nobodyJoined')
      : !isActive && minutes >= 1 && text('calls.lasted', { time: ofMinutes(minutes) })
  return (
    <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
      {text('calls.since')} <Time at={startedAt} />
      {rest && ` · ${rest}`}
    </Box>
  )
}

/** A call's banner in the list of messages, with its participants while it is active (operations §2, §4). */
export function CallBanner({ room, message }: { room: Room; message: ChatMessage }) {
  const text = useText()
  const details = room.callDetails?.messageId === message.id ? room.callDetails : null
  const kind = details ? 'active' : message.call?.isMissed ? 'missed' : 'ended'
  const { icon: Icon, color } = MARKS[kind]
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 2,
        rowGap: 1,
        maxWidth: 560,
        my: 0.5,
        px: 1.5,
        py: 1,
        border: 1,
        borderColor: details ? 'success.main' : 'divider',
        borderRadius: 1,
        bgcolor: 'background.paper',
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.25, flex: '1 1 180px', minWidth: 0 }}>
        <Icon sx={{ color }} />
        <Box sx={{ minWidth: 0, lineHeight: 1.4 }}>
          <Box sx={{ fontWeight: 600 }}>{text(details ? 'calls.started' : 'calls.ended')}</Box>
          <Times message={message} isActive={details !== null} />
        </Box>
      </Box>
      {!details && message.call && !message.call.isMissed && <AttendanceButton call={message.call} />}
      {details && (
        <>
          <People participants={details.participants} />
          <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, rowGap: 1 }}>
            <JoinButton room={room} details={details} />
            <Box sx={{ fontSize: '0.8125rem' }}>
              <DialInLink callId={details.callId} title={titleOf(room)} />
            </Box>
          </Box>
        </>
      )}
    </Box>
  )
}
