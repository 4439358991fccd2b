import { AWARE_LATER, AWARE_TOO_EARLY, type DutyClock, FILED_LATER, FILED_TOO_EARLY } from './schema.ts'

const HOUR = 3_600_000
const YEAR = 366 * 24 * HOUR
/** Tolerated difference of clocks, in milliseconds. */
const AHEAD_MAX = 60_000

/** The sentence that refuses a time of awareness; null for a possible one. */
export function awareProblem(at: string, now: number): string | null {
  const time = Date.parse(at)
  if (time > now + AHEAD_MAX) return AWARE_LATER
  return time < now - YEAR ? AWARE_TOO_EARLY : null
}
/** The sentence that refuses the time of a filing; null for a possible one. */
export function filedProblem(at: string, aware: string, now: number): string | null {
  const time = Date.parse(at)
  if (time > now + AHEAD_MAX) return FILED_LATER
  return time < Date.parse(aware) ? FILED_TOO_EARLY : null
}

/** Time from which a running clock is near its end: a quarter of its hours before. In milliseconds. */
export const soonFrom = ({
  awareTimestamp,
  dueTimestamp,
}: Pick<DutyClock, 'awareTimestamp' | 'dueTimestamp'>): number => {
  const due = Date.parse(dueTimestamp)
  return due - (due - Date.parse(awareTimestamp)) / 4
}
