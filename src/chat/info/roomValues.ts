import type { Room } from '#contract/chat/schema.ts'
import { localTime } from '#src/kit/time/localTime.ts'

/** The local date of a moment in the format of a date field. */
export const dayOf = (at: number): string => localTime(new Date(at).toISOString()).slice(0, 10)
export const startOf = (day: string): number => new Date(`${day}T00:00:00`).getTime()
export function endOf(day: string): number {
  const next = new Date(`${day}T00:00:00`)
  next.setDate(next.getDate() + 1)
  return next.getTime() - 1
}

/** The moment a month earlier, clamped to the last day of that month. */
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
