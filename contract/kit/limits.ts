/**
 * Calls that one person, or one API key, may make in a minute: more than anybody needs, and fewer than keep a process busy
 * (docs/decisions/066).
 */
export const LIMITS = {
  /** Messages of the chat. */
  messages: 1_200,
  /** Mass notifications. */
  broadcasts: 20,
  /** Reads that look for words. */
  searches: 300,
  /** Lists that are asked for without a range. */
  'whole lists': 60,
  /** Documents, archives and files that are made on request. */
  documents: 60,
} as const
export type Limited = keyof typeof LIMITS

/** The code of a refusal by one of these limits: pages show it, and nobody is signed out by it. */
export const LIMIT_REACHED = 'limit_reached'
