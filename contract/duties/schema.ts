import * as z from 'zod/mini'

import {
  email,
  id,
  listOf,
  LONG_TEXT_MAX,
  MEDIUM_TEXT_MAX,
  optionalText,
  requiredText,
  SHORT_TEXT_MAX,
  text,
  timestamp,
} from '#contract/kit/text.ts'

/** Duties that an organisation keeps. */
export const DUTIES_MAX = 20
export const TOO_MANY_DUTIES = `An organization keeps at most ${DUTIES_MAX} duties. Please delete one that is not used.`
export const DUTY_NAME_REQUIRED = 'Please enter a name.'
export const DUTY_NAME_TAKEN = 'This name is in use.'
const DUTY_NAME_MAX = 100
/** Hours of a duty: at most a year. */
export const DUTY_HOURS_MAX = 8_760
export const DUTY_HOURS_PROBLEM = `Please enter whole hours from 1 to ${DUTY_HOURS_MAX.toLocaleString('en')}.`
const HOURS_DIGITS = 10
/** Files of the proof of a filing. */
export const DUTY_FILES_MAX = 20

export const AWARE_REQUIRED = 'Please enter when you became aware of the incident.'
export const AWARE_LATER = 'This time is in the future. Please enter when you became aware of it.'
export const AWARE_TOO_EARLY = 'This is more than a year ago. Please check the year.'
export const FILED_REQUIRED = 'Please enter when it was filed.'
export const FILED_LATER = 'This time is in the future. Please enter when it was filed.'
export const FILED_TOO_EARLY = 'This is before the time of awareness. Please check the date.'
export const CHOOSE_DUTIES = 'Please choose at least one clock.'
export const PROOF_REQUIRED =
  'Please enter a reference number or a link, or choose a file, so that the filing can be proven.'
export const NOT_NEEDED_REASON_REQUIRED = 'Please enter why it is not needed.'
export const LINK_PROBLEM = 'Please enter an address that begins with https:// or http://.'

/** A duty of the organisation's list: what has to be filed, until when and with whom. */
export const Duty = z.object({
  id,
  name: z.string(),
  /** Hours from the time of awareness. */
  hours: z.int(),
  /** With whom it is filed. */
  filedTo: z.nullable(z.string()),
  hint: z.nullable(z.string()),
  updateTimestamp: timestamp,
  /** Sent back with a change, so that a stale one is refused. */
  version: z.int(),
})
export type Duty = z.infer<typeof Duty>

/** Whole hours, which a form may send as they were typed. */
const hours = z.pipe(
  z.union([text(HOURS_DIGITS), z.number()], DUTY_HOURS_PROBLEM),
  z.pipe(
    z.transform(Number),
    z
      .int(DUTY_HOURS_PROBLEM)
      .check(z.minimum(1, DUTY_HOURS_PROBLEM), z.maximum(DUTY_HOURS_MAX, DUTY_HOURS_PROBLEM)),
  ),
)
/** The body of a duty. */
export const dutyInputs = {
  name: requiredText(DUTY_NAME_REQUIRED, DUTY_NAME_MAX),
  hours,
  filedTo: optionalText(SHORT_TEXT_MAX),
  hint: optionalText(MEDIUM_TEXT_MAX),
}

export const CLOCK_STATES = ['RUNNING', 'FILED', 'NOT_NEEDED'] as const
export const ClockState = z.enum(CLOCK_STATES)
export type ClockState = z.infer<typeof ClockState>

/** The clock of a duty in an incident. Its words are those of the duty when it was started. */
export const DutyClock = z.object({
  id,
  incidentId: id,
  /** Null for a duty that was deleted since. */
  dutyId: z.nullable(id),
  name: z.string(),
  filedTo: z.nullable(z.string()),
  hint: z.nullable(z.string()),
  state: ClockState,
  /** Time from which the hours count. */
  awareTimestamp: timestamp,
  dueTimestamp: timestamp,
  /** The person who files; null for somebody who was archived since. */
  holder: z.nullable(z.object({ email: z.string(), firstName: z.string(), lastName: z.string() })),
  startedBy: z.string(),
  startTimestamp: timestamp,
  /** Sanitised HTML; empty for none. */
  draft: z.string(),
  filedTimestamp: z.nullable(timestamp),
  filedBy: z.nullable(z.string()),
  reference: z.nullable(z.string()),
  link: z.nullable(z.string()),
  files: z.array(z.object({ id, name: z.string(), extension: z.string() })),
  /** Present for a clock that is not needed. */
  reason: z.nullable(z.string()),
  updatedBy: z.string(),
  updateTimestamp: timestamp,
  /** Sent back with each act, so that a stale one is refused. */
  version: z.int(),
})
export type DutyClock = z.infer<typeof DutyClock>

/** The clocks of an incident by due time, and the duties that can still be started. */
export const DutyClocks = z.object({
  clocks: z.array(DutyClock),
  startable: z.array(z.pick(Duty, { id: true, name: true, hours: true, filedTo: true, hint: true })),
})
export type DutyClocks = z.infer<typeof DutyClocks>

const version = z.int()
/** The body that starts clocks. */
export const ClocksStart = z.object({
  awareTimestamp: z.iso.datetime(AWARE_REQUIRED),
  dutyIds: listOf(id, DUTIES_MAX, { required: CHOOSE_DUTIES }),
  /** Email of the colleague who files; the caller without one. */
  holder: z._default(z.nullable(email), null),
})
export type ClocksStart = z.infer<typeof ClocksStart>
/** The body that changes a running clock: its draft, its holder or the time of awareness. */
export const ClockChanges = z.object({
  draft: z.optional(text(LONG_TEXT_MAX)),
  holder: z.optional(email),
  awareTimestamp: z.optional(z.iso.datetime(AWARE_REQUIRED)),
  version,
})
export type ClockChanges = z.infer<typeof ClockChanges>

const LINK = /^https?:\/\/\S+$/i
/** The body that proves what was filed. */
export const Filing = z.object({
  filedTimestamp: z.iso.datetime(FILED_REQUIRED),
  reference: optionalText(SHORT_TEXT_MAX),
  link: optionalText(MEDIUM_TEXT_MAX).check(
    z.refine((value) => value === null || LINK.test(value), LINK_PROBLEM),
  ),
  /** Files of the incident. */
  fileIds: z._default(listOf(id, DUTY_FILES_MAX), []),
  version,
})
export type Filing = z.infer<typeof Filing>
/** The body that ends a clock without a filing. */
export const NotNeeded = z.object({
  reason: requiredText(NOT_NEEDED_REASON_REQUIRED, MEDIUM_TEXT_MAX),
  version,
})
export type NotNeeded = z.infer<typeof NotNeeded>
/** The body that lets an ended clock run again. */
export const ClockVersion = z.object({ version })
export type ClockVersion = z.infer<typeof ClockVersion>
