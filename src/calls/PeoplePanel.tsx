import VideocamRounded from '@mui/icons-material/VideocamRounded'
import ScreenShareRounded from '@mui/icons-material/ScreenShareRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useState } from 'react'

import { callCan } from '#contract/calls/rules.ts'
import type { CallParticipant } from '#contract/calls/schema.ts'
import { calls, type MyCall } from '#providers/calls/calls.ts'
import { useRoom } from '#providers/chat/useChat.ts'
import { Initials } from '#src/kit/layout/Initials.tsx'
import { useText } from '#src/kit/useText.ts'
import { DialInLink } from './DialInLink.tsx'
import { EndCallDialog } from './EndCallDialog.tsx'

import { HandMark, TileMarks } from './CallTile.tsx'
import { handsOf } from './handValues.ts'
import { partsOf } from './windowValues.ts'

interface RowProps {
  participant: CallParticipant
  mine: MyCall
  /** Place among the raised hands, from 1. */
  hand: number | undefined
  isManager: boolean
}
function PersonRow({ participant, mine, hand, isManager }: RowProps) {
  const text = useText()
  const tile = mine.state.tiles.find((one) => one.participant.participantId === participant.participantId)
  const isMe = participant.participantId === mine.participantId
  return (
    <Box component="li" sx={{ display: 'flex', alignItems: 'center', gap: 1, minHeight: 44 }}>
      <Initials {...partsOf(participant.name)} imageUrl={participant.avatar} size={28} />
      <Box dir="auto" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        {participant.name}
        {isMe && ` (${text('callWindow.you')})`}
      </Box>
      {tile && (
        <Box sx={{ display: 'flex', gap: 0.5, color: 'text.secondary', '& svg': { fontSize: 16 } }}>
          {tile.media.screen && <ScreenShareRounded aria-hidden />}
          {tile.media.video && <VideocamRounded aria-hidden />}
          <TileMarks tile={tile} />
          {hand !== undefined && <HandMark place={hand} />}
        </Box>
      )}
      {hand !== undefined && (isMe || isManager) && (
        <Button
          size="small"
          aria-label={isMe ? undefined : text('callWindow.lowerHandOf', { name: participant.name })}
          onClick={() => calls.lowerHand(participant.participantId)}
        >
          {text('callWindow.lowerHand')}
        </Button>
      )}
    </Box>
  )
}

/** Participants, dial-in details, and the button that ends the call for everybody. */
export function PeoplePanel({ mine }: { mine: MyCall }) {
  const text = useText()
  const room = useRoom(mine.roomId)
  const [isEnding, setIsEnding] = useState(false)
  const participants = room?.callDetails?.callId === mine.callId ? room.callDetails.participants : []
  const isManager = room ? callCan.end(room.membership) : false
  const hands = handsOf(mine.state.tiles)
  const placeOf = ({ participantId }: CallParticipant) => hands.get(participantId) ?? Infinity
  const ordered = participants.toSorted((a, b) =>
    placeOf(a) < placeOf(b) ? -1 : placeOf(a) > placeOf(b) ? 1 : 0,
  )
  return (
    <Box
      sx={{ flex: 1, minHeight: 0, overflow: 'auto', p: 2, display: 'grid', gap: 2, alignContent: 'start' }}
    >
      <Typography variant="h4" component="h3">
        {text('callWindow.inCall', { smart_count: participants.length })}
      </Typography>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {ordered.map((participant) => (
          <PersonRow
            key={participant.participantId}
            participant={participant}
            mine={mine}
            hand={hands.get(participant.participantId)}
            isManager={isManager}
          />
        ))}
      </Box>
      <div>
        <DialInLink callId={mine.callId} title={mine.title} />
      </div>
      {isManager && (
        <Button
          color="error"
          variant="outlined"
          onClick={() => setIsEnding(true)}
          sx={{ justifySelf: 'start' }}
        >
          {text('calls.endForAll')}
        </Button>
      )}
      <EndCallDialog
        callId={mine.callId}
        title={mine.title}
        open={isEnding}
        onClose={() => setIsEnding(false)}
      />
    </Box>
  )
}
