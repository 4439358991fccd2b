import * as z from 'zod/mini'

import { id, listOf, requiredText, timestamp } from '#contract/kit/text.ts'

export const WEBHOOK_NAME_REQUIRED = 'Please name this webhook.'
export const WEBHOOK_NAME_TAKEN = 'This name is already in use.'
export const URL_REQUIRED = 'Please enter the address that is called.'
export const URL_INVALID = 'Please enter an address that begins with https://, without a name and password.'
export const EVENTS_REQUIRED = 'Choose at least one event.'
export const TOO_MANY_WEBHOOKS = 'An organization has at most 20 webhooks. Please delete one first.'
export const WEBHOOKS_MAX = 20
const URL_MAX = 2_000

/** Events that an endpoint can receive. */
export const WEBHOOK_EVENTS = [
  'incident.declared',
  'incident.changed',
  'incident.resolved',
  'incident.reopened',
  'task.added',
  'task.completed',
  'update.added',
  'person.checked-in',
  'decision.made',
  'situation-report.published',
] as const
export const WebhookEvent = z.enum(WEBHOOK_EVENTS)
export type WebhookEvent = z.infer<typeof WebhookEvent>
/** Type of a delivery that tries an endpoint. */
export const TEST_TYPE = 'test'
const DeliveryType = z.enum([...WEBHOOK_EVENTS, TEST_TYPE])
export type DeliveryType = z.infer<typeof DeliveryType>

/** True for an absolute http or https address without credentials and fragment. */
function isWebAddress(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, username, password, hash, hostname } = new URL(value)
  return /^https?:$/.test(protocol) && hostname !== '' && username + password + hash === ''
}

/** The fields of a webhook that a person chooses. */
export const webhookInputs = {
  name: requiredText(WEBHOOK_NAME_REQUIRED),
  /** Called by POST. https, and http only to the machine of an installation for trials. */
  url: requiredText(URL_REQUIRED, URL_MAX).check(z.refine(isWebAddress, URL_INVALID)),
  events: z.pipe(
    listOf(WebhookEvent, WEBHOOK_EVENTS.length, { required: EVENTS_REQUIRED }),
    z.transform((events) => WEBHOOK_EVENTS.filter((event) => events.includes(event))),
  ),
  isOn: z._default(z.boolean(), true),
}
const NewWebhook = z.object(webhookInputs)
export type NewWebhook = z.infer<typeof NewWebhook>

/** An endpoint that receives signed events. */
export const Webhook = z.object({
  id,
  name: z.string(),
  url: z.string(),
  events: z.array(WebhookEvent),
  isOn: z.boolean(),
  /** Attempts that have failed in a row. */
  failures: z.int(),
  /** Time at which failures switched it off; null otherwise. */
  offTimestamp: z.nullable(timestamp),
  createTimestamp: timestamp,
  updateTimestamp: timestamp,
  /** Sent back with a change, so that a stale one is refused. */
  version: z.int(),
})
export type Webhook = z.infer<typeof Webhook>

/** A new webhook. No other response carries its secret. */
export const IssuedWebhook = z.extend(Webhook, { secret: z.string() })
export type IssuedWebhook = z.infer<typeof IssuedWebhook>

/** Deliveries of a webhook that are kept, beside those that wait. */
export const DELIVERIES_KEPT = 100
export const DELIVERY_STATES = ['WAITING', 'DELIVERED', 'FAILED'] as const
const DeliveryState = z.enum(DELIVERY_STATES)
export type DeliveryState = z.infer<typeof DeliveryState>

/** An event on its way to an endpoint. Its id is the header `X-Muster-Delivery` of each attempt. */
export const WebhookDelivery = z.object({
  id,
  type: DeliveryType,
  state: DeliveryState,
  attempts: z.int(),
  /** HTTP status of the last attempt; null without an answer. */
  status: z.nullable(z.int()),
  /** Reason of the last failure in a sentence. */
  problem: z.nullable(z.string()),
  /** First kilobyte of the last answer. */
  answer: z.nullable(z.string()),
  occurredTimestamp: timestamp,
  /** Time of the last attempt. */
  attemptTimestamp: z.nullable(timestamp),
  /** Time of the next attempt while it waits. */
  dueTimestamp: z.nullable(timestamp),
  incidentId: z.nullable(id),
  /** Null without an incident. */
  incidentTitle: z.nullable(z.string()),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>
