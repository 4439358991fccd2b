import { REMINDER_DAYS_MAX, REMINDER_PAST, REMINDER_TOO_LATE } from '#contract/chat/schema.ts'

const MINUTE = 60_000
/** Hour of the morning at which a reminder of the next day comes. */
const MORNING = 9

/** The offered times of a reminder, in milliseconds: in 20 minutes, in an hour, and tomorrow at 9:00 of this zone. */
export function reminderTimes(now: number): { soon: number; hour: number; tomorrow: number } {
  const tomorrow = new Date(now)
  tomorrow.setDate(tomorrow.getDate() + 1)
  tomorrow.setHours(MORNING, 0, 0, 0)
  return { soon: now + 20 * MINUTE, hour: now + 60 * MINUTE, tomorrow: tomorrow.getTime() }
}

const DAY = 86_400_000
/** The refusal of a chosen time in milliseconds; undefined for one that can be taken. */
export function timeProblem(at: number, now: number): string | undefined {
  if (Number.isNaN(at) || at <= now) return REMINDER_PAST
  return at > now + REMINDER_DAYS_MAX * DAY ? REMINDER_TOO_LATE : undefined
}

const two = (value: number) => String(value).padStart(2, '0')
/** A time of this zone as a field of date and time holds it: 2026-03-12T09:00. */
export function inputValueOf(time: number): string {
  const at = new Date(time)
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}
