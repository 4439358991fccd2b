import type { Me } from '#contract/incidents/rules.ts'

import { HAPPENED_LATER, HAPPENED_TOO_EARLY, type TimelineEntry } from './schema.ts'

/** The author or an administrator changes an entry, until it is removed. */
export const canChangeEntry = (
  entry: Pick<TimelineEntry, 'createdBy' | 'removedTimestamp'>,
  me: Me,
): boolean => entry.removedTimestamp === null && (me.role === 'ADMIN' || entry.createdBy === me.email)

/** Tolerated difference of clocks, in milliseconds. */
const AHEAD_MAX = 60_000
const YEAR = 366 * 24 * 3_600_000

/** The sentence that refuses the time of an act of an incident that began at `start`; null for a possible one. */
export function happenedProblem(at: string, start: string, now: number): string | null {
  const time = Date.parse(at)
  if (time > now + AHEAD_MAX) return HAPPENED_LATER
  return time < Date.parse(start) - YEAR ? HAPPENED_TOO_EARLY : null
}
