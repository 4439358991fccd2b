import * as z from 'zod/mini'

import { id, requiredText, timestamp } from '#contract/kit/text.ts'

export const REASON_MAX = 1_000
export const REASON_REQUIRED = 'Please say why you need to look into this organization.'
/** Code of refusals until a reason is stated. */
export const NEEDS_REASON = 'reason_required'

/** Why a member of staff looks into an organisation. */
export const AccessReason = z.object({ reason: requiredText(REASON_REQUIRED, REASON_MAX) })
/** Access of a member of staff to the people and incidents of one organisation, for an hour. */
export const OrganisationAccess = z.object({ id, reason: z.string(), expiresAt: timestamp })
export type OrganisationAccess = z.infer<typeof OrganisationAccess>
