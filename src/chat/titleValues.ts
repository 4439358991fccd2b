import { directTitle } from '#contract/chat/rules.ts'
import type { Room } from '#contract/chat/schema.ts'
import { taggedName } from '#providers/chat/useChat.ts'
import { getSession } from '#providers/session.ts'

/** Names in the title of a direct message, in lists and header (decisions §3). */
export const NAMES_IN_LIST = 4
export const NAMES_IN_HEADER = 15

/** The title of a room: its name, or the names of the others in a direct message. */
export function titleOf(room: Room, most = NAMES_IN_HEADER): string {
  if (room.name !== null) return room.name
  const others = room.people.filter(({ uuid }) => uuid !== getSession().uuid)
  const shown = others.map(taggedName)
  // The room may have more members than were sent with it.
  const unnamed = Math.max(0, room.member_count - 1 - others.length)
  return directTitle(
    [...shown, ...Array.from({ length: unnamed }, () => '')],
    Math.min(most, shown.length || 1),
  )
}
