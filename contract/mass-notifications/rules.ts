import type { Contact } from '#contract/contacts/schema.ts'
import { LEVEL_LABELS, type EventLevel } from '#contract/notification-templates/schema.ts'

import {
  EMAIL_MESSAGE_REQUIRED,
  EMAIL_SUBJECT_REQUIRED,
  type NewNotification,
  type NotificationGroup,
  type NotificationType,
  RECIPIENT_REQUIRED,
  SMS_MESSAGE_REQUIRED,
} from './schema.ts'

export const smsTooLong = (limit: number) => `Maximum of ${limit} characters exceeded.`

type Types = readonly NotificationType[]
export const needsEmail = (types: Types): boolean => types.includes('EMAIL')
/** SMS and automated voice share one text. */
export const needsSms = (types: Types): boolean => types.includes('SMS') || types.includes('VOICE_CALL')

type Words = Pick<NewNotification, 'title' | 'emailMessage' | 'smsMessage' | 'types'>
type Recipients = Pick<NewNotification, 'contactListIds' | 'contactIds' | 'groupIds'>

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

/** A contact who is notified, with the chosen lists that they are in and whether they were chosen themselves. */
export interface NotifiedContact {
  readonly contact: Contact
  readonly lists: readonly string[]
  readonly targeted: boolean
}
/** The recipients among the contacts: members of its lists and single ones, de-duplicated (administration §9). */
export function notifiedContacts(
  contacts: readonly Contact[],
  { contactListIds, contactIds }: Pick<Recipients, 'contactListIds' | 'contactIds'>,
): NotifiedContact[] {
  const [chosen, named] = [new Set(contactListIds), new Set(contactIds)]
  return contacts.flatMap((contact) => {
    const lists = contact.lists.filter((list) => chosen.has(list))
    const targeted = named.has(contact.email)
    return targeted || lists.length > 0 ? [{ contact, lists, targeted }] : []
  })
}

/** A phone whose validity is not known, or known to be wrong (administration §4 "Phone validity of a contact"). */
export const isPhoneDoubtful = ({ phone, valid }: Pick<Contact, 'phone' | 'valid'>): boolean =>
  valid === false || (phone !== null && valid === null)

/** The text of an SMS, with the tag of its level (administration §9, decisions §3). */
export const smsText = (level: EventLevel, message: string): string =>
  `[ALERT: ${LEVEL_LABELS[level]}] ${message}`
