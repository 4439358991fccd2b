import * as z from 'zod/mini'

import { listOf, requiredText, SHORT_TEXT_MAX, text } from '#contract/kit/text.ts'

/** Bytes of a call. */
export const CALL_LIMIT = 256 * 1_024
/** Seconds that the time of a signature may differ from ours. */
export const SIGNATURE_SECONDS = 300
/** Alerts of a call; more do not fit into its bytes. */
const ALERTS_MAX = 5_000
const GROUP_KEY_MAX = 20_000
const DECLARED_TEXT_MAX = 20_000
const ID_REQUIRED = 'Please send the id by which you know this incident.'
const TITLE_REQUIRED = 'Please send a title.'
const TEXT_REQUIRED = 'Please send a text.'

/** A call of generic JSON. Unknown fields are refused, so that a misspelt one does not pass unseen. */
export const JsonCall = z.strictObject({
  /** The caller's own key of the incident. */
  id: requiredText(ID_REQUIRED, SHORT_TEXT_MAX),
  title: requiredText(TITLE_REQUIRED, SHORT_TEXT_MAX),
  text: requiredText(TEXT_REQUIRED, DECLARED_TEXT_MAX),
  /** A word of the source for a severity, or one of ours. */
  severity: z.optional(text(SHORT_TEXT_MAX)),
  isTabletop: z.optional(z.boolean()),
})
export type JsonCall = z.infer<typeof JsonCall>

// Values have no limit of their own, because they are cut where they are shown.
const values = z._default(z.record(z.string(), z.string()), {})
const Alert = z.object({
  status: z.enum(['firing', 'resolved']),
  labels: values,
  annotations: values,
  startsAt: z._default(z.string(), ''),
  endsAt: z._default(z.string(), ''),
})
export type Alert = z.infer<typeof Alert>

/** A call of Prometheus Alertmanager (webhook, version 4). Fields that are not needed are ignored. */
export const AlertmanagerCall = z.object({
  version: z.literal('4', 'Only version 4 of the webhook of Alertmanager is understood.'),
  groupKey: requiredText('The call has no groupKey.', GROUP_KEY_MAX),
  status: z.enum(['firing', 'resolved']),
  commonLabels: values,
  commonAnnotations: values,
  alerts: listOf(Alert, ALERTS_MAX).check(z.minLength(1, 'The call has no alerts.')),
})
export type AlertmanagerCall = z.infer<typeof AlertmanagerCall>

/** The answer to a call that was taken. */
export interface CallAnswer {
  readonly result: 'DECLARED' | 'UPDATED' | 'UNCHANGED'
  /** Null where there was nothing to declare. */
  readonly incidentId: string | null
}
