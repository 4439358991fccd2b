import {
  IMPORT_EMPTY,
  IMPORT_HEADINGS,
  IMPORT_ROWS_MAX,
  IMPORT_TOO_LONG,
  type ImportRow,
  isOfferedRole,
  readImport,
  saysExternal,
} from '#contract/user-import/schema.ts'
import type { NewUser } from '#contract/users/schema.ts'
import type { TextKey } from '#providers/i18nProvider.ts'

/** Why a file cannot be imported: sentences of the contract, or texts of the catalogue with a hint below. */
export type Refused =
  | { readonly sentences: readonly string[] }
  | { readonly text: TextKey; readonly hint?: TextKey; readonly row?: number }
/** What a file says. */
export interface UsersFile {
  readonly name: string
  readonly rows: readonly ImportRow[]
  readonly users: readonly NewUser[]
  /** How many rows have a role that nobody knows, which becomes User. */
  readonly unknownRoles: number
}

/** No file of a thousand rows is larger. */
const BYTES_MAX = 10 * 1024 * 1024
const DELIMITERS = [',', ';', '\t']

/** The text of a file; undefined when it is none. Only encodings that say which they are, so that no name is guessed. */
function decoded(bytes: Uint8Array): { content: string } | Refused {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe
      ? 'utf-16le'
      : first === 0xfe && second === 0xff
        ? 'utf-16be'
        : bytes.includes(0)
          ? undefined
          : 'utf-8'
  if (!encoding) return { text: 'userImport.notCsv' }
  try {
    return { content: new TextDecoder(encoding, { fatal: true }).decode(bytes) }
  } catch {
    return { text: 'userImport.notRead', hint: 'userImport.encodingHint' }
  }
}

const isBlank = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '')
/** An exported file has an apostrophe before what a spreadsheet would take for a formula. */
const unquoted = (cell: string) => cell.trim().replace(/^'(?=[=+\-@])/, '')

/** The table that a text is; undefined cells are empty. */
async function tableOf(text: string): Promise<string[][] | Refused> {
  const { default: Papa } = await import('papaparse')
  const { data, errors } = Papa.parse<string[]>(text, { delimitersToGuess: DELIMITERS })
  const broken = errors.find(({ type }) => type === 'Quotes')
  if (!broken) return data
  return {
    text: 'userImport.notRead',
    hint: 'userImport.quotesHint',
    ...(broken.row !== undefined && { row: broken.row + 1 }),
  }
}

interface Numbered {
  readonly row: number
  readonly cells: readonly string[]
}
/** The rows below the headings, each with its number in the file. Empty lines count and are left out. */
function rowsOf(table: readonly (readonly string[])[]): { rows: Numbered[]; at: number[] } | Refused {
  const numbered = table
    .map((cells, index): Numbered => ({ row: index + 1, cells }))
    .filter(({ cells }) => !isBlank(cells))
  const [head, ...rows] = numbered
  if (!head || rows.length === 0) return { sentences: [IMPORT_EMPTY] }
  const names = head.cells.map((name) => name.trim().toLowerCase())
  const at = IMPORT_HEADINGS.map((heading) => names.indexOf(heading.toLowerCase()))
  if (at.includes(-1)) return { text: 'userImport.headings' }
  if (rows.length > IMPORT_ROWS_MAX) return { sentences: [IMPORT_TOO_LONG] }
  const tooWide = rows.find(({ cells }) => !isBlank(cells.slice(names.length)))
  if (tooWide) return { text: 'userImport.notRead', hint: 'userImport.wideHint', row: tooWide.row }
  return { rows, at }
}

/**
 * Reads a file of users and checks every row, as the server will once more (administration §5 "User import (CSV)").
 * @param characters which names the organisation takes
 */
export async function readUsersCsv(file: File, characters: string): Promise<UsersFile | Refused> {
  if (!/\.csv$/i.test(file.name)) return { text: 'userImport.notCsv' }
  if (file.size === 0) return { sentences: [IMPORT_EMPTY] }
  if (file.size > BYTES_MAX) return { sentences: [IMPORT_TOO_LONG] }
  const read = decoded(new Uint8Array(await file.arrayBuffer()))
  if (!('content' in read)) return read
  const table = await tableOf(read.content)
  if (!Array.isArray(table)) return table
  const found = rowsOf(table)
  if (!('rows' in found)) return found
  const rows = found.rows.map(({ cells }): ImportRow => {
    const [firstName, lastName, email, phoneNumber, role, external, location, department] = found.at.map(
      (column) => unquoted(cells[column] ?? ''),
    ) as [string, string, string, string, string, string, string, string]
    const type = saysExternal(external) ? 'EXTERNAL' : 'INTERNAL'
    const sendWelcomeSetPasswordEmail = true
    return {
      firstName,
      lastName,
      email,
      phoneNumber,
      role,
      type,
      location,
      department,
      sendWelcomeSetPasswordEmail,
    }
  })
  const { isValidPhoneNumber } = await import('libphonenumber-js/min')
  const { users, problems } = readImport(rows, {
    characters,
    isPhone: isValidPhoneNumber,
    rowOf: (index) => found.rows[index]!.row,
  })
  // One sentence serves both names of a row.
  if (problems.length > 0) return { sentences: [...new Set(problems.map(({ message }) => message))] }
  const unknownRoles = rows.filter(({ role }) => role !== '' && !isOfferedRole(role)).length
  return { name: file.name, rows, users, unknownRoles }
}
