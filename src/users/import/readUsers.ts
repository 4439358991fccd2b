import { headingsOf, optionalHeadingsOf, rowOf } from '#contract/kit/csv.ts'
import { pick } from '#contract/kit/pick.ts'
import { type ImportWarning, isOfferedRole, readImport } from '#contract/user-import/rules.ts'
import {
  IMPORT_COLUMNS,
  IMPORT_EMPTY,
  IMPORT_FIELDS,
  IMPORT_ROWS_MAX,
  IMPORT_TOO_LONG,
  type ImportRow,
} from '#contract/user-import/schema.ts'
import { PHONE_FIELDS } from '#contract/kit/phone-fields.ts'
import { externalType } from '#contract/users/rules.ts'
import type { NewUser, UserType } from '#contract/users/schema.ts'
import type { PersonRow } from '#contract/kit/person-table.ts'
import { type Faulty, faultyOf, type TableRow } from '#src/kit/import-table/faulty.ts'
import { loadPhoneReader } from '#src/kit/phones.ts'

/** A word in the External column that is neither yes nor no, ignoring case, and the rows that wait for a decision. */
export interface HeldWord {
  readonly word: string
  /** Row numbers in the file. */
  readonly rows: readonly number[]
  readonly emails: readonly string[]
}

/** A parsed file. */
export interface UsersFile {
  readonly name: string
  readonly rows: readonly ImportRow[]
  /** Valid users in the order of `rows`. */
  readonly users: readonly NewUser[]
  /** Undecided words, which block the import. */
  readonly held: readonly HeldWord[]
  /** Number of rows with an unknown role, which becomes User. */
  readonly unknownRoles: number
  /** Phone numbers that are left out. */
  readonly warnings: readonly ImportWarning[]
}

export const USERS_LIMITS = { most: IMPORT_ROWS_MAX, empty: IMPORT_EMPTY, tooMany: IMPORT_TOO_LONG }

/** Headings of the template and of the columns that it lacks. */
const ALL_HEADINGS = [...headingsOf(IMPORT_COLUMNS), ...optionalHeadingsOf(IMPORT_COLUMNS)]
/** Cells in the order of the headings. */
function cellsOf({ row, person }: PersonRow): TableRow {
  const values = { ...person, phoneNumber: person.phone, secondPhoneNumber: person.secondPhone }
  return { row, cells: IMPORT_FIELDS.map((field) => values[field]) }
}

const EXTERNAL_AT = IMPORT_FIELDS.indexOf('type')
function heldWords(some: readonly TableRow[], users: readonly Pick<NewUser, 'email'>[]): HeldWord[] {
  const waiting = some.flatMap(({ row, cells }, index) => {
    const word = cells[EXTERNAL_AT] ?? ''
    return externalType(word) === null ? [{ word, row, email: users[index]?.email ?? '' }] : []
  })
  return [...Map.groupBy(waiting, ({ word }) => word.toLowerCase())].map(([, same]) => ({
    word: same[0]!.word,
    rows: same.map(({ row }) => row),
    emails: same.map(({ email }) => email),
  }))
}

export type Decisions = { readonly [word: string]: UserType }
/** The file with decided user types for held words; words without a decision stay held. */
export function decide(file: UsersFile, decisions: Decisions): UsersFile {
  const types = new Map(
    file.held.flatMap(({ word, emails }) => emails.map((email) => [email, decisions[word]] as const)),
  )
  const typed = <Row extends Pick<NewUser, 'type'>>(row: Row, index: number): Row => {
    const type = types.get(file.users[index]!.email)
    return type ? { ...row, type } : row
  }
  return {
    ...file,
    rows: file.rows.map(typed),
    users: file.users.map(typed),
    held: file.held.filter(({ word }) => decisions[word] === undefined),
  }
}

/** The organisation's part in reading a file. */
export interface UserRules {
  /** Characters accepted in names. */
  readonly characters: string
  /** Country of phone numbers without a dial code. */
  readonly phoneCountry: string | null
}
/** Checks every person of a file like the server (administration §5 "User import (CSV)"). */
export async function readUsers(
  people: readonly PersonRow[],
  name: string,
  { characters, phoneCountry }: UserRules,
): Promise<UsersFile | Faulty<UsersFile>> {
  const phones = await loadPhoneReader(phoneCountry)
  const read = (some: readonly TableRow[]) => {
    const rows = some.map(({ cells }): ImportRow => ({
      ...rowOf(IMPORT_COLUMNS, cells),
      phoneExtension: null,
      secondPhoneExtension: null,
      sendWelcomeSetPasswordEmail: true,
    }))
    const rowNumber = (index: number) => some[index]!.row
    const { users, problems, warnings } = readImport(rows, { characters, phones, rowOf: rowNumber })
    const unknownRoles = rows.filter(({ role }) => role !== '' && !isOfferedRole(role)).length
    return {
      problems,
      name,
      // The numbers as they were read: the server refuses the others.
      rows: rows.map((row, index) => ({ ...row, ...(users[index] && pick(users[index], PHONE_FIELDS)) })),
      users,
      held: heldWords(some, users),
      unknownRoles,
      warnings,
    }
  }
  const found = people.map(cellsOf)
  const whole = read(found)
  return whole.problems.length === 0 ? whole : faultyOf(name, found, whole.problems, ALL_HEADINGS, read)
}
