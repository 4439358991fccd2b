import { csvFieldsOf, inRow } from '#contract/kit/csv.ts'
import type { PersonValues } from '#contract/kit/person-table.ts'
import { pick } from '#contract/kit/pick.ts'
import { type Phone, type PhoneReader, phoneSentence, readPersonPhones } from '#contract/kit/phone.ts'
import {
  cleanEmail,
  email as Email,
  INVALID_EMAIL,
  isBlank,
  SHORT_TEXT_MAX,
  tooLong,
} from '#contract/kit/text.ts'

import {
  CONTACT_COLUMNS,
  type Contact,
  type ContactRow,
  type ContactWarning,
  type PhoneProblem,
} from './schema.ts'

/**
 * Why an invalid phone number cannot be used.
 * @param country the number's country; empty for an impossible number
 */
export function phoneProblem(phone: string | null, country: string | null): PhoneProblem {
  if (phone === null) return 'NO_PHONE'
  if (country) return 'COUNTRY'
  return phone.startsWith('+') ? 'INVALID' : 'NO_DIAL_CODE'
}

/** Key to compare list names by, regardless of case. */
export const listKeyOf = (name: string): string => name.trim().normalize('NFC').toLowerCase()

export const contactsTooMany = (limit: number) => `This file exceeds the maximum size of ${limit} rows.`

/** Fields of the numbers of a contact. */
export const CONTACT_PHONES = [
  'phone',
  'phoneExtension',
  'phoneCountry',
  'secondPhone',
  'secondPhoneExtension',
  'secondPhoneCountry',
] as const
/** Numbers of a contact, as stored. */
export type ContactPhones = Pick<Contact, (typeof CONTACT_PHONES)[number]>
/** A contact of an import, with all lists that its rows name. */
export interface ContactInput extends ContactPhones {
  readonly name: string
  readonly email: string
  readonly lists: readonly string[]
}
export interface ContactProblem {
  /** Index of the row in the input. */
  readonly index: number
  readonly field: keyof ContactRow
  readonly message: string
}

function emailProblem(written: string, issue: string | undefined, row: number): string | undefined {
  if (written === '') return `A contact is missing an email address from row ${row}.`
  if (issue === INVALID_EMAIL) return `Invalid email address ${written} found in row ${row}.`
  return issue && inRow(issue, row)
}

const cellOf = (row: ContactRow, field: keyof ContactRow): string => (row[field] ?? '').trim()

/** Problems of row `n`, except those of its address. */
function* rowProblems(row: ContactRow, n: number): Generator<Omit<ContactProblem, 'index'>> {
  for (const field of csvFieldsOf(CONTACT_COLUMNS))
    if (field !== 'email' && cellOf(row, field).length > SHORT_TEXT_MAX)
      yield { field, message: inRow(tooLong(SHORT_TEXT_MAX), n) }
  if (isBlank(cellOf(row, 'list'))) {
    const message = `A contact (${cellOf(row, 'email')}) was not assigned a contact list (in row ${n}).`
    yield { field: 'list', message }
  }
}

const contactPhones = ([first, second]: readonly Phone[]): ContactPhones => ({
  phone: first?.number ?? null,
  phoneExtension: first?.extension ?? null,
  phoneCountry: first?.country ?? null,
  secondPhone: second?.number ?? null,
  secondPhoneExtension: second?.extension ?? null,
  secondPhoneCountry: second?.country ?? null,
})

/**
 * Reads the numbers of a row. Where none can be dialled, the digits of the first are kept as written
 * (administration §5).
 */
function phonesOf(
  row: ContactRow,
  reader: PhoneReader,
  n: number,
): { phones: ContactPhones; warnings: Omit<ContactWarning, 'index'>[] } {
  const { phones, problems } = readPersonPhones(
    [
      { number: row.phone, extension: row.phoneExtension },
      { number: row.secondPhone, extension: row.secondPhoneExtension },
    ],
    reader,
  )
  const kept = phones.length > 0 ? undefined : problems.find(({ digits }) => digits !== null)
  const digits = kept?.digits ?? null
  const undialled: Phone[] =
    digits === null ? [] : [{ number: digits, extension: kept?.extension ?? null, country: '' }]
  return {
    phones: contactPhones(phones.length > 0 ? phones : undialled),
    warnings: problems.map((problem) => ({
      field: problem.at === 0 ? 'phone' : 'secondPhone',
      written: problem.written,
      isKept: problem === kept,
      message: phoneSentence(problem, n),
    })),
  }
}

/** Changes of a further row about a person. Empty cells change nothing. */
const withRow = (before: ContactInput | undefined, row: ContactInput): ContactInput => ({
  ...(row.phone === null && before ? before : row),
  name: row.name || (before?.name ?? ''),
  lists: [...new Set([...(before?.lists ?? []), ...row.lists])],
})

/** Rows of people, one for each of a person's lists, with the index of the person. */
export const contactRowsOf = (
  people: readonly PersonValues[],
): { readonly index: number; readonly row: ContactRow }[] =>
  people.flatMap(({ name, email, phone, secondPhone, lists }, index) =>
    (lists.length > 0 ? lists : ['']).map((list) => ({
      index,
      row: { name, email, phone, list, secondPhone, phoneExtension: null, secondPhoneExtension: null },
    })),
  )

/** The values that an import gives a contact. Missing ones stay unchanged, and the numbers change together. */
export const contactValues = (contact: ContactInput) => ({
  ...(contact.name !== '' && { name: contact.name }),
  ...(contact.phone !== null && pick(contact, CONTACT_PHONES)),
})

interface Options {
  readonly phones: PhoneReader
  /** Number of a row in its file; the first one below the headings is 2. */
  readonly rowOf?: (index: number) => number
}
/** The contacts of an import, de-duplicated with all their lists, and what is wrong. */
export interface ContactsRead {
  readonly contacts: ContactInput[]
  readonly problems: ContactProblem[]
  /** Numbers that cannot be dialled. */
  readonly warnings: ContactWarning[]
}
/**
 * Reads the rows of an import (administration §5), and yields after each, so that many rows can be read in turns with
 * other work. The last row for an address decides about the person's name and numbers.
 */
export function* readingContacts(
  rows: readonly ContactRow[],
  { phones: reader, rowOf = (index) => index + 2 }: Options,
): Generator<undefined, ContactsRead> {
  const problems: ContactProblem[] = []
  const warnings: ContactWarning[] = []
  const byEmail = new Map<string, ContactInput>()
  for (const [index, row] of rows.entries()) {
    yield
    const n = rowOf(index)
    const [written, list] = [cellOf(row, 'email'), cellOf(row, 'list')]
    const { data: email, error } = Email.safeParse(cleanEmail(written))
    const problem = emailProblem(written, error?.issues[0]?.message, n)
    if (problem !== undefined) problems.push({ index, field: 'email', message: problem })
    for (const other of rowProblems(row, n)) problems.push({ index, ...other })
    const { phones, warnings: unread } = phonesOf(row, reader, n)
    for (const warning of unread) warnings.push({ index, ...warning })
    if (email === undefined || isBlank(list)) continue
    const name = cellOf(row, 'name')
    byEmail.set(email, withRow(byEmail.get(email), { ...phones, name, email, lists: [list] }))
  }
  return { contacts: [...byEmail.values()], problems, warnings }
}

/** Reads the rows of an import at once. */
export function readContacts(rows: readonly ContactRow[], options: Options): ContactsRead {
  const reading = readingContacts(rows, options)
  for (;;) {
    const step = reading.next()
    if (step.done) return step.value
  }
}
