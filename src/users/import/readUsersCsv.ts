import { headingsOf, rowOf } from '#contract/kit/csv.ts'
import { isOfferedRole, readImport } from '#contract/user-import/rules.ts'
import {
  IMPORT_COLUMNS,
  IMPORT_EMPTY,
  IMPORT_FIELDS,
  IMPORT_ROWS_MAX,
  IMPORT_TOO_LONG,
  type ImportRow,
} from '#contract/user-import/schema.ts'
import { externalType } from '#contract/users/rules.ts'
import type { NewUser, UserType } from '#contract/users/schema.ts'
import { type CsvRow, type Faulty, faultyOf, readCsv, type Refused } from '#src/kit/import-table/readCsv.ts'

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
}

const FORMAT = {
  headings: headingsOf(IMPORT_COLUMNS),
  most: IMPORT_ROWS_MAX,
  empty: IMPORT_EMPTY,
  tooMany: IMPORT_TOO_LONG,
}

const EXTERNAL_AT = IMPORT_FIELDS.indexOf('type')
function heldWords(some: readonly CsvRow[], users: readonly Pick<NewUser, 'email'>[]): HeldWord[] {
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

/**
 * Parses a file of users and checks every row like the server (administration §5 "User import (CSV)").
 * @param characters accepted in names
 */
export async function readUsersCsv(
  file: File,
  characters: string,
): Promise<UsersFile | Refused | Faulty<UsersFile>> {
  const found = await readCsv(file, FORMAT)
  if (!Array.isArray(found)) return found
  const { isValidPhoneNumber: isPhone } = await import('libphonenumber-js/min')
  const read = (some: readonly CsvRow[]) => {
    const rows = some.map(({ cells }): ImportRow => ({
      ...rowOf(IMPORT_COLUMNS, cells),
      sendWelcomeSetPasswordEmail: true,
    }))
    const { users, problems } = readImport(rows, { characters, isPhone, rowOf: (index) => some[index]!.row })
    const unknownRoles = rows.filter(({ role }) => role !== '' && !isOfferedRole(role)).length
    return { problems, name: file.name, rows, users, held: heldWords(some, users), unknownRoles }
  }
  const whole = read(found)
  return whole.problems.length === 0
    ? whole
    : faultyOf(file.name, found, whole.problems, FORMAT.headings, read)
}
