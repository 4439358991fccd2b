import * as z from 'zod/mini'

import { email, id, listOf, LONG_TEXT_MAX, optionalText, text, timestamp } from '#contract/kit/text.ts'
import { EventLevel } from '#contract/notification-templates/schema.ts'

/** Ways to reach somebody (administration §3). VOICE_CALL reads the message out. */
export const NOTIFICATION_TYPES = ['EMAIL', 'SMS', 'VOICE_CALL'] as const
export const NotificationType = z.enum(NOTIFICATION_TYPES)
export type NotificationType = z.infer<typeof NotificationType>

export const EMAIL_SUBJECT_REQUIRED = 'Email subject is required.'
export const EMAIL_MESSAGE_REQUIRED = 'Email message is a required field.'
export const SMS_MESSAGE_REQUIRED = 'SMS/automated voice message is a required field.'
export const TYPE_REQUIRED = 'Please select at least one notification type.'
export const RECIPIENT_REQUIRED = 'Please select at least one contact list, contact or group.'
export const NOT_SUBSCRIBED = 'Your organization is currently not subscribed to Mass Notifications.'

/** What the page of notifications begins with (administration §3, §7.4). */
export const NotificationDashboard = z.object({
  /** Whether the organisation may send at all. */
  subscribed: z.boolean(),
  /** Notifications that the organisation may still send: one for each person and way. */
  remainingEvents: z.int(),
})
export type NotificationDashboard = z.infer<typeof NotificationDashboard>

/** A group as somebody who can be notified (administration §3). */
export const NotificationGroup = z.object({
  id,
  name: z.string(),
  /** Active members. */
  userCount: z.int(),
  /** Those among them whose phone can be reached. */
  userPhoneCount: z.int(),
  /** Administrators of groups and keys have access to every group, others to those that they are in. */
  canAccess: z.boolean(),
})
export type NotificationGroup = z.infer<typeof NotificationGroup>

/** Somebody who was notified, as they were then. */
export const NotifiedPerson = z.object({
  name: z.string(),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  /** The group by which they were notified; null for a contact. */
  shqGroupId: z.nullable(id),
  shqGroupName: z.nullable(z.string()),
  /** The contact lists by which they were notified. */
  lists: z.array(z.string()),
  /** Whether they were chosen themselves. */
  targeted: z.boolean(),
})
export type NotifiedPerson = z.infer<typeof NotifiedPerson>

/** How many messages of one kind have come how far. */
export const Delivery = z.object({
  type: NotificationType,
  /** Accepted by the provider of mail or telephone, or kept in the outbox where there is none. */
  sent: z.int(),
  waiting: z.int(),
  failed: z.int(),
})
export type Delivery = z.infer<typeof Delivery>

/** A notification in the history (administration §3 "Sent notification"). */
export const SentNotification = z.object({
  id,
  title: z.nullable(z.string()),
  emailMessage: z.nullable(z.string()),
  /** Without the tag that an SMS carries. */
  smsMessage: z.nullable(z.string()),
  types: z.array(NotificationType),
  level: EventLevel,
  /** Names of the contact lists that were chosen. */
  contactListIds: z.array(z.string()),
  /** Addresses of the contacts that were chosen. */
  contactIds: z.array(z.string()),
  /** Names of the groups that were chosen. */
  groupNames: z.array(z.string()),
  createTimestamp: timestamp,
  /** Who sent it: an email, or the name of an API key. */
  createdBy: z.string(),
  /** How many people were notified. */
  notifiedCount: z.int(),
  /** Who was notified; left out of a page of the list. */
  notifiedUserHistoryData: z.optional(z.array(NotifiedPerson)),
})
export type SentNotification = z.infer<typeof SentNotification>

/** The same with how far its messages have come. */
export const NotificationDetail = z.extend(SentNotification, {
  notifiedUserHistoryData: z.array(NotifiedPerson),
  deliveries: z.array(Delivery),
})
export type NotificationDetail = z.infer<typeof NotificationDetail>

/** Lists, contacts or groups that one notification can name. */
export const RECIPIENTS_MAX = 20_000

/** What is sent (administration §5, §7.4). What the types ask for is judged by `sendProblems`. */
export const NewNotification = z.object({
  title: optionalText(),
  emailMessage: optionalText(LONG_TEXT_MAX),
  /** At most as long as the organisation's configuration lets an SMS be. */
  smsMessage: optionalText(LONG_TEXT_MAX),
  types: listOf(NotificationType, 10, { required: TYPE_REQUIRED }),
  level: z._default(EventLevel, 'NORMAL'),
  /** Names of contact lists. */
  contactListIds: z._default(listOf(text(), RECIPIENTS_MAX), []),
  /** Addresses of contacts. */
  contactIds: z._default(listOf(email, RECIPIENTS_MAX), []),
  groupIds: z._default(listOf(id, RECIPIENTS_MAX), []),
})
export type NewNotification = z.infer<typeof NewNotification>
