import { inRow, rowOf } from '#contract/kit/csv.ts'
import type { PersonValues } from '#contract/kit/person-table.ts'
import { pick } from '#contract/kit/pick.ts'
import { type PhoneFault, type PhoneReader, phoneSentence } from '#contract/kit/phone.ts'
import { cleanEmail, cleanName, INVALID_EMAIL, INVALID_NAME, normalisedEmail } from '#contract/kit/text.ts'
import { readPhonesOf } from '#contract/kit/person-phones.ts'
import { nameProblem, OFFERED_ROLES } from '#contract/users/rules.ts'
import { FIRST_NAME_REQUIRED, LAST_NAME_REQUIRED, NewUser, type UserRole } from '#contract/users/schema.ts'

import { IMPORT_COLUMNS, IMPORT_FIELDS, type ImportRow } from './schema.ts'

const normalised = (role: string | null) =>
  (role ?? '')
    .trim()
    .toUpperCase()
    .replace(/[\s-]+/g, '_')
/** True for a role that an import can assign. */
export const isOfferedRole = (role: string | null): boolean =>
  OFFERED_ROLES.some((offered) => offered === normalised(role))
/** The role in any spelling; unknown ones become USER (administration §5). */
export const importedRole = (role: string | null): UserRole =>
  OFFERED_ROLES.find((offered) => offered === normalised(role)) ?? 'USER'
const REPEATED = 'Duplicate email address'
/** True for the problem of an address that an earlier row has as well. */
export const isRepeatedAddress = (sentence: string): boolean => sentence.startsWith(REPEATED)

const NAME_REFUSED = 'First/last name can only include alphabetical characters, periods, and spaces.'
/** True for the problem of a name whose characters the organisation can allow. */
export const isNameRefused = (sentence: string): boolean => sentence.startsWith(NAME_REFUSED.slice(0, -1))

export interface ImportProblem {
  /** Index of the row in the input. */
  readonly index: number
  readonly field: string
  readonly message: string
}
/** A phone number that cannot be read. Its person is imported without it. */
export interface ImportWarning extends ImportProblem {
  readonly written: string
  readonly fault: PhoneFault
}
/** The row of a person in a file. */
export const importRowOf = (person: PersonValues): ImportRow => {
  const cells = { ...person, phoneNumber: person.phone, secondPhoneNumber: person.secondPhone }
  return {
    ...rowOf(
      IMPORT_COLUMNS,
      IMPORT_FIELDS.map((field) => cells[field]),
    ),
    phoneExtension: null,
    secondPhoneExtension: null,
    sendWelcomeSetPasswordEmail: true,
  }
}

/**
 * The values that a file gives a user. Missing ones stay unchanged: empty cells, numbers that cannot be read, unknown
 * roles.
 */
export const userValues = (user: NewUser, { role, type }: Pick<PersonValues, 'role' | 'type'>) => ({
  firstName: user.firstName,
  lastName: user.lastName,
  ...(user.phoneNumber && pick(user, ['phoneNumber', 'phoneExtension'])),
  ...(user.secondPhoneNumber && pick(user, ['secondPhoneNumber', 'secondPhoneExtension'])),
  ...(user.location && { location: user.location }),
  ...(user.department && { department: user.department }),
  ...(user.deputy && { deputy: user.deputy }),
  ...(isOfferedRole(role) && { role: user.role }),
  ...(type !== '' && { type: user.type }),
})

interface Options {
  /** Characters allowed in names, by configuration of the organisation. */
  readonly characters: string
  readonly phones: PhoneReader
  /** Number of a row in its file; the first one below the headings is 2. */
  readonly rowOf?: (index: number) => number
}

/** The message for a field, in the specification's wording where there is one (administration §5). */
function sentenceOf(field: string, issue: string, written: string, row: number): string {
  if (issue === INVALID_EMAIL)
    return written === ''
      ? `An email address is missing from row ${row}.`
      : `Invalid email address (${written}) found in row ${row}).`
  if (issue === FIRST_NAME_REQUIRED || issue === LAST_NAME_REQUIRED)
    return `A ${field === 'firstName' ? 'first' : 'last'} name is missing from row ${row}.`
  if (issue === INVALID_NAME) return inRow(NAME_REFUSED, row)
  return inRow(issue, row)
}

const textOf = (row: ImportRow, field: keyof ImportRow): string => String(row[field] ?? '').trim()

/** The problems of a row by field: the first issue of the contract, or a violation of the organisation's rules. */
function issuesOf(
  row: ImportRow,
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
  characters: string,
): ReadonlyMap<string, string> {
  const first = new Map<string, string>()
  const add = (field: string, message: string | undefined) => {
    if (message && !first.has(field)) first.set(field, message)
  }
  for (const { path, message } of issues) add(String(path[0]), message)
  for (const field of ['firstName', 'lastName'] as const)
    add(field, nameProblem(cleanName(textOf(row, field)), characters))
  return first
}

/**
 * Reads the rows of an import: the users that they name, or all problems. Users come without the phone numbers that
 * the warnings name.
 */
export function readImport(
  rows: readonly ImportRow[],
  { characters, phones: reader, rowOf = (index) => index + 2 }: Options,
): { users: NewUser[]; problems: ImportProblem[]; warnings: ImportWarning[] } {
  const problems: ImportProblem[] = []
  const warnings: ImportWarning[] = []
  const seen = new Set<string>()
  const users = rows.flatMap((row, index) => {
    const written = (field: keyof ImportRow) => textOf(row, field)
    const { phones, problems: unread } = readPhonesOf(row, reader)
    for (const problem of unread) {
      const { field, written: phone, fault } = problem
      warnings.push({ index, field, written: phone, fault, message: phoneSentence(problem, rowOf(index)) })
    }
    const { data, error } = NewUser.safeParse({
      ...row,
      ...phones,
      email: cleanEmail(row.email ?? ''),
      firstName: row.firstName ?? '',
      lastName: row.lastName ?? '',
      role: importedRole(row.role),
    })
    const issues = issuesOf(row, error?.issues ?? [], characters)
    for (const field of IMPORT_FIELDS) {
      const issue = issues.get(field)
      if (issue !== undefined)
        problems.push({ index, field, message: sentenceOf(field, issue, written(field), rowOf(index)) })
    }
    const email = normalisedEmail(cleanEmail(written('email')))
    if (email !== '' && seen.has(email)) {
      const message = `${REPEATED} (${email}) found in row ${rowOf(index)}.`
      problems.push({ index, field: 'email', message })
    }
    seen.add(email)
    return data ? [data] : []
  })
  return { users, problems, warnings }
}
