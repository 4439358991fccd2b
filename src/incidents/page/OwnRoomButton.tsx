import type { ReactNode } from 'react'

import { useKnownRoom, useRoom } from '#providers/chat/useChat.ts'

interface Props {
  id: string
  toRoom: (isWarRoom: boolean) => ReactNode
  /** For people who are not in the room. */
  otherwise: ReactNode
}

function MembersButton({ id, toRoom, otherwise }: Props) {
  const room = useRoom(id)
  return room === null ? otherwise : toRoom(room?.isWarRoom ?? false)
}
/** For somebody outside, who may be let in while the page is open. */
function OutsidersButton({ id, toRoom, otherwise }: Props) {
  const room = useKnownRoom(id)
  return room ? toRoom(room.isWarRoom) : otherwise
}

/** The way to an incident's room, which admins may have made a war room. */
export function OwnRoomButton({ isMember, ...props }: Props & { isMember: boolean }) {
  return isMember ? <MembersButton {...props} /> : <OutsidersButton {...props} />
}
