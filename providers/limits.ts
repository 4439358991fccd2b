import type { HttpProblem } from './problem.ts'

type Listener = (refusal: HttpProblem) => void
const listeners = new Set<Listener>()

/** Subscribes to refusals by a limit of calls (`contract/kit/limits.ts`). Returns a function that unsubscribes. */
export function onLimitReached(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
export const publishLimitReached: Listener = (refusal) => listeners.forEach((listener) => listener(refusal))
