import { csvFieldsOf, inRow, isRoundedNumber, roundedPhone } from '#contract/kit/csv.ts'
import {
  cleanEmail,
  email as Email,
  INVALID_EMAIL,
  isBlank,
  SHORT_TEXT_MAX,
  tooLong,
} from '#contract/kit/text.ts'

import { CONTACT_COLUMNS, type ContactRow } from './schema.ts'

/** Keeps only digits and the plus sign before them (administration §5). */
export function phoneOf(written: string): string | null {
  const digits = written.replace(/\D/g, '')
  if (digits === '' || digits === '1') return null
  return /^\s*\+/.test(written) ? `+${digits}` : digits
}

/** Why a phone number cannot be used. */
export const PHONE_PROBLEMS = ['NO_PHONE', 'NO_DIAL_CODE', 'INVALID', 'COUNTRY'] as const
export type PhoneProblem = (typeof PHONE_PROBLEMS)[number]

/**
 * Why an invalid phone number cannot be used.
 * @param country the number's country; empty for an impossible number
 */
export function phoneProblem(phone: string | null, country: string | null): PhoneProblem {
  if (phone === null) return 'NO_PHONE'
  if (country) return 'COUNTRY'
  return phone.startsWith('+') ? 'INVALID' : 'NO_DIAL_CODE'
}

export const contactsTooMany = (limit: number) => `This file exceeds the maximum size of ${limit} rows.`

/** A contact of an import, with all lists that its rows name. */
export interface ContactInput {
  readonly name: string
  readonly email: string
  /** A plus sign and digits, or digits alone without a dial code; null for none. */
  readonly phone: string | null
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
  const phone = cellOf(row, 'phone')
  if (isRoundedNumber(phone)) yield { field: 'phone', message: roundedPhone(phone, n) }
  if (isBlank(cellOf(row, 'list'))) {
    const message = `A contact (${cellOf(row, 'email')}) was not assigned a contact list (in row ${n}).`
    yield { field: 'list', message }
  }
}

/**
 * Reads the rows of an import: its contacts, de-duplicated with all their lists, or the problems of each row
 * (administration §5). The last row for an address decides about the person's name.
 * @param rowOf number of a row in its file; the first one below the headings is 2
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
    if (email === undefined || isBlank(list)) continue
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
