import { setTimeout as wait } from 'node:timers/promises'

/** The one source of the current time on the server, so that tests can move it. */
export const clock = {
  /** Milliseconds since the epoch. */
  now: (): number => Date.now(),
  /** ISO 8601 in UTC. */
  timestamp: (): string => new Date(clock.now()).toISOString(),
  /** Waits; an abort ends the wait early without an error. */
  wait: (ms: number, signal?: AbortSignal): Promise<void> =>
    wait(ms, undefined, signal && { signal }).catch(() => undefined),
  /** Delays a refusal, so that its duration does not reveal the reason. */
  delay: (ms: number): Promise<void> => wait(ms),
}

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Settles like `work`, but not before `ms` milliseconds have passed. */
export async function noSoonerThan<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const [result] = await Promise.allSettled([work(), clock.delay(ms)])
  if (result.status === 'rejected') throw result.reason
  return result.value
}
