import type { ReactNode } from 'react'

import { useRoom } from '#providers/chat/useChat.ts'

interface Props {
  id: string
  toRoom: (isWarRoom: boolean) => ReactNode
  /** For people who are not in the room. */
  otherwise: ReactNode
}

/** The way to an incident's room, which admins may have made a war room. */
export function OwnRoomButton({ id, toRoom, otherwise }: Props) {
  const room = useRoom(id)
  return room === null ? otherwise : toRoom(room?.isWarRoom ?? false)
}
