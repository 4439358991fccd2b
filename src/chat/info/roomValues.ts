import { directTitle } from '#contract/chat/rules.ts'
import type { Room } from '#contract/chat/schema.ts'
import { localTime } from '#src/kit/time/localTime.ts'
import { taggedName } from '#providers/chat/useChat.ts'
import { getSession } from '#providers/session.ts'

/** Names in the title of a direct message (operations §9). */
const NAMES_MAX = 15

/** What a room is called: its name, or for a direct message the names of the others. */
export function titleOf({ name, people, member_count }: Room): string {
  if (name !== null) return name
  const me = getSession().uuid
  const names = people.filter(({ uuid }) => uuid !== me).map(taggedName)
  // More may be in it than came with it.
  const others = Math.max(names.length, member_count - 1)
  return directTitle(
    [...names, ...Array<string>(others - names.length).fill('')],
    Math.min(NAMES_MAX, names.length),
  )
}

const BLOCK_END = /<br\s*\/?>|<\/(?:p|li|h[1-6]|pre|blockquote)>/gi
const MENTION = /@([^\s@<>()"',;:]+@[^\s@<>()"',;:!?]*[^\s@<>()"',;:!?.])/g
/** The words of a message in one line, with names in place of mentioned addresses. */
export function lineOf(html: string, nameOf: (email: string) => string): string {
  const { body } = new DOMParser().parseFromString(html.replace(BLOCK_END, '$& '), 'text/html')
  const words = (body.textContent ?? '').replace(/\s+/g, ' ').trim()
  return words.replace(MENTION, (_, email: string) => `@${nameOf(email)}`)
}

/** A day of this place, as the browser's field for one writes it. */
export const dayOf = (at: number): string => localTime(new Date(at).toISOString()).slice(0, 10)
/** The first moment of a day. */
export const startOf = (day: string): number => new Date(`${day}T00:00:00`).getTime()
/** The last moment of a day. */
export function endOf(day: string): number {
  const next = new Date(`${day}T00:00:00`)
  next.setDate(next.getDate() + 1)
  return next.getTime() - 1
}

/** The moment a month earlier; the last of a month for days that it does not have. */
function monthBefore(at: number): number {
  const moment = new Date(at)
  const day = moment.getDate()
  moment.setDate(1)
  moment.setMonth(moment.getMonth() - 1)
  const days = new Date(moment.getFullYear(), moment.getMonth() + 1, 0).getDate()
  moment.setDate(Math.min(day, days))
  return moment.getTime()
}
/** The month up to a room's last message (operations §5 "Chat export"). */
export function exportDefaults({ last_message_at }: Room, now: number): { start: string; end: string } {
  const last = Math.min(last_message_at === null ? now : Date.parse(last_message_at), now)
  return { start: dayOf(monthBefore(last)), end: dayOf(last) }
}
