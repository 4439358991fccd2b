import type { Contact } from '#contract/contacts/schema.ts'
import {
  ENGLISH_WORDS,
  keysLine,
  type MessageWords,
  replyLine,
} from '#contract/notification-questions/rules.ts'
import type { Question } from '#contract/notification-questions/schema.ts'
import { LEVEL_LABELS, type EventLevel } from '#contract/notification-templates/schema.ts'

import {
  EMAIL_MESSAGE_REQUIRED,
  EMAIL_SUBJECT_REQUIRED,
  type MessageAttempt,
  type NewNotification,
  type NotificationGroup,
  type NotificationType,
  RECIPIENT_REQUIRED,
  type Recipient,
  type RecipientMessage,
  type Recipients,
  SMS_MESSAGE_REQUIRED,
} from './schema.ts'

export const smsTooLong = (limit: number) => `Maximum of ${limit} characters exceeded.`

type Types = readonly NotificationType[]
export const needsEmail = (types: Types): boolean => types.includes('EMAIL')
/** SMS and automated voice share one text. */
export const needsSms = (types: Types): boolean => types.includes('SMS') || types.includes('VOICE_CALL')

/** True for a type whose message carries the link to the answer page. */
export const carriesLink = (type: NotificationType): boolean => type !== 'VOICE_CALL'
/** True for a type by which a person can answer: by link, and by the keys of a call where these come in. */
export const takesAnswersBy = (type: NotificationType, takesKeys: boolean): boolean =>
  carriesLink(type) || takesKeys
/** The spoken text of a call: the message, and which keys answer. */
export const callText = (
  message: string,
  question: Pick<Question, 'answers'> | null,
  words?: MessageWords,
): string => (question ? `${message}\n${keysLine(question, words)}` : message)

type Words = Pick<NewNotification, 'title' | 'emailMessage' | 'smsMessage' | 'types'>

/** The problems of a notification's texts, by field, in the order of the form (administration §5). */
export function wordProblems(
  { title, emailMessage, smsMessage, types }: Words,
  smsLimit: number,
): Partial<Record<'title' | 'emailMessage' | 'smsMessage', string>> {
  const blank = (text: string | null) => !text?.trim()
  return {
    ...(needsEmail(types) && blank(title) && { title: EMAIL_SUBJECT_REQUIRED }),
    ...(needsEmail(types) && blank(emailMessage) && { emailMessage: EMAIL_MESSAGE_REQUIRED }),
    ...(needsSms(types) && blank(smsMessage) && { smsMessage: SMS_MESSAGE_REQUIRED }),
    ...(needsSms(types) &&
      smsMessage &&
      smsMessage.trim().length > smsLimit && { smsMessage: smsTooLong(smsLimit) }),
  }
}

/** The message for a notification without recipients; null for one with recipients. */
export const recipientProblem = ({
  contactListIds,
  contactIds,
  groupIds,
  waitingIncidentId,
  followUp,
}: Recipients): string | null =>
  contactListIds.length + contactIds.length + groupIds.length === 0 && !waitingIncidentId && !followUp
    ? RECIPIENT_REQUIRED
    : null

/**
 * Quota that a notification consumes: each contact once for each type, and for each group its members for
 * email, and its members with a phone for SMS and for voice (administration §9).
 */
export const notificationsNeeded = (
  contacts: number,
  groups: readonly Pick<NotificationGroup, 'userCount' | 'userPhoneCount'>[],
  types: Types,
): number =>
  contacts * types.length +
  groups.reduce(
    (sum, { userCount, userPhoneCount }) =>
      sum + types.reduce((all, type) => all + (type === 'EMAIL' ? userCount : userPhoneCount), 0),
    0,
  )

/** The settings of the guard; without a number of people or a level nothing is guarded. */
export interface Guard {
  readonly massNotifsApprovalAbove: number
  readonly massNotifsApprovalOfCritical: boolean
}
/** True for a notification that a second person has to approve. */
export const needsApproval = (
  { massNotifsApprovalAbove: above, massNotifsApprovalOfCritical: critical }: Guard,
  people: number,
  level: EventLevel,
): boolean => (above > 0 && people > above) || (critical && level === 'CRITICAL')

/** Mark of a communication test, before its subject and its texts. */
export const TEST_MARK = 'TEST'
/** A text with the mark of a communication test. */
export const markedAsTest = (text: string): string =>
  text.startsWith(TEST_MARK) ? text : `${TEST_MARK}: ${text}`

/** Subject of a correction. */
export const correctionTitle = (title: string): string => `Correction: ${title}`

/** True for a phone number that is unchecked or invalid (administration §4 "Phone validity of a contact"). */
export const isPhoneDoubtful = ({ phone, valid }: Pick<Contact, 'phone' | 'valid'>): boolean =>
  valid === false || (phone !== null && valid === null)

export const TYPE_LABELS: { readonly [T in NotificationType]: string } = {
  EMAIL: 'Email',
  SMS: 'SMS',
  VOICE_CALL: 'Automated Voice',
}
/** Labels of outcomes. Sent does not mean received: Reached needs a carrier's confirmation or an answer. */
export const OUTCOME_LABELS: { readonly [O in Recipient['outcome']]: string } = {
  NOT_REACHED: 'Not reached',
  WAITING: 'Waiting',
  PARTLY: 'Partly sent',
  SENT: 'Sent',
  REACHED: 'Reached',
}
export const ATTEMPT_LABELS: { readonly [S in MessageAttempt['state']]: string } = {
  DEFERRED: 'Not accepted, tried again',
  UNKNOWN: 'No reply, looked up with the next attempt',
  SENT: 'Handed over',
  DELIVERED: 'Delivered',
  FAILED: 'Failed',
}
const STATE_LABELS = {
  DELIVERED: 'Delivered',
  SENT: 'Sent',
  WAITING: 'Waiting',
  FAILED: 'Failed',
  NOT_SENT: 'Not sent',
}
const PROBLEM_LABELS = {
  NO_EMAIL: 'no email address',
  NO_PHONE: 'no phone number',
  NO_DIAL_CODE: 'the phone number has no dial code',
  INVALID: 'nobody can have this phone number',
  COUNTRY: 'phone numbers of this country are not allowed',
}
/** The state of a message and the reason for it. */
export function messageInWords({
  state,
  problem,
  reason,
}: Pick<RecipientMessage, 'state' | 'reason'> & Partial<RecipientMessage>): string {
  const why = problem ? PROBLEM_LABELS[problem] : reason
  return why ? `${STATE_LABELS[state]}: ${why}` : STATE_LABELS[state]
}

/** The line below a mass email: its level, organisation and sender. */
export const mailFooter = (level: EventLevel, organisation: string, sender: string): string =>
  `${LEVEL_LABELS[level]} notification from ${organisation}, sent by ${sender}.`

/**
 * The text of an SMS, with the tag of its level (administration §9, decisions §3).
 * @param link the recipient's own link to the answer page, of a notification with a question
 * @param question its answers are named where a reply can give one
 */
export const smsText = (
  level: EventLevel,
  message: string,
  link?: string,
  question?: Pick<Question, 'answers'> | null,
  words: MessageWords = ENGLISH_WORDS,
): string =>
  [
    `[ALERT: ${LEVEL_LABELS[level]}] ${message}`,
    ...(link === undefined ? [] : [`${words.answer} ${link}`]),
    ...(question ? [replyLine(question, words)] : []),
  ].join('\n')

/** The basic and extension tables of the GSM 7-bit alphabet (3GPP 23.038). Extended letters take two septets. */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const EXTENDED = new Set('\f^{}\\[~]|€')
/** Characters of a single SMS, and of each segment of a longer one. */
const ROOM = { GSM7: [160, 153], UCS2: [70, 67] } as const

export interface SmsSegments {
  readonly alphabet: keyof typeof ROOM
  /** Number of SMS. */
  readonly count: number
  /** Characters used, and those that all segments can hold. */
  readonly used: number
  readonly room: number
  /** The first letter outside the GSM 7-bit alphabet. */
  readonly strange: string | undefined
}

/** The segments of a text. A single letter outside the GSM 7-bit alphabet makes all of them shorter. */
export function smsSegments(text: string): SmsSegments {
  const letters = Array.from(text)
  const strange = letters.find((letter) => !BASIC.has(letter) && !EXTENDED.has(letter))
  const alphabet = strange === undefined ? 'GSM7' : 'UCS2'
  const widthOf = (letter: string) => (alphabet === 'UCS2' ? letter.length : EXTENDED.has(letter) ? 2 : 1)
  const used = letters.reduce((sum, letter) => sum + widthOf(letter), 0)
  const [alone, together] = ROOM[alphabet]
  if (used <= alone) return { alphabet, count: 1, used, room: alone, strange }
  let count = 1
  let taken = 0
  for (const letter of letters) {
    const width = widthOf(letter)
    // An extended letter is not split across segments.
    if (taken + width > together) {
      count += 1
      taken = 0
    }
    taken += width
  }
  return { alphabet, count, used, room: count * together, strange }
}
