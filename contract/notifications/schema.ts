import * as z from 'zod/mini'

import { id, timestamp } from '#contract/kit/text.ts'

/** Number of the newest notifications returned; older ones are only counted. */
export const NOTIFICATIONS_SHOWN = 100

/** An in-app notification to one person (foundation §3 "Notification (in-app)"). */
export const Notification = z.object({
  id,
  title: z.string(),
  details: z.string(),
  createTimestamp: timestamp,
  incidentId: z.nullable(id),
  activityId: z.nullable(id),
  /** Room and message of a mention. Message ids at the hosted chat service are not UUIDs. */
  roomId: z.nullable(id),
  messageId: z.nullable(z.string()),
  /** The playbook to review, for a reminder. */
  playbookId: z.nullable(id),
  /** The mass notification that waits for approval, or was decided about. */
  approvalId: z.nullable(id),
  hasBeenRead: z.boolean(),
})
export type Notification = z.infer<typeof Notification>

export const Notifications = z.object({
  /** Newest first. */
  data: z.array(Notification),
  unreadCount: z.int(),
})
export type Notifications = z.infer<typeof Notifications>
