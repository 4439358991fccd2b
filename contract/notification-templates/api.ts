import * as z from 'zod/mini'

import { BODY_LIMIT_TEXTS, defineApi, list } from '#contract/kit/endpoint.ts'
import { ById, listQuery, nothing, text } from '#contract/kit/text.ts'

import { notificationTemplatesAccess as access } from './access.ts'
import { NewNotificationTemplate, NotificationTemplate, NotificationTemplateChanges } from './schema.ts'

export const TEMPLATE_SORT_FIELDS = ['title', 'updateTimestamp'] as const

/** Notifications prepared for the day they are needed (administration §7.4). */
export const notificationTemplatesApi = defineApi({
  list: {
    method: 'GET',
    path: '/massNotification/templates',
    access,
    summary: 'The notification templates, by title.',
    query: listQuery(
      TEMPLATE_SORT_FIELDS,
      z.object({
        /** Part of the title or of a message. */
        q: z.optional(text()),
      }),
    ),
    reply: list(NotificationTemplate),
  },
  create: {
    method: 'POST',
    path: '/massNotification/template',
    access,
    summary: 'Makes a notification template.',
    body: NewNotificationTemplate,
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: NotificationTemplate,
    status: 201,
  },
  update: {
    method: 'PUT',
    path: '/massNotification/template/:id',
    access,
    summary: 'Changes a notification template.',
    params: ById,
    body: NotificationTemplateChanges,
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: NotificationTemplate,
    errors: { 409: 'Somebody else changed the template meanwhile.' },
  },
  remove: {
    method: 'DELETE',
    path: '/massNotification/template/:id',
    access,
    summary: 'Deletes a notification template. What was sent from it stays in the history.',
    params: ById,
    reply: nothing,
    status: 204,
  },
})
