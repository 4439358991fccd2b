import { useSyncExternalStore } from 'react'

import { DATABASE_UNAVAILABLE } from '#contract/kit/outage.ts'

import { HttpProblem } from './problem.ts'

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 15_000
/** Attempts of a request that a person waits for: about 15 seconds. */
const TRIES_MAX = 5

let waiting = 0
const watchers = new Set<() => void>()
function count(change: number) {
  waiting += change
  for (const watcher of watchers) watcher()
}
const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** True while requests wait for a server that cannot reach its database. */
export const useOutage = (): boolean => useSyncExternalStore(watch, () => waiting > 0)

const isOutage = (error: unknown) =>
  error instanceof HttpProblem && error.status === 503 && error.body.code === DATABASE_UNAVAILABLE

/** Exponential backoff with jitter, because many browsers wait for one server. */
const pauseBefore = (tries: number) =>
  Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS) * (0.75 + Math.random() / 4)

/** Resolves after `ms`; rejects when the signal aborts. */
const pause = (ms: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })

/**
 * Makes an idempotent request and repeats it while the server cannot reach its database.
 * @param options.isRead reads are repeated until a response or an abort, other requests a few times
 */
export async function outlasting<T>(
  request: () => Promise<T>,
  { isRead, signal }: { readonly isRead: boolean; readonly signal?: AbortSignal | undefined },
): Promise<T> {
  let isWaiting = false
  try {
    for (let tries = 1; ; tries++) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- one try after the other
        return await request()
      } catch (error) {
        if (!isOutage(error) || (!isRead && tries === TRIES_MAX)) throw error
        if (!isWaiting) count(1)
        isWaiting = true
        // oxlint-disable-next-line no-await-in-loop -- see above
        await pause(pauseBefore(tries), signal)
      }
    }
  } finally {
    if (isWaiting) count(-1)
  }
}
