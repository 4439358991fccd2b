import type { TextKey } from '#providers/i18nProvider.ts'

/** Why a file cannot be imported: sentences of the contract, or texts of the catalogue with a hint below. */
export type Refused =
  | { readonly sentences: readonly string[] }
  | { readonly text: TextKey; readonly hint?: TextKey; readonly row?: number }

/** What the files of one import are like. */
export interface CsvFormat {
  /** The columns that must be there, in any order and case. */
  readonly headings: readonly string[]
  /** Rows that one file can hold. */
  readonly most: number
  readonly empty: string
  readonly tooMany: string
}
/** A row below the headings. */
export interface CsvRow {
  /** As the file counts: the first one below the headings is 2. */
  readonly row: number
  /** Trimmed, in the order of the headings that were asked for. */
  readonly cells: readonly string[]
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
  if (!encoding) return { text: 'csvImport.notCsv' }
  try {
    return { content: new TextDecoder(encoding, { fatal: true }).decode(bytes) }
  } catch {
    return { text: 'csvImport.notRead', hint: 'csvImport.encodingHint' }
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
    text: 'csvImport.notRead',
    hint: 'csvImport.quotesHint',
    ...(broken.row !== undefined && { row: broken.row + 1 }),
  }
}

/** The rows below the headings. Empty lines count and are left out. */
function rowsOf(table: readonly (readonly string[])[], format: CsvFormat): CsvRow[] | Refused {
  const numbered = table
    .map((cells, index): CsvRow => ({ row: index + 1, cells }))
    .filter(({ cells }) => !isBlank(cells))
  const [head, ...rows] = numbered
  if (!head || rows.length === 0) return { sentences: [format.empty] }
  const names = head.cells.map((name) => name.trim().toLowerCase())
  const at = format.headings.map((heading) => names.indexOf(heading.toLowerCase()))
  if (at.includes(-1)) return { text: 'csvImport.headings' }
  if (rows.length > format.most) return { sentences: [format.tooMany] }
  const tooWide = rows.find(({ cells }) => !isBlank(cells.slice(names.length)))
  if (tooWide) return { text: 'csvImport.notRead', hint: 'csvImport.wideHint', row: tooWide.row }
  return rows.map(({ row, cells }) => ({ row, cells: at.map((column) => unquoted(cells[column] ?? '')) }))
}

/** Reads a CSV file, whichever of the usual ways it is written in. What its rows say is for the caller to judge. */
export async function readCsv(file: File, format: CsvFormat): Promise<CsvRow[] | Refused> {
  if (!/\.csv$/i.test(file.name)) return { text: 'csvImport.notCsv' }
  if (file.size === 0) return { sentences: [format.empty] }
  if (file.size > BYTES_MAX) return { sentences: [format.tooMany] }
  const read = decoded(new Uint8Array(await file.arrayBuffer()))
  if (!('content' in read)) return read
  const table = await tableOf(read.content)
  return Array.isArray(table) ? rowsOf(table, format) : table
}
