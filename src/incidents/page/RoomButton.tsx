import ForumRounded from '@mui/icons-material/ForumRounded'
import { lazy, Suspense } from 'react'

import { useText } from '#src/kit/useText.ts'

import { QuietButton } from './QuietButton.tsx'

// The chat's store stays out of what the page loads first.
const OwnRoomButton = lazy(async () => ({ default: (await import('./OwnRoomButton.tsx')).OwnRoomButton }))

const ICON = <ForumRounded />

/** Leads to the incident's own room in the chat, or to all war rooms where it has none (operations §2). */
export function RoomButton({ id }: { id: string | null }) {
  const text = useText()
  const all = <QuietButton icon={ICON} label={text('incidents.goToWarRooms')} to="/chat" />
  if (id === null) return all
  const toRoom = (isWarRoom: boolean) => (
    <QuietButton
      icon={ICON}
      label={text(isWarRoom ? 'incidents.goToWarRoom' : 'incidents.goToBreakoutRoom')}
      to={`/chat/${id}`}
    />
  )
  return (
    <Suspense fallback={toRoom(false)}>
      <OwnRoomButton id={id} toRoom={toRoom} otherwise={all} />
    </Suspense>
  )
}
