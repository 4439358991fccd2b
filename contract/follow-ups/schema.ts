import * as z from 'zod/mini'

import { email, id, optionalText, requiredText, SHORT_TEXT_MAX, timestamp } from '#contract/kit/text.ts'

/** Characters of the text of a follow-up. */
export const FOLLOW_UP_DETAILS_MAX = 4_000
/** Follow-ups of one incident. */
export const FOLLOW_UPS_MAX = 200
/** Follow-ups per page. */
export const FOLLOW_UPS_PAGE_MAX = 100
/** Years for which one can be due ahead. */
export const FOLLOW_UP_YEARS_MAX = 5

export const FOLLOW_UP_TITLE_REQUIRED = 'Please enter what has to be done.'
export const FOLLOW_UP_OWNER_REQUIRED = 'Please choose who does it.'
export const FOLLOW_UP_DUE_REQUIRED = 'Please enter until when it has to be done.'
export const FOLLOW_UP_DUE_PAST = 'This time has passed. Please choose one in the future.'
export const FOLLOW_UP_DUE_TOO_LATE = `Please choose a time within ${FOLLOW_UP_YEARS_MAX} years.`
export const TOO_MANY_FOLLOW_UPS = `An incident has at most ${FOLLOW_UPS_MAX} follow-ups. Please put several into one.`

/** Lists of follow-ups across incidents. `NOBODY` are open ones without an active owner. */
export const FOLLOW_UP_LISTS = ['MINE', 'OPEN', 'OVERDUE', 'NOBODY', 'DONE'] as const
export const FollowUpList = z.enum(FOLLOW_UP_LISTS)
export type FollowUpList = z.infer<typeof FollowUpList>

/** A follow-up of an incident: an action that its analysis asks for. */
export const FollowUp = z.object({
  id,
  incidentId: id,
  incidentNumber: z.string(),
  incidentTitle: z.string(),
  isTabletop: z.boolean(),
  title: z.string(),
  details: z.nullable(z.string()),
  /** Null for somebody who was archived, banned or deleted since. */
  owner: z.nullable(z.object({ email: z.string(), firstName: z.string(), lastName: z.string() })),
  dueTimestamp: timestamp,
  /** Email, or name of an API key, as in the field below. */
  createdBy: z.string(),
  createTimestamp: timestamp,
  updateTimestamp: timestamp,
  doneBy: z.nullable(z.string()),
  doneTimestamp: z.nullable(timestamp),
  isMine: z.boolean(),
  canEdit: z.boolean(),
  /** True for its owner, and for people who may change incidents. */
  canFinish: z.boolean(),
  /** Sent back with each act, so that a stale one is refused. */
  version: z.int(),
})
export type FollowUp = z.infer<typeof FollowUp>

/** A page of follow-ups. */
export const FollowUpPage = z.object({ data: z.array(FollowUp), total: z.int() })
export type FollowUpPage = z.infer<typeof FollowUpPage>

/** A page of follow-ups across incidents, with the numbers of the lists of open ones. */
export const FollowUps = z.object({
  ...FollowUpPage.shape,
  counts: z.object({ MINE: z.int(), OPEN: z.int(), OVERDUE: z.int(), NOBODY: z.int() }),
})
export type FollowUps = z.infer<typeof FollowUps>

/** The body of a new follow-up. */
export const NewFollowUp = z.object({
  title: requiredText(FOLLOW_UP_TITLE_REQUIRED, SHORT_TEXT_MAX),
  details: optionalText(FOLLOW_UP_DETAILS_MAX),
  /** Email of an active colleague. */
  owner: z.pipe(requiredText(FOLLOW_UP_OWNER_REQUIRED), email),
  dueTimestamp: z.iso.datetime(FOLLOW_UP_DUE_REQUIRED),
})
export type NewFollowUp = z.infer<typeof NewFollowUp>
const version = z.int()
/** The body of a changed follow-up, with all fields. A stale version is refused. */
export const FollowUpChanges = z.object({ ...NewFollowUp.shape, version })
export type FollowUpChanges = z.infer<typeof FollowUpChanges>
/** The body that marks a follow-up as done, or opens it again. */
export const FollowUpDone = z.object({ isDone: z.boolean(), version })
export type FollowUpDone = z.infer<typeof FollowUpDone>
