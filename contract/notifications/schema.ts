import * as z from 'zod/mini'

import { id, timestamp } from '#contract/kit/text.ts'

/** The newest that are answered; older ones are only counted. */
export const NOTIFICATIONS_SHOWN = 100

/** An in-app notification to one person (foundation §3 "Notification (in-app)"). */
export const Notification = z.object({
  id,
  title: z.string(),
  details: z.string(),
  createTimestamp: timestamp,
  incidentId: z.nullable(id),
  activityId: z.nullable(id),
  /** Of a mention: the room and the message in it, whose id is a text where messages are at the hosted chat service. */
  roomId: z.nullable(id),
  messageId: z.nullable(z.string()),
  /** Of a reminder: the playbook that is to be reviewed. */
  playbookId: z.nullable(id),
  hasBeenRead: z.boolean(),
})
export type Notification = z.infer<typeof Notification>

export const Notifications = z.object({
  /** Newest first. */
  data: z.array(Notification),
  unreadCount: z.int(),
})
export type Notifications = z.infer<typeof Notifications>
