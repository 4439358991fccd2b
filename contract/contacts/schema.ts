import * as z from 'zod/mini'

import { id, SHORT_TEXT_MAX, text } from '#contract/kit/text.ts'

/** The columns of a file of contacts, in the order of its template (administration §5). */
export const CONTACT_HEADINGS = ['Name', 'Email Address', 'Phone Number', 'Contact List'] as const

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

const cell = z._default(z.nullable(text(SHORT_TEXT_MAX)), null)
/** A row of an import as it is sent (administration §7.4). What it says is judged by `readContacts`, with its row. */
export const ContactRow = z.object({ name: cell, email: cell, phone: cell, list: cell })
export type ContactRow = z.infer<typeof ContactRow>
/** How many there may be is the organisation's configuration: `contactsUploadMaxLimit`. */
export const ContactRows = z.array(ContactRow).check(z.minLength(1, 'This file is empty.'))

/** What became of an import. Who is there already gets the newer name and phone, and is in the named lists as well. */
export const ContactImport = z.object({
  created: z.int(),
  updated: z.int(),
  /** Lists that the import named. */
  lists: z.array(ContactList),
})
export type ContactImport = z.infer<typeof ContactImport>
