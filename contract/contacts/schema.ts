import * as z from 'zod/mini'

import { cellsOf, type CsvColumns } from '#contract/kit/csv.ts'
import { id, listOf, SHORT_TEXT_MAX, text } from '#contract/kit/text.ts'

/** Somebody outside the product who can be notified (administration §3). Contacts are named by their address. */
export const Contact = z.object({
  id,
  /** Empty when none was given. */
  name: z.string(),
  email: z.string(),
  /** A plus sign and digits, or what was given where that is no number. */
  phone: z.nullable(z.string()),
  /** Whether the phone can be reached: yes, no, or not known yet. Nothing without a phone. */
  valid: z.nullable(z.boolean()),
  /** Where the number is at home, as two letters; empty for a number that nobody can have. Null for one that was not looked at. */
  phoneCountry: z.nullable(z.string()),
  /** The list that the contact stands in: below a list's name that list, otherwise the first one by name. */
  list: z.string(),
  /** Every list that the contact is in, by name. */
  lists: z.array(z.string()),
})
export type Contact = z.infer<typeof Contact>

/** A list of contacts. Lists are named by their name, and exist as long as somebody is in them. */
export const ContactList = z.object({
  name: z.string(),
  count: z.int(),
})
export type ContactList = z.infer<typeof ContactList>

/** Contacts by the names of their lists. */
export const ContactsByList = z.record(z.string(), z.array(Contact))
export type ContactsByList = z.infer<typeof ContactsByList>

export const CONTACTS_EMPTY = 'This file is empty.'
const cell = z._default(z.nullable(text(SHORT_TEXT_MAX)), null)
/** The columns of a file, in the order of its template (administration §5). */
export const CONTACT_COLUMNS = {
  name: { heading: 'Name', cell },
  email: { heading: 'Email Address', cell },
  phone: { heading: 'Phone Number', cell },
  list: { heading: 'Contact List', cell },
} satisfies CsvColumns
/** A row of an import as sent (administration §7.4). `readContacts` validates its content and names the row. */
export const ContactRow = z.object(cellsOf(CONTACT_COLUMNS))
export type ContactRow = z.infer<typeof ContactRow>
/** Rows that any organisation may import at once. */
const CONTACT_ROWS_MAX = 100_000
/** How many there may be is the organisation's configuration: `contactsUploadMaxLimit`. */
export const ContactRows = listOf(ContactRow, CONTACT_ROWS_MAX, { required: CONTACTS_EMPTY })

/** The result of an import. An existing contact gets the new name and phone, and joins the named lists. */
export const ContactImport = z.object({
  created: z.int(),
  updated: z.int(),
  /** Lists that the import named. */
  lists: z.array(ContactList),
})
export type ContactImport = z.infer<typeof ContactImport>
