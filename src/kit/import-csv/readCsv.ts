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

/** A text that a spreadsheet was to take as a text: ="+14165550123". */
const withoutFormula = (cell: string) => /^="([^"]*)"$/.exec(cell)?.[1] ?? cell
const isBlank = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '')
/** An exported file has an apostrophe before what a spreadsheet would take for a formula. */
const unquoted = (cell: string) =>
  withoutFormula(cell.trim())
    .trim()
    .replace(/^'(?=[=+\-@])/, '')

/** The first line in which Excel says how values are separated. */
const SEPARATOR_LINE = /^sep=([,;|\t])[ \t]*(?:\r\n|\n|\r)/i

/** Removes spaces before a value in quotation marks, which would make the marks a part of it. */
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
      // After an end they stand for one mark.
      if (within === 'indent') from = at
      within = 'marks'
    } else if (within === 'indent' && letter !== ' ' && letter !== '\t') within = 'value'
  }
  return kept + text.slice(from)
}

/** The table that a text is, its first row being that of the headings; undefined cells are empty. */
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
    text: 'csvImport.notRead',
    hint: 'csvImport.quotesHint',
    ...(broken.row !== undefined && { row: broken.row + 1 + before }),
  }
}

/**
 * The rows below the headings. Empty lines count and are left out.
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
  const found = await tableOf(read.content)
  return 'table' in found ? rowsOf(found.table, found.before, format) : found
}

/** A file some of whose rows cannot be imported. */
export interface Faulty<Read> {
  /** Of the file. */
  readonly name: string
  /** What is wrong, each sentence once. */
  readonly sentences: readonly string[]
  readonly headings: readonly string[]
  /** The rows with something wrong, and what. */
  readonly rows: readonly (CsvRow & { readonly problems: readonly string[] })[]
  /** How many rows the file has. */
  readonly count: number
  /** The file without those rows; undefined where nothing is left. */
  readonly rest: Read | undefined
}

/** Sets the rows apart that have something wrong. */
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
    // One sentence may serve two values of a row.
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
