import { HttpProblem } from './problem.ts'
import { serverNow } from './serverClock.ts'

/** Lockout in milliseconds assumed for a 429 without a duration, such as a proxy's. */
const UNKNOWN_LOCKOUT_MS = 60_000

/** The end of a lockout (429) in server time, milliseconds; undefined for any other failure. */
export function lockedUntil(error: unknown): number | undefined {
  if (!(error instanceof HttpProblem) || error.status !== 429) return undefined
  return serverNow() + (error.body.msUntilNextAttempt ?? UNKNOWN_LOCKOUT_MS)
}
