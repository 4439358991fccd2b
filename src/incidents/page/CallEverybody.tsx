import AddIcCallRounded from '@mui/icons-material/AddIcCallRounded'
import { useState } from 'react'

import type { Incident } from '#contract/incidents/schema.ts'
import { useKnownRoom, useRoom } from '#providers/chat/useChat.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useText } from '#src/kit/useText.ts'
import { useCallActs } from '#src/calls/useCallActs.ts'

import { QuietButton } from './QuietButton.tsx'

interface Props {
  incident: Incident
}

function Button({ incident }: Props) {
  const { id, title, isTabletop, breakoutRoomId } = incident
  const text = useText()
  const { startInIncident } = useCallActs()
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <QuietButton
        icon={<AddIcCallRounded />}
        label={text('calls.callEverybody')}
        // It rings everybody.
        filled
        onClick={() => setIsAsking(true)}
      />
      <ConfirmDialog
        open={isAsking}
        title={text(isTabletop ? 'calls.callExercise' : 'calls.callIncident')}
        text={text('calls.callIncidentText', { title })}
        submitLabel={text('calls.callEverybody')}
        // A confirmation for leaving another call follows.
        onSubmit={() => void startInIncident(id, breakoutRoomId)}
        onClose={() => setIsAsking(false)}
      />
    </>
  )
}

/** The button for members of the room: people who were removed from it cannot call the others. */
function ButtonOfMember({ incident, roomId }: Props & { roomId: string }) {
  const room = useRoom(roomId)
  return room && !room.isArchived ? <Button incident={incident} /> : null
}
/** The button for non-members, who may be added while the page is open. */
function ButtonOfOutsider({ incident, roomId }: Props & { roomId: string }) {
  const room = useKnownRoom(roomId)
  return room ? <ButtonOfMember incident={incident} roomId={roomId} /> : null
}

/** Confirms calling everybody of an incident. */
export function CallEverybody({ incident }: Props) {
  const { breakoutRoomId: roomId, breakoutRoomAccess } = incident
  if (roomId === null || breakoutRoomAccess === 'OPEN') return <Button incident={incident} />
  const ButtonOfRoom = breakoutRoomAccess === 'MEMBER' ? ButtonOfMember : ButtonOfOutsider
  return <ButtonOfRoom incident={incident} roomId={roomId} />
}
