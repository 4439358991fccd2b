import { directTitle } from '#contract/chat/rules.ts'
import type { Room } from '#contract/chat/schema.ts'
import { taggedName } from '#providers/chat/useChat.ts'
import { getSession } from '#providers/session.ts'

/** Names of a direct message in the lists, and in its header (decisions §3). */
export const NAMES_IN_LIST = 4
export const NAMES_IN_HEADER = 15

/** What a room is called: its name, or for a direct message the names of the others. */
export function titleOf(room: Room, most = NAMES_IN_HEADER): string {
  if (room.name !== null) return room.name
  const others = room.people.filter(({ uuid }) => uuid !== getSession().uuid)
  const shown = others.map(taggedName)
  // More may be in it than came with it.
  const unnamed = Math.max(0, room.member_count - 1 - others.length)
  return directTitle(
    [...shown, ...Array.from({ length: unnamed }, () => '')],
    Math.min(most, shown.length || 1),
  )
}
