import * as z from 'zod/mini'

import { Price } from '#contract/kit/message-prices.ts'
import { NewNotification, SentNotification } from '#contract/mass-notifications/schema.ts'
import { EscalationPlan } from '#contract/notification-escalations/schema.ts'
import { id, MEDIUM_TEXT_MAX, requiredText, timestamp } from '#contract/kit/text.ts'

/** Approvals in a page. */
export const APPROVALS_MAX = 50
/** Hours after which a notification that nobody decided about is not sent any more. */
export const APPROVAL_HOURS = 24
export const REFUSAL_REASON_REQUIRED = 'Please enter a reason.'

/** States of a notification that a second person decides about. */
export const APPROVAL_STATES = ['WAITING', 'APPROVED', 'REFUSED', 'WITHDRAWN', 'EXPIRED'] as const
export const ApprovalState = z.enum(APPROVAL_STATES)
export type ApprovalState = z.infer<typeof ApprovalState>

/** A notification that a second person approves before it is sent. */
export const NotificationApproval = z.object({
  id,
  ...z.pick(NewNotification, {
    title: true,
    emailMessage: true,
    smsMessage: true,
    types: true,
    level: true,
    contactListIds: true,
    contactIds: true,
    correction: true,
  }).shape,
  ...z.pick(SentNotification, { groupNames: true, isExercise: true }).shape,
  /** Steps for those who do not answer; null without a plan. */
  escalation: z.nullable(EscalationPlan),
  /** Language of the words around the messages; null for that of the organization. */
  language: z.nullable(z.string()),
  /** The answers of its question; null without one. */
  answers: z.nullable(z.array(z.string())),
  /** People whom it would have been sent to when it was requested, and what it would have taken from the quota. */
  peopleCount: z.int(),
  needed: z.int(),
  /** Price of the SMS and calls at that time; null without a price list. */
  price: z.nullable(Price),
  /** Email of a person, or name of an API key. */
  requestedBy: z.string(),
  createTimestamp: timestamp,
  /** Time after which it is not sent any more. */
  expireTimestamp: timestamp,
  state: ApprovalState,
  /** The person who decided; null while it waits, and where it expired. */
  decidedBy: z.nullable(z.string()),
  decideTimestamp: z.nullable(timestamp),
  /** Reason of a refusal. */
  reason: z.nullable(z.string()),
  /** The notification that was sent. */
  notificationId: z.nullable(z.pick(SentNotification, { id: true }).shape.id),
  /** True for a caller who may approve or refuse it. */
  canDecide: z.boolean(),
  /** True for a caller who may withdraw it. */
  canWithdraw: z.boolean(),
})
export type NotificationApproval = z.infer<typeof NotificationApproval>

export const Refused = z.object({ reason: requiredText(REFUSAL_REASON_REQUIRED, MEDIUM_TEXT_MAX) })
export type Refused = z.infer<typeof Refused>
