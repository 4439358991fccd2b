import ForumRounded from '@mui/icons-material/ForumRounded'
import { Suspense } from 'react'

import type { Incident } from '#contract/incidents/schema.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useText } from '#src/kit/useText.ts'

import { QuietButton } from './QuietButton.tsx'

// Keeps the chat's store out of the page's chunk.
const OwnRoomButton = lazy(async () => ({ default: (await import('./OwnRoomButton.tsx')).OwnRoomButton }))

const ICON = <ForumRounded />

type Props = {
  incident: Pick<Incident, 'id' | 'breakoutRoomId' | 'breakoutRoomAccess'>
}

/** Links to the incident's room in the chat, or to all war rooms for people without one (operations §2). */
export function RoomButton({ incident: { id, breakoutRoomId: roomId, breakoutRoomAccess } }: Props) {
  const text = useText()
  const short = text('incidents.roomShort')
  const all = <QuietButton icon={ICON} label={text('incidents.goToWarRooms')} short={short} to="/chat" />
  if (roomId === null) return all
  const toRoom = (isWarRoom: boolean) => (
    <QuietButton
      icon={ICON}
      short={short}
      label={text(isWarRoom ? 'incidents.goToWarRoom' : 'incidents.goToBreakoutRoom')}
      to={breakoutRoomAccess === 'OPEN' ? `/chat/${roomId}?incident=${id}` : `/chat/${roomId}`}
    />
  )
  if (breakoutRoomAccess === 'OPEN') return toRoom(false)
  const isMember = breakoutRoomAccess === 'MEMBER'
  return (
    <Suspense fallback={isMember ? toRoom(false) : all}>
      <OwnRoomButton id={roomId} isMember={isMember} toRoom={toRoom} otherwise={all} />
    </Suspense>
  )
}
