import type { Contact } from '#contract/contacts/schema.ts'
import { LEVEL_LABELS, type EventLevel } from '#contract/notification-templates/schema.ts'

import {
  EMAIL_MESSAGE_REQUIRED,
  EMAIL_SUBJECT_REQUIRED,
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

/** Why there is nobody to notify; null when there is somebody. */
export const recipientProblem = ({ contactListIds, contactIds, groupIds }: Recipients): string | null =>
  contactListIds.length + contactIds.length + groupIds.length === 0 ? RECIPIENT_REQUIRED : null

/**
 * How much of the quota a notification takes: each contact once for each type, and for each group its people for email
 * and its people with a phone for SMS and for voice (administration §9).
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

/** A phone whose validity is not known, or known to be wrong (administration §4 "Phone validity of a contact"). */
export const isPhoneDoubtful = ({ phone, valid }: Pick<Contact, 'phone' | 'valid'>): boolean =>
  valid === false || (phone !== null && valid === null)

export const TYPE_LABELS: { readonly [T in NotificationType]: string } = {
  EMAIL: 'Email',
  SMS: 'SMS',
  VOICE_CALL: 'Automated Voice',
}
/** The state of somebody's messages in words. Sent is not reached: that needs the confirmation of a carrier. */
export const OUTCOME_LABELS: { readonly [O in Recipient['outcome']]: string } = {
  NOT_REACHED: 'Not reached',
  WAITING: 'Waiting',
  PARTLY: 'Partly sent',
  SENT: 'Sent',
}
const STATE_LABELS = { SENT: 'Sent', WAITING: 'Waiting', FAILED: 'Failed', NOT_SENT: 'Not sent' }
const PROBLEM_LABELS = {
  NO_EMAIL: 'no email address',
  NO_PHONE: 'no phone number',
  NO_DIAL_CODE: 'the phone number has no dial code',
  INVALID: 'nobody can have this phone number',
  COUNTRY: 'phone numbers of this country are not allowed',
}
/** What became of a message, and why. */
export function messageInWords({ state, problem, reason }: RecipientMessage): string {
  const why = problem ? PROBLEM_LABELS[problem] : reason
  return why ? `${STATE_LABELS[state]}: ${why}` : STATE_LABELS[state]
}

/** What stands below the words of a mass email: how urgent it is, and whose. */
export const mailFooter = (level: EventLevel, organisation: string, sender: string): string =>
  `${LEVEL_LABELS[level]} notification from ${organisation}, sent by ${sender}.`

/** The text of an SMS, with the tag of its level (administration §9, decisions §3). */
export const smsText = (level: EventLevel, message: string): string =>
  `[ALERT: ${LEVEL_LABELS[level]}] ${message}`

/** The letters of an SMS in its usual alphabet (3GPP 23.038), and those that take two places. */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const EXTENDED = new Set('\f^{}\\[~]|€')
/** Places of one SMS, and of each of several that are shown as one. */
const ROOM = { GSM7: [160, 153], UCS2: [70, 67] } as const

/** An SMS as it is sent. */
export interface SmsSegments {
  readonly alphabet: keyof typeof ROOM
  /** How many SMS it takes. */
  readonly count: number
  /** Places that are taken, and places in all of its SMS. */
  readonly used: number
  readonly room: number
  /** The first letter that is not in the usual alphabet. */
  readonly strange: string | undefined
}

/** How many SMS a text takes, and in which alphabet: one letter outside the usual one makes all of them shorter. */
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
    // A letter of two places is not cut in two.
    if (taken + width > together) {
      count += 1
      taken = 0
    }
    taken += width
  }
  return { alphabet, count, used, room: count * together, strange }
}
