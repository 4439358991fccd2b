import * as z from 'zod/mini'

import { personWith } from '#contract/kit/access.ts'
import { BODY_LIMIT_LISTS, BODY_LIMIT_TEXTS, defineApi } from '#contract/kit/endpoint.ts'
import { truth, wholeNumber } from '#contract/kit/query.ts'
import { ById } from '#contract/kit/text.ts'
import { massNotificationsAccess as access } from '#contract/mass-notifications/access.ts'
import { NewNotification } from '#contract/mass-notifications/schema.ts'

import { APPROVALS_MAX, NotificationApproval, Refused } from './schema.ts'

const deciding = {
  access: personWith('mass-notifs'),
  params: ById,
  reply: NotificationApproval,
} as const

/** Mass notifications that a second person approves before they are sent (decision 107). */
export const notificationApprovalsApi = defineApi({
  list: {
    method: 'GET',
    path: '/massNotification/approval',
    access,
    summary: 'The notifications that wait for approval, or all that ever did, newest first.',
    query: z.object({
      waiting: z._default(truth, true),
      /** Rows to skip. */
      offset: wholeNumber(0, 0, 1_000_000),
      size: wholeNumber(APPROVALS_MAX, 1, APPROVALS_MAX),
    }),
    reply: z.object({ data: z.array(NotificationApproval), total: z.int() }),
  },
  get: {
    method: 'GET',
    path: '/massNotification/approval/:id',
    access,
    summary: 'One notification that waits for approval, or was decided about.',
    params: ById,
    reply: NotificationApproval,
  },
  request: {
    method: 'POST',
    path: '/massNotification/approval',
    access,
    summary:
      'Asks for approval of a notification, also where none is needed. Those who may approve it are told by a notification and an email.',
    body: NewNotification,
    bodyLimit: BODY_LIMIT_LISTS,
    limit: 'broadcasts',
    reply: NotificationApproval,
    status: 201,
    errors: {
      403: 'The organisation is not subscribed to mass notifications.',
      409: 'More notifications would be needed than remain, or nobody else may approve.',
    },
  },
  approve: {
    method: 'POST',
    path: '/massNotification/approval/:id/approve',
    ...deciding,
    summary: 'Approves and sends it, in the name of the person who asked. Not for that person.',
    errors: {
      403: 'The caller asked for approval.',
      409: 'It was decided about or has expired, the person who asked may no longer notify, or more notifications would be needed than remain.',
    },
  },
  refuse: {
    method: 'POST',
    path: '/massNotification/approval/:id/refuse',
    ...deciding,
    summary: 'Refuses it with a reason: it is not sent.',
    body: Refused,
    bodyLimit: BODY_LIMIT_TEXTS,
    errors: { 403: 'The caller asked for approval.', 409: 'It was decided about or has expired.' },
  },
  withdraw: {
    method: 'POST',
    path: '/massNotification/approval/:id/withdraw',
    access,
    params: ById,
    summary: 'Withdraws it: it is not sent. Only for whoever asked.',
    reply: NotificationApproval,
    errors: { 403: 'Somebody else asked for approval.', 409: 'It was decided about or has expired.' },
  },
})
