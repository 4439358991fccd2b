import type { TextKey } from '#providers/i18nProvider.ts'

/** A refused file: sentences of the contract, or texts of the catalogue with a hint below. */
export type Refused =
  | { readonly sentences: readonly string[] }
  | { readonly text: TextKey; readonly hint?: TextKey; readonly row?: number }

/** Format of an import's files. */
export interface CsvFormat {
  /** Required columns, in any order and case. */
  readonly headings: readonly string[]
  /** Columns that a file may have, behind the required ones in `cells`. */
  readonly optional?: readonly string[]
  /** Limit of rows in a file. */
  readonly most: number
  readonly empty: string
  readonly tooMany: string
}
/** A row below the headings. */
export interface CsvRow {
  /** Row number in the file: the first one below the headings is 2. */
  readonly row: number
  /** Trimmed cells in the order of the required headings. */
  readonly cells: readonly string[]
}

/** Limit in bytes, ample for a thousand rows. */
const BYTES_MAX = 10 * 1024 * 1024
const DELIMITERS = [',', ';', '\t']

/** Decodes a file; refuses encodings that cannot be recognised, so that no name is garbled. */
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
  if (!encoding) return { text: 'tableImport.notCsv' }
  try {
    return { content: new TextDecoder(encoding, { fatal: true }).decode(bytes) }
  } catch {
    return { text: 'tableImport.notRead', hint: 'tableImport.encodingHint' }
  }
}

/** Unwraps a text that was protected as a formula: ="+14165550123". */
const withoutFormula = (cell: string) => /^="([^"]*)"$/.exec(cell)?.[1] ?? cell
const isBlank = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '')
/** Exports put an apostrophe before text that a spreadsheet would take for a formula. */
const unquoted = (cell: string) =>
  withoutFormula(cell.trim())
    .trim()
    .replace(/^'(?=[=+\-@])/, '')

/** Excel's first line that declares the delimiter. */
const SEPARATOR_LINE = /^sep=([,;|\t])[ \t]*(?:\r\n|\n|\r)/i

/** Removes spaces before a quoted value, which would make the quotes a part of it. */
function withoutIndents(text: string, delimiter: string): string {
  let kept = ''
  let from = 0
  let within: 'indent' | 'value' | 'marks' | 'end of marks' = 'indent'
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at]!
    if (within === 'marks') {
      if (letter === '"') within = 'end of marks'
    } else if (letter === delimiter || letter === '\n' || letter === '\r') {
      kept += text.slice(from, at + 1)
      from = at + 1
      within = 'indent'
    } else if (letter === '"' && within !== 'value') {
      // A doubled quotation mark stands for one.
      if (within === 'indent') from = at
      within = 'marks'
    } else if (within === 'indent' && letter !== ' ' && letter !== '\t') within = 'value'
  }
  return kept + text.slice(from)
}

/** Parses a text into a table with the headings as first row; undefined cells are empty. */
async function tableOf(text: string): Promise<{ table: string[][]; before: number } | Refused> {
  const { default: Papa } = await import('papaparse')
  const said = SEPARATOR_LINE.exec(text)
  const content = said ? text.slice(said[0].length) : text
  const guessed = Papa.parse<string[]>(content, { delimitersToGuess: DELIMITERS, preview: 10 }).meta.delimiter
  const delimiter = said?.[1] ?? guessed
  const { data, errors } = Papa.parse<string[]>(withoutIndents(content, delimiter), { delimiter })
  const broken = errors.find(({ type }) => type === 'Quotes')
  const before = said ? 1 : 0
  if (!broken) return { table: data, before }
  return {
    text: 'tableImport.notRead',
    hint: 'tableImport.quotesHint',
    ...(broken.row !== undefined && { row: broken.row + 1 + before }),
  }
}

/**
 * Rows below the headings. Empty lines count for row numbers and are left out.
 * @param before lines of the file above the table
 */
function rowsOf(
  table: readonly (readonly string[])[],
  before: number,
  format: CsvFormat,
): CsvRow[] | Refused {
  const numbered = table
    .map((cells, index): CsvRow => ({ row: index + 1 + before, cells }))
    .filter(({ cells }) => !isBlank(cells))
  const [head, ...rows] = numbered
  if (!head || rows.length === 0) return { sentences: [format.empty] }
  const names = head.cells.map((name) => name.trim().toLowerCase())
  const at = format.headings.map((heading) => names.indexOf(heading.toLowerCase()))
  if (at.includes(-1)) return { text: 'tableImport.headings' }
  const more = (format.optional ?? []).map((heading) => names.indexOf(heading.toLowerCase()))
  if (rows.length > format.most) return { sentences: [format.tooMany] }
  const tooWide = rows.find(({ cells }) => !isBlank(cells.slice(names.length)))
  if (tooWide) return { text: 'tableImport.notRead', hint: 'tableImport.wideHint', row: tooWide.row }
  return rows.map(({ row, cells }) => ({
    row,
    cells: [...at, ...more].map((column) => unquoted(cells[column] ?? '')),
  }))
}

/** Reads a CSV file in any of the usual encodings and delimiters. The caller validates its rows. */
export async function readCsv(file: File, format: CsvFormat): Promise<CsvRow[] | Refused> {
  if (!/\.csv$/i.test(file.name)) return { text: 'tableImport.notCsv' }
  if (file.size === 0) return { sentences: [format.empty] }
  if (file.size > BYTES_MAX) return { sentences: [format.tooMany] }
  const read = decoded(new Uint8Array(await file.arrayBuffer()))
  if (!('content' in read)) return read
  const found = await tableOf(read.content)
  return 'table' in found ? rowsOf(found.table, found.before, format) : found
}

/** A file with rows that cannot be imported. */
export interface Faulty<Read> {
  /** Name of the file. */
  readonly name: string
  /** Error messages without duplicates. */
  readonly sentences: readonly string[]
  readonly headings: readonly string[]
  /** Rows with their errors. */
  readonly rows: readonly (CsvRow & { readonly problems: readonly string[] })[]
  /** Number of all rows. */
  readonly count: number
  /** The file without the faulty rows; undefined if nothing is left. */
  readonly rest: Read | undefined
}

/** Separates the faulty rows. */
export function faultyOf<Read>(
  name: string,
  found: readonly CsvRow[],
  problems: readonly { readonly index: number; readonly message: string }[],
  headings: readonly string[],
  readRest: (rows: readonly CsvRow[]) => Read,
): Faulty<Read> {
  const byRow = Map.groupBy(problems, ({ index }) => index)
  const good = found.filter((_, index) => !byRow.has(index))
  return {
    name,
    // One sentence may apply to two values of a row.
    sentences: [...new Set(problems.map(({ message }) => message))],
    headings,
    rows: [...byRow].map(([index, its]) => ({
      ...found[index]!,
      problems: [...new Set(its.map(({ message }) => message))],
    })),
    count: found.length,
    rest: good.length > 0 ? readRest(good) : undefined,
  }
}
