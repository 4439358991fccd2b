import * as z from 'zod/mini'

import { Price, Prices } from '#contract/kit/message-prices.ts'
import { PHONE_PROBLEMS } from '#contract/contacts/schema.ts'
import {
  email,
  id,
  listOf,
  LONG_TEXT_MAX,
  MEDIUM_TEXT_MAX,
  optionalText,
  requiredText,
  text,
  timestamp,
  trimmedText,
} from '#contract/kit/text.ts'
import {
  AnswerTone,
  AskedQuestion,
  GivenAnswer,
  ON_BEHALF_REASON_REQUIRED,
  NOTE_MAX,
  NOTE_TOO_LONG,
  Question,
  QuestionResult,
  Standing,
} from '#contract/notification-questions/schema.ts'
import { EscalationPlan, OrderMinutes } from '#contract/notification-escalations/schema.ts'
import { EventLevel, MessageLanguage } from '#contract/notification-templates/schema.ts'

/** Channels of a notification (administration §3). VOICE_CALL reads the message aloud. */
export const NOTIFICATION_TYPES = ['EMAIL', 'SMS', 'VOICE_CALL'] as const
export const NotificationType = z.enum(NOTIFICATION_TYPES)
export type NotificationType = z.infer<typeof NotificationType>

export const EMAIL_SUBJECT_REQUIRED = 'Email subject is required.'
export const EMAIL_MESSAGE_REQUIRED = 'Email message is a required field.'
export const SMS_MESSAGE_REQUIRED = 'SMS/automated voice message is a required field.'
export const TYPE_REQUIRED = 'Please select at least one notification type.'
export const RECIPIENT_REQUIRED = 'Please select at least one contact list, contact or group.'
export const CORRECTION_REQUIRED = 'Please enter what is right.'
export const SMS_OFF = 'SMS and automated voice calls are not available here.'
/** The message where no carrier takes calls, or none takes SMS. */
export const TYPE_OFF = 'This notification type is not available here. Please choose another one.'
export const NOT_SUBSCRIBED = 'Your organization is currently not subscribed to Mass Notifications.'

const MessageWords = z.object({ answer: z.string(), reply: z.string(), press: z.string() })

/** The state above the list of notifications (administration §3, §7.4). */
export const NotificationDashboard = z.object({
  /** True when the organisation may send notifications. */
  subscribed: z.boolean(),
  /** Remaining quota: one for each person and channel. */
  remainingEvents: z.int(),
  /** Name of the organisation, in which mails are sent. */
  organisation: z.string(),
  /** Channels that this installation supports. */
  types: z.array(NotificationType),
  /** A link like those to the answer page, and as long. */
  answerLink: z.string(),
  /** True where an SMS can be answered by a reply. */
  takesReplies: z.boolean(),
  /** True where a call can be answered by a key. */
  takesKeys: z.boolean(),
  /** Words around messages, in the language of the organisation. */
  words: z.optional(MessageWords),
  /** Those words in each language, by its first part: `fr`. */
  wordsIn: z.optional(z.record(z.string(), MessageWords)),
})
export type NotificationDashboard = z.infer<typeof NotificationDashboard>

/** A group that can be notified (administration §3). */
export const NotificationGroup = z.object({
  id,
  name: z.string(),
  /** Active members. */
  userCount: z.int(),
  /** Active members with a valid phone number. */
  userPhoneCount: z.int(),
  /** True for API keys, administrators of groups, and members. */
  canAccess: z.boolean(),
  /** True for a group whose members can be asked in order. */
  isOrdered: z.boolean(),
})
export type NotificationGroup = z.infer<typeof NotificationGroup>

/** A person who was notified, as recorded then. */
export const NotifiedPerson = z.object({
  name: z.string(),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  /**
   * The group that the person was notified for, the incident of people who have not checked in, or the notification
   * that is followed up; null for a contact.
   */
  shqGroupId: z.nullable(id),
  shqGroupName: z.nullable(z.string()),
  /** The contact lists through which the person was notified. */
  lists: z.array(z.string()),
  /** True for a person who was chosen individually. */
  targeted: z.boolean(),
  /** Why the phone could get neither SMS nor calls; null for a usable one. Absent from older records. */
  phoneProblem: z.optional(z.nullable(z.enum(PHONE_PROBLEMS))),
})
export type NotifiedPerson = z.infer<typeof NotifiedPerson>

/** Counts of messages of one type, by state. */
export const Delivery = z.object({
  type: NotificationType,
  /** Accepted by the mail or telephone provider, or kept in the outbox without one; also what was delivered. */
  sent: z.int(),
  /** Sent messages whose delivery a carrier has confirmed. */
  delivered: z.int(),
  waiting: z.int(),
  failed: z.int(),
})
export type Delivery = z.infer<typeof Delivery>

/** A notification in the history (administration §3 "Sent notification"). */
export const SentNotification = z.object({
  id,
  title: z.nullable(z.string()),
  emailMessage: z.nullable(z.string()),
  /** Without the tag of an SMS. */
  smsMessage: z.nullable(z.string()),
  types: z.array(NotificationType),
  level: EventLevel,
  /** Names of the chosen contact lists. */
  contactListIds: z.array(z.string()),
  /** Email addresses of the chosen contacts. */
  contactIds: z.array(z.string()),
  /** Names of the chosen groups. */
  groupNames: z.array(z.string()),
  createTimestamp: timestamp,
  /** Email of a person, or name of an API key. */
  createdBy: z.string(),
  notifiedCount: z.int(),
  /** People to whom a message was sent, also those whom it reached. */
  sentCount: z.int(),
  /** People of `sentCount` with a confirmed delivery or an answer of their own. */
  reachedCount: z.int(),
  /** People to whom nothing has been sent yet, while a message waits. */
  waitingCount: z.int(),
  /** Chosen people to whom nothing was sent, and for whom no message waits. */
  notReachedCount: z.int(),
  /** True for a notification about an exercise. */
  isExercise: z.boolean(),
  /** Language in which it is spoken, and of the words around it; null for one of an earlier release. */
  language: z.nullable(z.string()),
  /** True for a communication test, and for notifications that follow one up. */
  isTest: z.boolean(),
  /** The incident that it is about; null for none. */
  incidentId: z.nullable(id),
  /** The second person, who approved it; null where none was needed. */
  approvedBy: z.nullable(z.string()),
  /** A correction that was prepared with it; null for none. */
  correction: z.nullable(z.string()),
  /** The notification that it corrects; null for none. */
  correctsId: z.nullable(id),
  /** Estimated price of SMS and calls, by the price list of its time; null without one. */
  price: z.optional(z.nullable(Price)),
  /** The question to the recipients; null for none. */
  question: z.nullable(AskedQuestion),
  /** The plan by which those who have not answered are asked again; null for none. */
  escalation: z.nullable(EscalationPlan),
  /** Minutes after which the next member of the group is asked; null unless it is asked in order. */
  inOrderMinutes: z.nullable(z.int()),
  /** The notified people; absent from pages of the list. */
  notifiedUserHistoryData: z.optional(z.array(NotifiedPerson)),
})
export type SentNotification = z.infer<typeof SentNotification>

/** A notification with the state of its messages. */
export const NotificationDetail = z.extend(SentNotification, {
  deliveries: z.array(Delivery),
  /** People notified as contacts. */
  contactCount: z.int(),
  /** People notified as members of groups. */
  memberCount: z.int(),
  /** Names of some chosen contacts at that time, in the order of `contactIds`. */
  contactNames: z.array(z.string()),
  /** The newest correction that was sent; null for none. */
  correctionId: z.nullable(id),
  /** The answers so far; null without a question. */
  result: z.nullable(QuestionResult),
})
export type NotificationDetail = z.infer<typeof NotificationDetail>

/** Why no message of a type was sent to a person. */
export const MESSAGE_PROBLEMS = ['NO_EMAIL', ...PHONE_PROBLEMS] as const
/** The message of one type to one person. */
export const RecipientMessage = z.object({
  type: NotificationType,
  /** NOT_SENT: no message was made. */
  state: z.enum(['DELIVERED', 'SENT', 'WAITING', 'FAILED', 'NOT_SENT']),
  /** Why no message was made; null where no reason was recorded. */
  problem: z.nullable(z.enum(MESSAGE_PROBLEMS)),
  /** Error of a failed or waiting message, from the mail or telephone provider if any. */
  reason: z.nullable(z.string()),
  /** Time at which it was delivered, sent or failed; null for others. */
  doneTimestamp: z.nullable(timestamp),
})
export type RecipientMessage = z.infer<typeof RecipientMessage>
/**
 * State of a person's messages, worst first. NOT_REACHED: nothing was sent, and nothing waits. WAITING:
 * nothing was sent yet. PARTLY: some were sent, others wait or failed. SENT: all of them. REACHED: a carrier has
 * confirmed the delivery of one, or the person has answered.
 */
export const RECIPIENT_OUTCOMES = ['NOT_REACHED', 'WAITING', 'PARTLY', 'SENT', 'REACHED'] as const
/** A chosen person, including one who could not be reached by any type. */
export const Recipient = z.extend(NotifiedPerson, {
  /** Number of the person within the notification. */
  person: z.int(),
  outcome: z.enum(RECIPIENT_OUTCOMES),
  messages: z.array(RecipientMessage),
})
export type Recipient = z.infer<typeof Recipient>

/**
 * State of an attempt. DEFERRED: not accepted for now, tried again. UNKNOWN: perhaps accepted, since the answer was lost.
 * SENT: accepted.
 */
export const ATTEMPT_STATES = ['DEFERRED', 'UNKNOWN', 'SENT', 'DELIVERED', 'FAILED'] as const
/** An attempt to hand a message to a carrier, and what the carrier reported later. */
export const MessageAttempt = z.object({
  carrier: z.string(),
  /** Id at the carrier. */
  providerId: z.nullable(z.string()),
  state: z.enum(ATTEMPT_STATES),
  /** The carrier's code of a failure. */
  code: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  /** Equal attempts in a row. */
  tries: z.int(),
  /** Time of the first of them. */
  createTimestamp: timestamp,
  /** Time of the last of them, or of the carrier's report. */
  updateTimestamp: timestamp,
})
export type MessageAttempt = z.infer<typeof MessageAttempt>
/** A message to a person with its attempts. */
export const PersonMessage = z.object({
  type: NotificationType,
  /** Address or number that it goes to. */
  address: z.string(),
  state: z.enum(['DELIVERED', 'SENT', 'WAITING', 'FAILED']),
  reason: z.nullable(z.string()),
  createTimestamp: timestamp,
  doneTimestamp: z.nullable(timestamp),
  /** The deputy who was asked in the person's place; null for the person. */
  deputy: z.nullable(z.string()),
  /** Oldest first; none where no carrier was asked yet, or where the outbox keeps it. */
  attempts: z.array(MessageAttempt),
})
export type PersonMessage = z.infer<typeof PersonMessage>

/** A person of a question, with their answers. */
export const Respondent = z.extend(NotifiedPerson, {
  /** Number of the person within the notification. */
  person: z.int(),
  standing: Standing,
  messages: z.array(RecipientMessage),
  /** Newest first, at most ten; the first one counts. */
  answers: z.array(GivenAnswer),
  /** SMS of the person that are no answers, newest first, at most ten. */
  replies: z.array(z.object({ text: z.string(), createTimestamp: timestamp })),
})
export type Respondent = z.infer<typeof Respondent>

/** An answer that somebody enters for a person. */
export const AnswerOnBehalf = z.object({
  person: z.int(),
  answer: z.int(),
  note: z._default(trimmedText(NOTE_MAX, NOTE_TOO_LONG), ''),
  /** Reason to believe it, such as "by telephone". */
  reason: requiredText(ON_BEHALF_REASON_REQUIRED, MEDIUM_TEXT_MAX),
})
export type AnswerOnBehalf = z.infer<typeof AnswerOnBehalf>

/** Lists, contacts or groups of one notification. */
export const RECIPIENTS_MAX = 20_000

const chosenContacts = {
  /** Names of contact lists. */
  contactListIds: z._default(listOf(text(), RECIPIENTS_MAX), []),
  /** Email addresses of contacts. */
  contactIds: z._default(listOf(email, RECIPIENTS_MAX), []),
}
export const ChosenContacts = z.object(chosenContacts)
export type ChosenContacts = z.infer<typeof ChosenContacts>
/** The recipients of a notification. */
export const Recipients = z.object({
  ...chosenContacts,
  groupIds: z._default(listOf(id, RECIPIENTS_MAX), []),
  /** A running incident, whose people who have not checked in are notified like a group. */
  waitingIncidentId: z.optional(z.nullable(id)),
  /** Includes the people of that incident who have checked in. */
  withCheckedIn: z.optional(z.boolean()),
  /** People of an earlier notification with a question, by their state in it. */
  followUp: z.optional(z.nullable(z.object({ notificationId: id, standing: Standing }))),
})
export type Recipients = z.infer<typeof Recipients>

/** The people whom a notification would reach. */
export const NotificationReach = z.object({
  /** De-duplicated contacts. */
  contacts: z.int(),
  /** Contacts whose phone number is unchecked or invalid. */
  doubtful: z.int(),
  /** Contacts without a phone number. */
  withoutPhone: z.int(),
  /** De-duplicated email addresses of contacts and members. */
  emails: z.int(),
  /** Numbers that an SMS or call would go to. */
  phones: z.int(),
  /** Number of addresses that are not tried by a type: they have unsubscribed or do not exist. */
  suppressed: z.object({ EMAIL: z.int(), SMS: z.int(), VOICE_CALL: z.int() }),
  /**
   * People of the incident who have not checked in and people who are followed up, and those of them with a usable
   * phone number.
   */
  waiting: z.int(),
  waitingPhones: z.int(),
  /** Prices of one SMS and of one call to each of these numbers; absent without a price list. */
  prices: z.optional(Prices),
})
export type NotificationReach = z.infer<typeof NotificationReach>

/** A notification to send (administration §5, §7.4). `wordProblems` checks the requirements of its types. */
export const NewNotification = z.extend(Recipients, {
  title: optionalText(),
  emailMessage: optionalText(LONG_TEXT_MAX),
  /** The organisation's configuration limits the length of an SMS further. */
  smsMessage: optionalText(LONG_TEXT_MAX),
  types: listOf(NotificationType, 10, { required: TYPE_REQUIRED }),
  level: z._default(EventLevel, 'NORMAL'),
  question: z._default(z.nullable(Question), null),
  /** Language in which it is spoken, and of the words around it; the organisation's by default. */
  language: z.optional(z.nullable(MessageLanguage)),
  /** Asks those again who have not answered. Needs a question. */
  escalation: z.optional(z.nullable(EscalationPlan)),
  /** Asks the members of one group with an order, the next after these minutes. Needs a question. */
  inOrderMinutes: z.optional(z.nullable(OrderMinutes)),
  /**
   * The incident that it is about, in which its answers stand. By default that of the people who have not checked in,
   * or of the notification that is followed up.
   */
  incidentId: z.optional(z.nullable(id)),
  /** A correction, prepared for the case that the notification is wrong. Limited like the message of an SMS. */
  correction: z.optional(optionalText(LONG_TEXT_MAX)),
})
export type NewNotification = z.infer<typeof NewNotification>

/** The words of a correction. */
export const Correction = z.object({ text: requiredText(CORRECTION_REQUIRED, LONG_TEXT_MAX) })
export type Correction = z.infer<typeof Correction>

/** A notification about an incident, as the incident shows it. */
export const IncidentNotification = z.object({
  ...z.pick(SentNotification, {
    id: true,
    title: true,
    level: true,
    notifiedCount: true,
    createTimestamp: true,
    createdBy: true,
  }).shape,
  /** The beginning of its message. */
  message: z.string(),
  /** Null without a question. */
  question: z.nullable(
    z.object({
      isOpen: z.boolean(),
      askedCount: z.int(),
      /** The answers with the number of people who gave them. */
      answers: z.array(z.object({ label: z.string(), tone: AnswerTone, count: z.int() })),
    }),
  ),
})
export type IncidentNotification = z.infer<typeof IncidentNotification>
