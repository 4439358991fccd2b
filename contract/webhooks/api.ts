import * as z from 'zod/mini'

import { BODY_LIMIT_TEXTS, defineApi, list } from '#contract/kit/endpoint.ts'
import { listQuery, wholeNumber } from '#contract/kit/query.ts'
import { ById, id, nothing, text } from '#contract/kit/text.ts'

import { webhooksAccess as access } from './access.ts'
import { DELIVERIES_KEPT, IssuedWebhook, Webhook, WebhookDelivery, webhookInputs } from './schema.ts'

const path = '/webhook'

/** Endpoints that receive signed events of incidents (decision 124). */
export const webhooksApi = defineApi({
  list: {
    method: 'GET',
    path: '/webhooks',
    access,
    summary: 'The outbound webhooks, without their secrets.',
    query: listQuery(['name', 'createTimestamp'], z.object({ q: z.optional(text()) })),
    reply: list(Webhook),
  },
  create: {
    method: 'POST',
    path,
    access,
    summary: 'Adds a webhook. This answer is the only one that carries its secret.',
    body: z.object(webhookInputs),
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: IssuedWebhook,
    status: 201,
    errors: { 409: 'The name is in use, or there are as many webhooks as an organization may have.' },
  },
  update: {
    method: 'PUT',
    path: `${path}/:id`,
    access,
    summary:
      'Changes a webhook, or switches it on or off. Events from before it is switched on are not sent.',
    params: ById,
    body: z.extend(z.object(webhookInputs), { version: z.optional(z.int()) }),
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: Webhook,
    errors: { 409: 'The name is in use, or somebody else changed the webhook meanwhile.' },
  },
  remove: {
    method: 'DELETE',
    path: `${path}/:id`,
    access,
    summary: 'Deletes a webhook with its deliveries. Nothing more is sent to it.',
    params: ById,
    reply: nothing,
    status: 204,
  },
  deliveries: {
    method: 'GET',
    path: `${path}/:id/deliveries`,
    access,
    summary: `The last ${DELIVERIES_KEPT} deliveries of a webhook, newest first.`,
    params: ById,
    query: z.object({
      /** Rows to skip. */
      offset: wholeNumber(0, 0, DELIVERIES_KEPT),
      size: wholeNumber(25, 1, DELIVERIES_KEPT),
    }),
    reply: z.object({ data: z.array(WebhookDelivery), total: z.int() }),
  },
  test: {
    method: 'POST',
    path: `${path}/:id/test`,
    access,
    summary: 'Sends a test to the endpoint, once, also while the webhook is switched off.',
    params: ById,
    reply: WebhookDelivery,
    status: 201,
    errors: { 409: 'A test is on its way already.' },
  },
  resend: {
    method: 'POST',
    path: `${path}/:id/delivery/:deliveryId`,
    access,
    summary: 'Sends a delivery again under the same id.',
    params: z.object({ id, deliveryId: id }),
    reply: WebhookDelivery,
    errors: { 409: 'It waits to be sent already.' },
  },
})
