import * as z from 'zod/mini'

import { PHONE_PROBLEMS } from '#contract/contacts/rules.ts'
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
export const SMS_OFF = 'SMS and automated voice calls are not available here.'
export const NOT_SUBSCRIBED = 'Your organization is currently not subscribed to Mass Notifications.'

/** What the page of notifications begins with (administration §3, §7.4). */
export const NotificationDashboard = z.object({
  /** Whether the organisation may send at all. */
  subscribed: z.boolean(),
  /** Notifications that the organisation may still send: one for each person and way. */
  remainingEvents: z.int(),
  /** What the organisation is called: mails are sent in its name. */
  organisation: z.string(),
  /** The types that this installation sends. */
  types: z.array(NotificationType),
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
  /** Why neither SMS nor call could go to their phone; null where they could. Missing where it was not noted. */
  phoneProblem: z.optional(z.nullable(z.enum(PHONE_PROBLEMS))),
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
  /** How many of them a message was sent to. Whether it arrived is not known: no carrier confirms it. */
  sentCount: z.int(),
  /** How many of them nothing was sent to yet, while a message waits. */
  waitingCount: z.int(),
  /** How many of those who were chosen nothing was sent to, and nothing waits for. */
  notReachedCount: z.int(),
  /** Who was notified; left out of a page of the list. */
  notifiedUserHistoryData: z.optional(z.array(NotifiedPerson)),
})
export type SentNotification = z.infer<typeof SentNotification>

/** The same with how far its messages have come. */
export const NotificationDetail = z.extend(SentNotification, {
  deliveries: z.array(Delivery),
  /** How many were notified as contacts. */
  contactCount: z.int(),
  /** How many were notified as members of groups. */
  memberCount: z.int(),
  /** Some of the chosen contacts by the names that they had, in the order of `contactIds`. */
  contactNames: z.array(z.string()),
})
export type NotificationDetail = z.infer<typeof NotificationDetail>

/** Why a message of one type went to nobody. */
export const MESSAGE_PROBLEMS = ['NO_EMAIL', ...PHONE_PROBLEMS] as const
/** What became of the message of one type to one person. */
export const RecipientMessage = z.object({
  type: NotificationType,
  /** NOT_SENT: there was none to send. */
  state: z.enum(['SENT', 'WAITING', 'FAILED', 'NOT_SENT']),
  /** Why there was none; null where that was not noted. */
  problem: z.nullable(z.enum(MESSAGE_PROBLEMS)),
  /** Why it failed or waits, in the words of the provider of mail or telephone where there are any. */
  reason: z.nullable(z.string()),
})
export type RecipientMessage = z.infer<typeof RecipientMessage>
/**
 * The state of somebody's messages, worst first. NOT_REACHED: nothing was sent, and nothing waits. WAITING: nothing was
 * sent yet. PARTLY: some were sent, others wait or failed. SENT: all of them.
 */
export const RECIPIENT_OUTCOMES = ['NOT_REACHED', 'WAITING', 'PARTLY', 'SENT'] as const
/** Somebody whom a notification was for. Who could be reached by none of its types was not notified, and is here too. */
export const Recipient = z.extend(NotifiedPerson, {
  outcome: z.enum(RECIPIENT_OUTCOMES),
  messages: z.array(RecipientMessage),
})
export type Recipient = z.infer<typeof Recipient>

/** Lists, contacts or groups that one notification can name. */
export const RECIPIENTS_MAX = 20_000

const chosenContacts = {
  /** Names of contact lists. */
  contactListIds: z._default(listOf(text(), RECIPIENTS_MAX), []),
  /** Addresses of contacts. */
  contactIds: z._default(listOf(email, RECIPIENTS_MAX), []),
}
export const ChosenContacts = z.object(chosenContacts)
export type ChosenContacts = z.infer<typeof ChosenContacts>
/** Whom a notification is for. */
export const Recipients = z.object({
  ...chosenContacts,
  groupIds: z._default(listOf(id, RECIPIENTS_MAX), []),
})
export type Recipients = z.infer<typeof Recipients>

/** Whom a notification would reach. */
export const NotificationReach = z.object({
  /** Contacts, each once. */
  contacts: z.int(),
  /** Those among them whose phone is pending validation or has failed it. */
  doubtful: z.int(),
  /** Those among them without a phone. */
  withoutPhone: z.int(),
  /** Addresses that an email would go to: of contacts and members, each once. */
  emails: z.int(),
  /** Numbers that an SMS would go to, and that would be called. */
  phones: z.int(),
})
export type NotificationReach = z.infer<typeof NotificationReach>

/** What is sent (administration §5, §7.4). What the types ask for is judged by `sendProblems`. */
export const NewNotification = z.extend(Recipients, {
  title: optionalText(),
  emailMessage: optionalText(LONG_TEXT_MAX),
  /** At most as long as the organisation's configuration lets an SMS be. */
  smsMessage: optionalText(LONG_TEXT_MAX),
  types: listOf(NotificationType, 10, { required: TYPE_REQUIRED }),
  level: z._default(EventLevel, 'NORMAL'),
})
export type NewNotification = z.infer<typeof NewNotification>
