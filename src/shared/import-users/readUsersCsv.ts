import { headingsOf, rowOf } from '#contract/kit/csv.ts'
import { isOfferedRole, readImport } from '#contract/user-import/rules.ts'
import {
  IMPORT_COLUMNS,
  IMPORT_EMPTY,
  IMPORT_ROWS_MAX,
  IMPORT_TOO_LONG,
  type ImportRow,
} from '#contract/user-import/schema.ts'
import type { NewUser } from '#contract/users/schema.ts'
import { type CsvRow, type Faulty, faultyOf, readCsv, type Refused } from '#src/shared/import-csv/readCsv.ts'

/** What a file says. */
export interface UsersFile {
  readonly name: string
  readonly rows: readonly ImportRow[]
  readonly users: readonly NewUser[]
  /** How many rows have a role that nobody knows, which becomes User. */
  readonly unknownRoles: number
}

const FORMAT = {
  headings: headingsOf(IMPORT_COLUMNS),
  most: IMPORT_ROWS_MAX,
  empty: IMPORT_EMPTY,
  tooMany: IMPORT_TOO_LONG,
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
    return { problems, name: file.name, rows, users, unknownRoles }
  }
  const whole = read(found)
  return whole.problems.length === 0
    ? whole
    : faultyOf(file.name, found, whole.problems, FORMAT.headings, read)
}
