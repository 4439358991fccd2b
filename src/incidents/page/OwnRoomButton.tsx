import type { ReactNode } from 'react'

import { useKnownRoom, useRoom } from '#providers/chat/useChat.ts'

interface Props {
  id: string
  toRoom: (isWarRoom: boolean) => ReactNode
  /** Shown to people who are not in the room. */
  otherwise: ReactNode
}

function MembersButton({ id, toRoom, otherwise }: Props) {
  const room = useRoom(id)
  return room === null ? otherwise : toRoom(room?.isWarRoom ?? false)
}
/** The button for non-members, who may be added while the page is open. */
function OutsidersButton({ id, toRoom, otherwise }: Props) {
  const room = useKnownRoom(id)
  return room ? toRoom(room.isWarRoom) : otherwise
}

/** Link to an incident's room, which admins may have turned into a war room. */
export function OwnRoomButton({ isMember, ...props }: Props & { isMember: boolean }) {
  return isMember ? <MembersButton {...props} /> : <OutsidersButton {...props} />
}
