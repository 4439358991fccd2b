import VideocamRounded from '@mui/icons-material/VideocamRounded'
import ScreenShareRounded from '@mui/icons-material/ScreenShareRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useState } from 'react'

import { callCan } from '#contract/calls/rules.ts'
import type { CallParticipant } from '#contract/calls/schema.ts'
import type { MyCall } from '#providers/calls/calls.ts'
import { useRoom } from '#providers/chat/useChat.ts'
import { Initials } from '#src/kit/layout/Initials.tsx'
import { useText } from '#src/kit/useText.ts'
import { DialInLink } from './DialInLink.tsx'
import { EndCallDialog } from './EndCallDialog.tsx'

import { TileMarks } from './CallTile.tsx'
import { partsOf } from './windowValues.ts'

function PersonRow({ participant, mine }: { participant: CallParticipant; mine: MyCall }) {
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
        </Box>
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
  return (
    <Box
      sx={{ flex: 1, minHeight: 0, overflow: 'auto', p: 2, display: 'grid', gap: 2, alignContent: 'start' }}
    >
      <Typography variant="h4" component="h3">
        {text('callWindow.inCall', { smart_count: participants.length })}
      </Typography>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {participants.map((participant) => (
          <PersonRow key={participant.participantId} participant={participant} mine={mine} />
        ))}
      </Box>
      <div>
        <DialInLink callId={mine.callId} title={mine.title} />
      </div>
      {room && callCan.end(room.membership) && (
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
