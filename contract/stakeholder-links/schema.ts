import * as z from 'zod/mini'

import { id, requiredText, timestamp } from '#contract/kit/text.ts'

/** Links in a page. */
export const LINKS_PAGE_MAX = 50
/** Links of an incident that can be open at a time. */
export const OPEN_LINKS_MAX = 50
export const LINK_DAYS_MAX = 90
export const FOR_REQUIRED = 'Please say who the page is for.'
export const DAYS_RANGE = `Please enter a whole number of days from 1 to ${LINK_DAYS_MAX}.`
export const TOO_MANY_LINKS = `An incident has at most ${OPEN_LINKS_MAX} open pages for stakeholders. Please withdraw one first.`
export const PASSCODE_MAX = 100

export const StakeholderLinkState = z.enum(['OPEN', 'ENDED', 'WITHDRAWN'])
export type StakeholderLinkState = z.infer<typeof StakeholderLinkState>

/** A page with the published situation reports of an incident, for people without an account. */
export const StakeholderLink = z.object({
  id,
  incidentId: id,
  /** The people whom it is for, in the maker's words. */
  label: z.string(),
  /** Email of the maker, or name of an API key. */
  createdBy: z.string(),
  createTimestamp: timestamp,
  expireTimestamp: timestamp,
  withdrawnBy: z.nullable(z.string()),
  withdrawnTimestamp: z.nullable(timestamp),
  /** Visits with the right passcode. */
  visitsCount: z.int(),
  lastVisitTimestamp: z.nullable(timestamp),
  state: StakeholderLinkState,
})
export type StakeholderLink = z.infer<typeof StakeholderLink>
export const StakeholderLinks = z.object({ data: z.array(StakeholderLink), total: z.int() })
export type StakeholderLinks = z.infer<typeof StakeholderLinks>

/** The body that makes a link. */
export const NewStakeholderLink = z.object({
  label: requiredText(FOR_REQUIRED),
  /** Days until it ends. */
  days: z.int(DAYS_RANGE).check(z.minimum(1, DAYS_RANGE), z.maximum(LINK_DAYS_MAX, DAYS_RANGE)),
})
export type NewStakeholderLink = z.infer<typeof NewStakeholderLink>
/** A new link. No other answer has its address and its passcode. */
export const IssuedStakeholderLink = z.extend(StakeholderLink, { address: z.string(), passcode: z.string() })
export type IssuedStakeholderLink = z.infer<typeof IssuedStakeholderLink>
