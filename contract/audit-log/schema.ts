import * as z from 'zod/mini'

import { id, timestamp } from '#contract/kit/text.ts'

/** Events that one call of the check verifies, to bound its duration. */
export const CHECKED_AT_ONCE = 2_000
/** Characters of a value in a list; one event and the download carry the whole value. */
export const SHOWN_VALUE_MAX = 240

/** The actor: a person, an API key, the provider's staff, or the product itself. */
export const AuditActor = z.object({
  kind: z.enum(['person', 'key', 'staff', 'link', 'system']),
  id: z.nullable(z.string()),
  /** Email address of people and staff, name of a key. */
  name: z.string(),
})
export type AuditActor = z.infer<typeof AuditActor>

/** A changed field with its old and new value as text; null for none. */
export const AuditChange = z.object({
  field: z.string(),
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
})
export type AuditChange = z.infer<typeof AuditChange>

/** An entry of the organisation's event stream. */
export const AuditEvent = z.object({
  id,
  /** Position in the stream, from 1 without gaps. */
  sequence: z.int(),
  timestamp,
  actor: AuditActor,
  /** Kind of the record, such as `users`. */
  noun: z.string(),
  /** Past tense: `created`. */
  verb: z.string(),
  /** The record's id, or its name where it has no id. */
  record: z.string(),
  /** The record's name at that time; null where it has none. */
  recordName: z.nullable(z.string()),
  /** Id of the parent, such as an incident. */
  parent: z.nullable(z.string()),
  parentName: z.nullable(z.string()),
  changes: z.array(AuditChange),
  /** SHA-256 over this event and the previous fingerprint, in hexadecimal. */
  fingerprint: z.string(),
})
export type AuditEvent = z.infer<typeof AuditEvent>

/** Filters of the list. */
export const AuditFilter = z.object({
  /** Key of an actor in `AuditChoices`. */
  actor: z.optional(z.string().check(z.maxLength(300))),
  noun: z.optional(z.string().check(z.maxLength(100))),
  /** Inclusive. */
  from: z.optional(timestamp),
  /** Exclusive. */
  to: z.optional(timestamp),
  /** False leaves out notifications that were sent and read. */
  notifications: z.optional(z.boolean()),
})
export type AuditFilter = z.infer<typeof AuditFilter>
/** Filters of the provider's log. */
export const ProviderLogFilter = z.extend(AuditFilter, {
  /** Only what was done to one organisation, or inside it. */
  organisation: z.optional(id),
})
export type ProviderLogFilter = z.infer<typeof ProviderLogFilter>

/** Choices of the filters: the nouns in use, and the actors that are not in the directory of people. */
export const AuditChoices = z.object({
  nouns: z.array(z.string()),
  actors: z.array(z.object({ key: z.string(), kind: AuditActor.shape.kind, name: z.string() })),
})
export type AuditChoices = z.infer<typeof AuditChoices>

const FINGERPRINT_LENGTH = 64
const fingerprint = z
  .string()
  .check(z.maxLength(FINGERPRINT_LENGTH), z.regex(/^[0-9a-f]{64}$/, 'This is not a fingerprint.'))

/** Position from which a check continues: after the last verified event. */
export const CheckFrom = z.object({
  after: z._default(z.int().check(z.nonnegative()), 0),
  /** Fingerprint of that event from the last response; null at the beginning. */
  fingerprint: z._default(z.nullable(fingerprint), null),
})
export type CheckFrom = z.infer<typeof CheckFrom>

/** Result of a check of the chain of fingerprints. */
export const CheckResult = z.object({
  /** Last event up to which the chain is intact; 0 for none. */
  holdsTo: z.int(),
  fingerprint: z.nullable(z.string()),
  /** Time of that event. */
  timestamp: z.nullable(timestamp),
  /** Events in the stream now. */
  total: z.int(),
  /** First event that was changed, removed or inserted; null for an intact chain. */
  brokenAt: z.nullable(z.int()),
  /** True when all events are checked. */
  done: z.boolean(),
})
export type CheckResult = z.infer<typeof CheckResult>
