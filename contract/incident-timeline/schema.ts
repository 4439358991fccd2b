import * as z from 'zod/mini'

import { id, requiredText, text, timestamp } from '#contract/kit/text.ts'

/** Kinds of acts in a timeline, in the order of their filters. */
export const TIMELINE_KINDS = [
  'INCIDENT',
  'ROLE',
  'DECISION',
  'TASK',
  'UPDATE',
  'ENTRY',
  'CHECK_IN',
  'ANSWER',
  'NOTIFICATION',
  'CALL',
  'FILE',
  'PLAYBOOK',
  'REPORT',
  'FOLLOW_UP',
  'DUTY',
] as const
export const TimelineKind = z.enum(TIMELINE_KINDS)
export type TimelineKind = z.infer<typeof TimelineKind>

/** Rows per page. */
export const TIMELINE_PAGE_MAX = 100
/** Lines of one row; the rest is counted. */
export const LINES_MAX = 100
/** Characters of a line. */
export const LINE_MAX = 2_000
/** Characters of an entry by hand. */
export const ENTRY_MAX = 2_000
/** People whom the filter offers, the busiest first. */
export const TIMELINE_PEOPLE_MAX = 100

export const ENTRY_REQUIRED = 'Please enter what happened.'
export const ENTRY_TOO_LONG = `An entry has at most ${ENTRY_MAX.toLocaleString('en')} characters. Please divide it into several.`
export const HAPPENED_LATER = 'This time is in the future. Please enter when it happened.'
export const HAPPENED_TOO_EARLY =
  'This is more than a year before the start of the incident. Please check the year.'

/** An entry by hand, as its author or an administrator edits it. */
export const TimelineEntry = z.object({
  id,
  incidentId: id,
  text: z.string(),
  happenedTimestamp: timestamp,
  /** Email of the author, or name of an API key. */
  createdBy: z.string(),
  createTimestamp: timestamp,
  updateTimestamp: timestamp,
  isAfterResolution: z.boolean(),
  removedBy: z.nullable(z.string()),
  removedTimestamp: z.nullable(timestamp),
  /** The original chat message, visible to members of its room. */
  message: z.nullable(z.object({ id, roomId: id })),
  canEdit: z.boolean(),
  version: z.int(),
})
export type TimelineEntry = z.infer<typeof TimelineEntry>

/** A line of a row: the sentence first, its details after it. */
export const TimelineLine = z.object({
  text: z.string(),
  tone: z.nullable(z.enum(['strong', 'muted'])),
})
export type TimelineLine = z.infer<typeof TimelineLine>

/** An act, or several of one author, second and kind. */
export const TimelineRow = z.object({
  id,
  kind: TimelineKind,
  happenedTimestamp: timestamp,
  /** Time at which it was recorded, where that is another one. */
  recordedTimestamp: z.nullable(timestamp),
  author: z.string(),
  lines: z.array(TimelineLine),
  /** Lines that were left out. */
  moreCount: z.int(),
  /** Present for an entry by hand. */
  entry: z.nullable(TimelineEntry),
})
export type TimelineRow = z.infer<typeof TimelineRow>

/** A page of a timeline, newest first. `next` is the cursor of the following page; null for the last one. */
export const TimelinePage = z.object({ data: z.array(TimelineRow), next: z.nullable(z.string()) })
export type TimelinePage = z.infer<typeof TimelinePage>

/** Choices of the filters of a timeline, with the numbers of acts. */
export const TimelineFilters = z.object({
  kinds: z.array(z.object({ kind: TimelineKind, count: z.int() })),
  /** Authors by the name that events have: email of a person, name of an API key. */
  people: z.array(z.object({ author: z.string(), name: z.string(), count: z.int() })),
})
export type TimelineFilters = z.infer<typeof TimelineFilters>

/** The body of a new entry. Without a time it happened now. */
export const NewEntry = z.object({
  text: requiredText(ENTRY_REQUIRED, ENTRY_MAX, ENTRY_TOO_LONG),
  happenedTimestamp: z._default(z.nullable(timestamp), null),
})
export type NewEntry = z.infer<typeof NewEntry>

/** The body of a changed entry. A stale version is refused. */
export const EntryChanges = z.object({
  text: requiredText(ENTRY_REQUIRED, ENTRY_MAX, ENTRY_TOO_LONG),
  happenedTimestamp: timestamp,
  version: z.int(),
})
export type EntryChanges = z.infer<typeof EntryChanges>

/** A former state of an entry, from the event that changed it. */
export const EntryChange = z.object({
  id,
  /** `changed` or `removed`. */
  verb: z.string(),
  author: z.string(),
  timestamp,
  /** Text and time before the change; null for what stayed. */
  textBefore: z.nullable(z.string()),
  happenedBefore: z.nullable(timestamp),
})
export type EntryChange = z.infer<typeof EntryChange>

const CURSOR = /^\d{1,18}\.[01]\.\d{1,18}$/
export const Cursor = text().check(z.regex(CURSOR, 'This is no cursor of a timeline.'))
