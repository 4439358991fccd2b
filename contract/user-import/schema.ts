import * as z from 'zod/mini'

import { cellsOf, type CsvColumn, csvFieldsOf, isRoundedNumber, roundedPhone } from '#contract/kit/csv.ts'
import {
  cleanEmail,
  INVALID_EMAIL,
  INVALID_NAME,
  INVALID_PHONE,
  listOf,
  LONG_TEXT_MAX,
  phoneNumber,
  text,
} from '#contract/kit/text.ts'
import { nameProblem, OFFERED_ROLES } from '#contract/users/rules.ts'
import {
  FIRST_NAME_REQUIRED,
  LAST_NAME_REQUIRED,
  NewUser,
  User,
  type UserField,
  type UserRole,
  UserType,
} from '#contract/users/schema.ts'

/** Rows of one import (decisions §3). */
export const IMPORT_ROWS_MAX = 1_000
export const IMPORT_EMPTY = 'This file is empty.'
export const IMPORT_TOO_LONG = `This file exceeds the maximum size of ${IMPORT_ROWS_MAX} rows.`

const cell = z._default(z.nullable(text(LONG_TEXT_MAX)), null)
/** The columns of a file, in the order of its template (administration §3). */
export const IMPORT_COLUMNS = {
  firstName: { heading: 'First Name', cell },
  lastName: { heading: 'Last Name', cell },
  email: { heading: 'Email Address', cell },
  phoneNumber: { heading: 'Phone Number', cell },
  /** Any but USER, ADMIN and BUSINESS_USER becomes USER. */
  role: { heading: 'Role', cell },
  type: {
    heading: 'External',
    cell: z._default(UserType, 'INTERNAL'),
    read: (text: string) => (saysExternal(text) ? 'EXTERNAL' : 'INTERNAL'),
  },
  location: { heading: 'Location', cell },
  department: { heading: 'Department', cell },
} satisfies { readonly [F in UserField | 'email']: CsvColumn }
export const IMPORT_FIELDS = csvFieldsOf(IMPORT_COLUMNS)

/** A row as sent. Rows are validated together, and errors name their row. */
export const ImportRow = z.object({
  ...cellsOf(IMPORT_COLUMNS),
  sendWelcomeSetPasswordEmail: z._default(z.boolean(), true),
})
export type ImportRow = z.infer<typeof ImportRow>
/** The body of an import (administration §7.1). */
export const ImportRows = listOf(ImportRow, IMPORT_ROWS_MAX, {
  required: IMPORT_EMPTY,
  tooMany: IMPORT_TOO_LONG,
})

/** The result of an import. Existing users stay unchanged. */
export const ImportResult = z.object({
  created: z.array(User),
  skipped: z.array(
    z.object({
      email: z.string(),
      /** An archived user is not made active by an import. */
      reason: z.enum(['EXISTS', 'ARCHIVED']),
    }),
  ),
})
export type ImportResult = z.infer<typeof ImportResult>

const normalised = (role: string | null) =>
  (role ?? '')
    .trim()
    .toUpperCase()
    .replace(/[\s-]+/g, '_')
/** Whether a role is written that an import can give. */
export const isOfferedRole = (role: string | null): boolean =>
  OFFERED_ROLES.some((offered) => offered === normalised(role))
/** The role that is meant, in any spelling; unknown ones are USER (administration §5). */
export const importedRole = (role: string | null): UserRole =>
  OFFERED_ROLES.find((offered) => offered === normalised(role)) ?? 'USER'
/** Whether a cell below External says yes (administration §5). */
export const saysExternal = (written: string): boolean => /^(yes|y|true|t)$/i.test(written.trim())

const REPEATED = 'Duplicate email address'
/** Whether a sentence about a row says that its address stands in an earlier row too. */
export const isRepeatedAddress = (sentence: string): boolean => sentence.startsWith(REPEATED)

export interface ImportProblem {
  /** Of the row among those that were given. */
  readonly index: number
  readonly field: string
  readonly message: string
}
interface Options {
  /** Which characters names may have, by the organisation's configuration. */
  readonly characters: string
  /** Whether anybody can have a number. */
  readonly isPhone: (number: string) => boolean
  /** The number of a row in its file; the first one below the headings is 2. */
  readonly rowOf?: (index: number) => number
}

/** Adds the row number to a sentence. */
const inRow = (sentence: string, row: number) => `${sentence.replace(/\.$/, '')} (in row ${row}).`

/** The message for a field, in the specification's wording where it has one (administration §5). */
function sentenceOf(field: string, issue: string, written: string, row: number): string {
  if (issue === INVALID_EMAIL)
    return written === ''
      ? `An email address is missing from row ${row}.`
      : `Invalid email address (${written}) found in row ${row}).`
  if (issue === FIRST_NAME_REQUIRED || issue === LAST_NAME_REQUIRED)
    return `A ${field === 'firstName' ? 'first' : 'last'} name is missing from row ${row}.`
  if (issue === INVALID_NAME)
    return inRow('First/last name can only include alphabetical characters, periods, and spaces.', row)
  if (issue === INVALID_PHONE && isRoundedNumber(written)) return roundedPhone(written, row)
  if (issue === INVALID_PHONE)
    return written.startsWith('+')
      ? `Invalid phone number (${written}) found in row ${row}.`
      : `The phone number (${written}) in row ${row} must include a dial code, such as +1.`
  return inRow(issue, row)
}

const textOf = (row: ImportRow, field: keyof ImportRow): string => String(row[field] ?? '').trim()

/** What is wrong with a row, by field: the first issue of the contract, or what the organisation does not take. */
function issuesOf(
  row: ImportRow,
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
  { characters, isPhone }: Pick<Options, 'characters' | 'isPhone'>,
): ReadonlyMap<string, string> {
  const first = new Map<string, string>()
  const add = (field: string, message: string | undefined) => {
    if (message && !first.has(field)) first.set(field, message)
  }
  for (const { path, message } of issues) add(String(path[0]), message)
  for (const field of ['firstName', 'lastName'] as const)
    add(field, nameProblem(textOf(row, field), characters))
  const number = phoneNumber.safeParse(row.phoneNumber).data
  if (number && !isPhone(number)) first.set('phoneNumber', INVALID_PHONE)
  return first
}

/** Reads the rows of an import: the users that they name, or everything that is wrong with them. */
export function readImport(
  rows: readonly ImportRow[],
  { characters, isPhone, rowOf = (index) => index + 2 }: Options,
): { users: NewUser[]; problems: ImportProblem[] } {
  const problems: ImportProblem[] = []
  const seen = new Set<string>()
  const users = rows.flatMap((row, index) => {
    const written = (field: keyof ImportRow) => textOf(row, field)
    const { data, error } = NewUser.safeParse({
      ...row,
      email: cleanEmail(row.email ?? ''),
      firstName: row.firstName ?? '',
      lastName: row.lastName ?? '',
      role: importedRole(row.role),
    })
    const issues = issuesOf(row, error?.issues ?? [], { characters, isPhone })
    for (const field of IMPORT_FIELDS) {
      const issue = issues.get(field)
      if (issue !== undefined)
        problems.push({ index, field, message: sentenceOf(field, issue, written(field), rowOf(index)) })
    }
    const email = cleanEmail(written('email')).toLowerCase()
    if (email !== '' && seen.has(email)) {
      const message = `${REPEATED} (${email}) found in row ${rowOf(index)}.`
      problems.push({ index, field: 'email', message })
    }
    seen.add(email)
    return data ? [data] : []
  })
  return { users, problems }
}
