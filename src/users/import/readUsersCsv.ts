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
import { type CsvRow, type Faulty, faultyOf, readCsv, type Refused } from '#src/kit/import-csv/readCsv.ts'

/** A word below External that is neither yes nor no, in any case, and the rows that wait for a decision on it. */
export interface HeldWord {
  readonly word: string
  /** As the file counts. */
  readonly rows: readonly number[]
  readonly emails: readonly string[]
}

/** What a file says. */
export interface UsersFile {
  readonly name: string
  readonly rows: readonly ImportRow[]
  /** In the order of `rows`, where nothing is wrong with them. */
  readonly users: readonly NewUser[]
  /** Nothing is imported while there are any. */
  readonly held: readonly HeldWord[]
  /** How many rows have a role that nobody knows, which becomes User. */
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
/** The file with the types that were decided for its held words; those without a decision stay held. */
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
 * Reads a file of users and checks every row, as the server will once more (administration §5 "User import (CSV)").
 * @param characters which names the organisation takes
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
