import { needsVerification } from '#src/verifications/verification.ts'

const listeners = new Set<() => void>()

/**
 * Tells the page of files about a failed call that is made outside of its queries, such as an upload. Where the session
 * has to be verified first, the page asks for a code.
 */
export function reportRefusal(error: unknown): void {
  if (needsVerification(error)) for (const listener of listeners) listener()
}

/** Calls `listener` when a reported call was refused for want of a verification. Returns the unsubscribe function. */
export function onRefusal(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
