import pLimit from 'p-limit'

import { Refusal } from './refusal.ts'

interface Limits {
  /** Tasks that run concurrently. */
  readonly concurrency: number
  /** Tasks that may queue. */
  readonly queueMax?: number
}

/**
 * Limits how many tasks run at once. Further tasks queue.
 * @throws Refusal 503 when the queue is full
 */
export function limitConcurrency({ concurrency, queueMax = Infinity }: Limits) {
  const limit = pLimit(concurrency)
  /** @param waitingMax lower limit than `queueMax` for tasks that hold memory while they wait */
  return async <T>(task: () => Promise<T>, waitingMax = queueMax): Promise<T> => {
    if (limit.pendingCount >= waitingMax)
      throw new Refusal(503, 'The server is busy. Please try again in a moment.')
    return limit(task)
  }
}
