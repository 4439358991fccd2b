import * as z from 'zod/mini'

import { cellsOf, type CsvColumns } from '#contract/kit/csv.ts'
import { id, listOf, phoneExtension, SHORT_TEXT_MAX, text } from '#contract/kit/text.ts'

/** A person outside the product who can be notified (administration §3), identified by email address. */
export const Contact = z.object({
  id,
  /** Empty for none. */
  name: z.string(),
  email: z.string(),
  /** A plus sign and digits, or the original text of an invalid number. */
  phone: z.nullable(z.string()),
  /** Null while the phone number is unchecked, and without one. */
  valid: z.nullable(z.boolean()),
  /** The number's country as two letters; empty for an impossible number. Null while it is unchecked. */
  phoneCountry: z.nullable(z.string()),
  /** Digits, never part of the dialled number. */
  phoneExtension: z.nullable(z.string()),
  /** A number that can exist, dialled where the first one cannot be reached. */
  secondPhone: z.nullable(z.string()),
  secondPhoneCountry: z.nullable(z.string()),
  secondPhoneExtension: z.nullable(z.string()),
  /** The list under which the contact is shown: the filtered list, otherwise the first by name. */
  list: z.string(),
  /** All lists of the contact, by name. */
  lists: z.array(z.string()),
})
export type Contact = z.infer<typeof Contact>

export const CONTACT_THERE_AGAIN =
  'A contact with this email address was added meanwhile. Nothing was restored.'
export const LIST_THERE_AGAIN = 'A contact list with this name was added meanwhile. Nothing was restored.'

/** A list of contacts, identified by name. It exists as long as it has contacts. */
export const ContactList = z.object({
  name: z.string(),
  count: z.int(),
})
export type ContactList = z.infer<typeof ContactList>

/** Contacts by name of their list. */
export const ContactsByList = z.record(z.string(), z.array(Contact))
export type ContactsByList = z.infer<typeof ContactsByList>

export const CONTACTS_EMPTY = 'This file is empty.'
const cell = z._default(z.nullable(text(SHORT_TEXT_MAX)), null)
/** Columns of the file, in the order of its template (administration §5). */
export const CONTACT_COLUMNS = {
  name: { heading: 'Name', cell },
  email: { heading: 'Email Address', cell },
  phone: { heading: 'Phone Number', cell },
  list: { heading: 'Contact List', cell },
  secondPhone: { heading: 'Second Phone Number', cell, isOptional: true },
} satisfies CsvColumns
/** A row of an import as sent (administration §7.4). `readContacts` validates its content and names the row. */
export const ContactRow = z.object({
  ...cellsOf(CONTACT_COLUMNS),
  phoneExtension,
  secondPhoneExtension: phoneExtension,
})
export type ContactRow = z.infer<typeof ContactRow>
/** Rows that any organisation may import at once. */
const CONTACT_ROWS_MAX = 100_000
/** The organisation's own limit is its configuration: `contactsUploadMaxLimit`. */
export const ContactRows = listOf(ContactRow, CONTACT_ROWS_MAX, { required: CONTACTS_EMPTY })

/** The result of an import. An existing contact gets the new name and phone, and joins the named lists. */
export const ContactImport = z.object({
  /** Id of the report. */
  importId: id,
  created: z.int(),
  updated: z.int(),
  /** Lists that the import named. */
  lists: z.array(ContactList),
  /** Phone numbers that cannot be dialled, with the reason. */
  warnings: z.array(
    z.object({
      /** Index of the row in the input. */
      index: z.int(),
      field: z.enum(['phone', 'secondPhone']),
      /** The number as it was sent. */
      written: z.string(),
      /** True for a number that is kept as digits, marked as invalid. */
      isKept: z.boolean(),
      message: z.string(),
    }),
  ),
})
export type ContactImport = z.infer<typeof ContactImport>
export type ContactWarning = ContactImport['warnings'][number]

/** Why a phone number cannot be used. */
export const PHONE_PROBLEMS = ['NO_PHONE', 'NO_DIAL_CODE', 'INVALID', 'COUNTRY'] as const
export type PhoneProblem = (typeof PHONE_PROBLEMS)[number]
