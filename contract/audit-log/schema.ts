import * as z from 'zod/mini'

import { id, timestamp } from '#contract/kit/text.ts'

/** Events that one call of the check looks at, so that none takes long. */
export const CHECKED_AT_ONCE = 2_000
/** Characters of a value that a list shows; one event and the file of all events hold the whole. */
export const SHOWN_VALUE_MAX = 240

/** The actor: a person, a program with an API key, the provider's staff, or the product itself. */
export const AuditActor = z.object({
  kind: z.enum(['person', 'key', 'staff', 'system']),
  id: z.nullable(z.string()),
  /** An address for people and staff, a name for keys. */
  name: z.string(),
})
export type AuditActor = z.infer<typeof AuditActor>

/** What a field was before and became, as text; null for nothing. */
export const AuditChange = z.object({
  field: z.string(),
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
})
export type AuditChange = z.infer<typeof AuditChange>

/** One entry of the organisation's event stream. */
export const AuditEvent = z.object({
  id,
  /** Its place in the stream, from 1 and without gaps. */
  sequence: z.int(),
  timestamp,
  actor: AuditActor,
  /** What kind of record it is about, such as `users`. */
  noun: z.string(),
  /** In the past: `created`. */
  verb: z.string(),
  /** Id of the record, or its name where it has no id. */
  record: z.string(),
  /** What the record was called at that moment; null where it has no name. */
  recordName: z.nullable(z.string()),
  /** Id of what the record belongs to, such as an incident. */
  parent: z.nullable(z.string()),
  parentName: z.nullable(z.string()),
  changes: z.array(AuditChange),
  /** SHA-256 over this event and the fingerprint of the one before, in hexadecimal digits. */
  fingerprint: z.string(),
})
export type AuditEvent = z.infer<typeof AuditEvent>

/** What a list can be narrowed by. */
export const AuditFilter = z.object({
  /** An `AuditChoices` actor's key. */
  actor: z.optional(z.string().check(z.maxLength(300))),
  noun: z.optional(z.string().check(z.maxLength(100))),
  /** The first moment that counts. */
  from: z.optional(timestamp),
  /** The first moment that counts no more. */
  to: z.optional(timestamp),
  /** False leaves out what people were notified of and have read. */
  notifications: z.optional(z.boolean()),
})
export type AuditFilter = z.infer<typeof AuditFilter>

/** What a list can be narrowed to: the nouns there are, and everybody but people, who are in the directory. */
export const AuditChoices = z.object({
  nouns: z.array(z.string()),
  actors: z.array(z.object({ key: z.string(), kind: AuditActor.shape.kind, name: z.string() })),
})
export type AuditChoices = z.infer<typeof AuditChoices>

const FINGERPRINT_LENGTH = 64
const fingerprint = z
  .string()
  .check(z.maxLength(FINGERPRINT_LENGTH), z.regex(/^[0-9a-f]{64}$/, 'This is not a fingerprint.'))

/** Where a check continues: after the last event that was verified. */
export const CheckFrom = z.object({
  after: z._default(z.int().check(z.nonnegative()), 0),
  /** The fingerprint of that event, as the last answer gave it; null at the beginning. */
  fingerprint: z._default(z.nullable(fingerprint), null),
})
export type CheckFrom = z.infer<typeof CheckFrom>

/** How far the chain of fingerprints was found to hold. */
export const CheckResult = z.object({
  /** The last event up to which everything holds; 0 for none. */
  holdsTo: z.int(),
  fingerprint: z.nullable(z.string()),
  /** When that event happened. */
  timestamp: z.nullable(timestamp),
  /** Events of the stream at this moment. */
  total: z.int(),
  /** The first event that was changed, is missing or was added; null while all hold. */
  brokenAt: z.nullable(z.int()),
  /** Nothing is left to look at. */
  done: z.boolean(),
})
export type CheckResult = z.infer<typeof CheckResult>
