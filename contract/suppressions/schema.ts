import * as z from 'zod/mini'

import {
  id,
  listOf,
  MEDIUM_TEXT_MAX,
  requiredText,
  SHORT_TEXT_MAX,
  text,
  timestamp,
} from '#contract/kit/text.ts'

/**
 * Reasons why an address is not tried again. STOPPED: the person has unsubscribed from SMS. NO_SUCH_NUMBER: nobody has
 * this number. NO_SMS: it takes no SMS, such as a landline. BOUNCED: the mailbox does not exist.
 */
export const SUPPRESSION_REASONS = ['STOPPED', 'NO_SUCH_NUMBER', 'NO_SMS', 'BOUNCED'] as const
export const SuppressionReason = z.enum(SUPPRESSION_REASONS)
export type SuppressionReason = z.infer<typeof SuppressionReason>

export const LIFT_REASON_REQUIRED = 'Please enter why this may be tried again.'

/** An address or number that is not tried again, until somebody allows it. */
export const Suppression = z.object({
  id,
  kind: z.enum(['EMAIL', 'PHONE']),
  /** Email address in lower case, or a number as a plus sign and digits. */
  address: z.string(),
  reason: SuppressionReason,
  /** The carrier's code; null where the person has written STOP. */
  code: z.nullable(z.string()),
  /** The carrier's reason in words. */
  said: z.nullable(z.string()),
  /** The mass notification whose message failed; null for another message. */
  notificationId: z.nullable(id),
  createTimestamp: timestamp,
  /** Time at which it was allowed again; null while it is not tried. */
  liftTimestamp: z.nullable(timestamp),
  /** Email address of the administrator; null for a person who has written START. */
  liftedBy: z.nullable(z.string()),
  liftReason: z.nullable(z.string()),
})
export type Suppression = z.infer<typeof Suppression>
/** A suppression that was looked up. */
export const FoundSuppression = z.extend(Suppression, {
  /** Email address, as it was sent, of the user whose number it is; null for an address that was sent itself. */
  owner: z.nullable(z.string()),
})
export type FoundSuppression = z.infer<typeof FoundSuppression>

/** Suppressions in a page. */
export const SUPPRESSIONS_MAX = 100
/** Addresses that can be looked up at once. */
export const ADDRESSES_MAX = 500
/** Addresses and numbers to look up. */
export const Addresses = z.object({ addresses: listOf(text(SHORT_TEXT_MAX), ADDRESSES_MAX) })

/** An administrator's reason to try an address again. */
export const Lift = z.object({ reason: requiredText(LIFT_REASON_REQUIRED, MEDIUM_TEXT_MAX) })
