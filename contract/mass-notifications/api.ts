import * as z from 'zod/mini'

import { BODY_LIMIT_LISTS, defineApi, list } from '#contract/kit/endpoint.ts'
import { listQuery } from '#contract/kit/query.ts'
import { ById, id, listOf, text } from '#contract/kit/text.ts'

import { groupMembersAccess, massNotificationsAccess as access } from './access.ts'
import {
  NewNotification,
  NotificationDashboard,
  NotificationDetail,
  NotificationGroup,
  NotifiedPerson,
  RECIPIENTS_MAX,
  SentNotification,
} from './schema.ts'

export const NOTIFICATION_SORT_FIELDS = ['createTimestamp', 'level', 'notifiedCount', 'title'] as const

/** Email, SMS and automated voice to many people at once (administration §7.4). */
export const massNotificationsApi = defineApi({
  dashboard: {
    method: 'GET',
    path: '/massNotification',
    access,
    summary: 'What the organisation may still send.',
    reply: NotificationDashboard,
  },
  send: {
    method: 'POST',
    path: '/massNotification',
    access,
    summary:
      'Notifies everybody who is in the contact lists and groups, and the contacts that are named: each person once for each type.',
    body: NewNotification,
    bodyLimit: BODY_LIMIT_LISTS,
    reply: NotificationDetail,
    status: 201,
    errors: {
      403: 'The organisation is not subscribed to mass notifications.',
      409: 'More notifications would be needed than remain: nothing is sent.',
    },
  },
  groups: {
    method: 'GET',
    path: '/massNotification/groups',
    access,
    summary: 'The groups that can be notified, by name. None where the organisation has no groups.',
    reply: z.array(NotificationGroup),
  },
  members: {
    method: 'POST',
    path: '/massNotification/groups/members',
    access: groupMembersAccess,
    repeatable: true,
    summary:
      'Whom a notification to these groups would reach: their active members, each once, below the first of their groups.',
    body: z.object({ groupIds: listOf(id, RECIPIENTS_MAX) }),
    bodyLimit: BODY_LIMIT_LISTS,
    reply: z.array(NotifiedPerson),
  },
  list: {
    method: 'GET',
    path: '/massNotification/history',
    access,
    summary: 'What was sent, newest first. A page leaves out who was notified; the whole list has it.',
    query: listQuery(
      NOTIFICATION_SORT_FIELDS,
      z.object({
        /** Part of the subject or of a message. */
        q: z.optional(text()),
      }),
    ),
    reply: list(SentNotification),
  },
  get: {
    method: 'GET',
    path: '/massNotification/history/:id',
    access,
    summary: 'One notification that was sent, with who was notified and how far its messages have come.',
    params: ById,
    reply: NotificationDetail,
  },
})
