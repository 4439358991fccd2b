/**
 * Calls per minute of a person or an API key: more than anybody needs, and too few to keep a process busy
 * (docs/decisions/066).
 */
export const LIMITS = {
  /** Chat messages. */
  messages: 1_200,
  broadcasts: 20,
  /** Reads with a search text. */
  searches: 300,
  /** Lists requested without a range. */
  'whole lists': 60,
  /** Documents, archives and files made on request. */
  documents: 60,
  /** Small pictures of images. */
  thumbnails: 300,
} as const
export type Limited = keyof typeof LIMITS

/** Code of a refusal by one of these limits. Pages show it; nobody is signed out. */
export const LIMIT_REACHED = 'limit_reached'
