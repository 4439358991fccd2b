import * as z from 'zod/mini'

import { cellsOf, type CsvColumns, csvFieldsOf, isRoundedNumber, roundedPhone } from '#contract/kit/csv.ts'
import {
  cleanEmail,
  email as Email,
  id,
  INVALID_EMAIL,
  listOf,
  SHORT_TEXT_MAX,
  text,
  tooLong,
} from '#contract/kit/text.ts'

import { phoneOf } from './rules.ts'

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

/** A contact of an import, with every list that its rows name. */
export interface ContactInput {
  readonly name: string
  readonly email: string
  /** A plus sign and digits, or digits alone where no dial code was given; null for none. */
  readonly phone: string | null
  readonly lists: readonly string[]
}
export interface ContactProblem {
  /** Of the row among those that were given. */
  readonly index: number
  readonly field: keyof ContactRow
  readonly message: string
}

/** Adds the row number to a sentence. */
const inRow = (sentence: string, row: number) => `${sentence.replace(/\.$/, '')} (in row ${row}).`

function emailProblem(written: string, issue: string | undefined, row: number): string | undefined {
  if (written === '') return `A contact is missing an email address from row ${row}.`
  if (issue === INVALID_EMAIL) return `Invalid email address ${written} found in row ${row}.`
  return issue && inRow(issue, row)
}

/** A cell without the spaces around it. */
const cellOf = (row: ContactRow, field: keyof ContactRow): string => (row[field] ?? '').trim()

/** What is wrong with a row of the number `n`, beside its address. */
function* rowProblems(row: ContactRow, n: number): Generator<Omit<ContactProblem, 'index'>> {
  for (const field of csvFieldsOf(CONTACT_COLUMNS))
    if (field !== 'email' && cellOf(row, field).length > SHORT_TEXT_MAX)
      yield { field, message: inRow(tooLong(SHORT_TEXT_MAX), n) }
  const phone = cellOf(row, 'phone')
  if (isRoundedNumber(phone)) yield { field: 'phone', message: roundedPhone(phone, n) }
  if (cellOf(row, 'list') === '') {
    const message = `A contact (${cellOf(row, 'email')}) was not assigned a contact list (in row ${n}).`
    yield { field: 'list', message }
  }
}

/**
 * Reads the rows of an import: the contacts that they name, each once with all its lists, or what is wrong with each row
 * (administration §5). Of two rows for one address the later one names the person.
 * @param rowOf the number of a row in its file; the first one below the headings is 2
 */
export function readContacts(
  rows: readonly ContactRow[],
  rowOf: (index: number) => number = (index) => index + 2,
): { contacts: ContactInput[]; problems: ContactProblem[] } {
  const problems: ContactProblem[] = []
  const byEmail = new Map<string, ContactInput>()
  for (const [index, row] of rows.entries()) {
    const n = rowOf(index)
    const [written, list] = [cellOf(row, 'email'), cellOf(row, 'list')]
    const { data: email, error } = Email.safeParse(cleanEmail(written))
    const problem = emailProblem(written, error?.issues[0]?.message, n)
    if (problem !== undefined) problems.push({ index, field: 'email', message: problem })
    for (const other of rowProblems(row, n)) problems.push({ index, ...other })
    if (email === undefined || list === '') continue
    const before = byEmail.get(email) ?? { name: '', phone: null, lists: [] }
    byEmail.set(email, {
      name: cellOf(row, 'name') || before.name,
      email,
      phone: phoneOf(cellOf(row, 'phone')) ?? before.phone,
      lists: [...new Set([...before.lists, list])],
    })
  }
  return { contacts: [...byEmail.values()], problems }
}
