import { needsVerification } from '#src/verifications/needsVerification.ts'

const listeners = new Set<() => void>()

/**
 * Reports a failed call outside of the page's queries, such as an upload. If it needs a verified session, the
 * page asks for a code.
 */
export function reportRefusal(error: unknown): void {
  if (needsVerification(error)) for (const listener of listeners) listener()
}

/** Calls `listener` when a reported call was refused for lack of verification. Returns the unsubscribe function. */
export function onRefusal(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
