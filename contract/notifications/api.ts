import { signedIn } from '#contract/kit/access.ts'
import { defineApi } from '#contract/kit/endpoint.ts'
import { ById, nothing } from '#contract/kit/text.ts'

import { Notifications } from './schema.ts'

/** In-app notifications (foundation §7): each person sees and marks only their own. */
export const notificationsApi = defineApi({
  list: {
    method: 'GET',
    path: '/notifications',
    access: signedIn,
    summary: "The caller's newest notifications, and how many are unread in all.",
    reply: Notifications,
  },
  read: {
    method: 'POST',
    path: '/notifications/read/:id',
    access: signedIn,
    summary: 'Marks a notification as read.',
    params: ById,
    reply: nothing,
    status: 204,
  },
  readAll: {
    method: 'POST',
    path: '/notifications/read',
    access: signedIn,
    summary: 'Marks all of the notifications as read.',
    reply: nothing,
    status: 204,
  },
})
