import { decodeText, type Encoding } from './encodings.ts'
import { DAY_MS } from './time.ts'
import { demandUnpackable, entriesIn, type Inflater, isArchive, isCompound } from './unpack.ts'

/** Bytes of a file with a table: ample for a hundred thousand people. */
export const TABLE_BYTES_MAX = 20 * 1024 * 1024
/** Cells of a file; a few bytes can declare a million empty ones. */
const CELLS_MAX = 5_000_000

/** A table of a file. Its first row is row 1 of the file, and blank rows stay, so that row numbers are the file's own. */
export interface Sheet {
  /** Empty for a text. */
  readonly name: string
  readonly isHidden: boolean
  /** Trimmed cells without the empty ones at the end of a row. */
  readonly rows: readonly (readonly string[])[]
}
/** Things in a file that are read in a certain way, or not at all. */
export const TABLE_NOTES = ['formulas', 'hyperlinks', 'errors', 'macros', 'externalLinks'] as const
export interface TableNote {
  readonly kind: (typeof TABLE_NOTES)[number]
  /** Number of cells; 1 for the file. */
  readonly count: number
}
export interface TableFile {
  readonly sheets: readonly Sheet[]
  /** Null for a workbook. */
  readonly encoding: Encoding | null
  /** True if nothing in the file names its encoding. */
  readonly isEncodingAssumed: boolean
  /** Null for a workbook. */
  readonly delimiter: string | null
  readonly notes: readonly TableNote[]
}

/** Index of the first visible sheet with more than a row of headings. */
export function firstSheet({ sheets }: Pick<TableFile, 'sheets'>): number {
  const withRows = sheets.findIndex(({ isHidden, rows }) => !isHidden && rows.length > 1)
  return Math.max(0, withRows < 0 ? sheets.findIndex(({ isHidden }) => !isHidden) : withRows)
}

/** Why a file has no table that can be read. */
export type TableFault = 'NOT_A_TABLE' | 'EMPTY' | 'QUOTES' | 'TOO_LARGE' | 'PASSWORD' | 'UNREADABLE'
export class TableError extends Error {
  readonly fault: TableFault
  /** Row of the file. */
  readonly row: number | undefined
  constructor(fault: TableFault, row?: number) {
    super(`The table cannot be read: ${fault}.`)
    this.fault = fault
    this.row = row
  }
}

/** A cell of a workbook, as of SheetJS. */
interface WorkbookCell {
  /** Type: `n` a number or a date, `s` a text. */
  readonly t?: string
  readonly v?: string | number | boolean | Date
  /** The value as displayed; undefined for a format that the package does not know. */
  readonly w?: string
  /** Format of a number. */
  readonly z?: string | number
  /** Formula. */
  readonly f?: string
}
interface Workbook {
  readonly SheetNames: readonly string[]
  readonly Sheets: {
    readonly [name: string]: {
      readonly ['!data']?: readonly (readonly (WorkbookCell | undefined)[] | undefined)[]
    }
  }
  readonly Workbook?: { readonly Sheets?: readonly { readonly Hidden?: number }[] }
}
const WORKBOOK_OPTIONS = {
  type: 'array',
  dense: true,
  sheetRows: 1_048_576,
  cellNF: true,
  dateNF: 'yyyy-mm-dd',
  cellHTML: false,
  bookVBA: false,
} as const
/** Packages of the caller: the contract itself depends on none. */
export interface TableTools {
  /** `read` of SheetJS. */
  readonly readWorkbook: (bytes: Uint8Array, options: typeof WORKBOOK_OPTIONS) => Workbook
  /** `Inflate` of fflate. */
  readonly Inflate: Inflater
}

/** Counts the notes of a file. */
class Notes {
  readonly #counts = new Map<TableNote['kind'], number>()
  add(kind: TableNote['kind']): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
  }
  list(): TableNote[] {
    return TABLE_NOTES.flatMap((kind) => {
      const count = this.#counts.get(kind)
      return count ? [{ kind, count }] : []
    })
  }
}

const HYPERLINK = /^=HYPERLINK\(\s*"[^"]*"\s*[,;]\s*"((?:[^"]|"")*)"\s*\)$/i
const ERROR = /^(?:#{3,}|#(?:REF|VALUE|NAME|NULL|NUM)[!?]|#N\/A|#DIV\/0!)$/
/**
 * The value that a spreadsheet wrote: without the apostrophe before a text that would be a formula or a number, of
 * `="+1416"` the text, and of a hyperlink its label.
 */
function cellText(written: string, notes: Notes): string {
  const cell = written.trim()
  if (cell.startsWith("'")) return cell.replace(/^'(?=[=+\-@\d])/, '')
  if (cell.startsWith('#') && ERROR.test(cell)) notes.add('errors')
  if (!cell.startsWith('=')) return cell
  const text = /^="((?:[^"]|"")*)"$/.exec(cell)?.[1]
  if (text !== undefined) return text.replaceAll('""', '"').trim()
  const label = HYPERLINK.exec(cell)?.[1]
  if (label === undefined) return cell
  notes.add('hyperlinks')
  return label.replaceAll('""', '"').trim()
}

/** Reads the cells of rows, without the empty ones at the end of a row and the blank rows at the end. */
function readRows<Cell>(
  rows: readonly (readonly Cell[] | undefined)[],
  textOf: (cell: Cell) => string,
): string[][] {
  if (rows.reduce((count, row) => count + (row?.length ?? 0), 0) > CELLS_MAX)
    throw new TableError('TOO_LARGE')
  const read = Array.from(rows, (row = []) => {
    // Cells of a workbook without content are holes.
    const cells = Array.from(row, textOf)
    return cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1)
  })
  return read.slice(0, read.findLastIndex((row) => row.length > 0) + 1)
}

const DELIMITERS = [',', ';', '\t', '|']
/** Beginning of a text that decides about the delimiter: characters and rows. */
const GUESSED = { length: 65_536, rows: 30 }
/** Excel's first line that declares the delimiter. */
const SEPARATOR_LINE = /^sep=([,;|\t])[ \t]*(?:\r\n|\n|\r)/i

/** Position of the mark that closes a quoted value; -1 without one. A doubled mark stands for one. */
function closingMark(text: string, from: number): number {
  let at = text.indexOf('"', from)
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2)
  return at
}

interface Delimited {
  readonly rows: string[][]
  /** True where a quotation mark of the last row is missing, or has text behind it. */
  readonly isBroken: boolean
}
/**
 * Parses delimited text (RFC 4180) with any line ends and blanks around quoted values. Stops at the first wrong
 * quotation mark. Linear in the length of the text.
 */
function parseDelimited(text: string, delimiter: string, rowsMax = Infinity): Delimited {
  const blanks = delimiter === '\t' ? / */y : /[ \t]*/y
  const afterBlanks = (from: number) => {
    if (text[from] !== ' ' && text[from] !== '\t') return from
    blanks.lastIndex = from
    blanks.exec(text)
    return blanks.lastIndex
  }
  const ends = new RegExp(`[${delimiter}\\r\\n]|$`, 'g')
  const rows: string[][] = []
  let [row, at, cells]: [string[], number, number] = [[], 0, 0]
  while (at < text.length) {
    if ((cells += 1) > CELLS_MAX) throw new TableError('TOO_LARGE')
    const start = afterBlanks(at)
    if (text[start] === '"') {
      const close = closingMark(text, start + 1)
      at = close < 0 ? text.length : afterBlanks(close + 1)
      const isClosed = close >= 0 && (at === text.length || `${delimiter}\r\n`.includes(text[at]!))
      row.push(text.slice(start + 1, close).replaceAll('""', '"'))
      if (!isClosed) return { rows: [...rows, row], isBroken: true }
    } else {
      ends.lastIndex = at
      const end = ends.exec(text)!.index
      row.push(text.slice(at, end))
      at = end
    }
    if (text[at] === delimiter) at += 1
    else {
      rows.push(row)
      if (rows.length >= rowsMax) break
      row = []
      at += text.startsWith('\r\n', at) ? 2 : 1
    }
  }
  if (row.length > 0 && rows.at(-1) !== row) rows.push(row)
  return { rows, isBroken: false }
}

/** The delimiter that gives most cells to rows of one length. */
function guessDelimiter(text: string): string {
  const points = DELIMITERS.map((delimiter) => {
    const { rows } = parseDelimited(text.slice(0, GUESSED.length), delimiter, GUESSED.rows)
    const lengths = Map.groupBy(rows, (row) => row.length)
    return Math.max(...[...lengths].map(([length, same]) => same.length * (length - 1)))
  })
  return DELIMITERS[points.indexOf(Math.max(...points))]!
}

/** Beginnings of texts that are no tables: PDF, RTF, HTML and XML. */
const OTHER_TEXT = /^\s*(?:%PDF-|\{\\rtf|<(?:!doctype|html|\?xml|table))/i

function readText(bytes: Uint8Array, chosen: Encoding | undefined): TableFile {
  const decoded = decodeText(bytes, chosen)
  if (!decoded || OTHER_TEXT.test(decoded.text.slice(0, 100))) throw new TableError('NOT_A_TABLE')
  const { encoding, isAssumed: isEncodingAssumed } = decoded
  const separatorLine = SEPARATOR_LINE.exec(decoded.text)
  const text = separatorLine ? decoded.text.slice(separatorLine[0].length) : decoded.text
  const delimiter = separatorLine?.[1] ?? guessDelimiter(text)
  const { rows: parsed, isBroken } = parseDelimited(text, delimiter)
  // The line that names the separator is row 1.
  const all = separatorLine ? [[], ...parsed] : parsed
  if (isBroken) throw new TableError('QUOTES', all.length)
  const notes = new Notes()
  const rows = readRows(all, (cell) => cellText(cell, notes))
  if (rows.length === 0) throw new TableError('EMPTY')
  const sheets = [{ name: '', isHidden: false, rows }]
  return { sheets, encoding, isEncodingAssumed, delimiter, notes: notes.list() }
}

/** True for the format of a date: it has letters of dates outside quotes, escapes and brackets. */
const isDateFormat = (format: string | number | undefined): boolean =>
  /[dmyhs]/i.test(String(format ?? '').replace(/"[^"]*"?|\\.|\[[^\]]*\]?/g, ''))
/** A date and time of a workbook, counted in days since 1899-12-30. */
function dateText(serial: number): string {
  const iso = new Date(Date.UTC(1899, 11, 30) + Math.round(serial * DAY_MS)).toISOString()
  return Number.isInteger(serial) ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 16)}`
}
/** A number with all its digits. Its format counts where it only adds a plus, zeros, blanks and brackets. */
function numberText(value: number, displayed: string): string {
  const plain = String(value)
  const digits = displayed.replace(/\D/g, '')
  return /^[+\d\s()/-]+$/.test(displayed) && digits.endsWith(plain) ? displayed : plain
}
const LAST_DAY = 2_958_466
function workbookText({ t, v, w, f, z }: WorkbookCell, notes: Notes): string {
  if (f !== undefined) notes.add('formulas')
  if (t !== 'n' || typeof v !== 'number') return cellText(w ?? String(v ?? ''), notes)
  if (isDateFormat(z) && v >= 0 && v < LAST_DAY) return w ?? dateText(v)
  return numberText(v, w?.trim() ?? '')
}

/** Refuses archives that are no workbook or unpack to too much, and notes what is in them and stays unread. */
function examineArchive(bytes: Uint8Array, { Inflate }: TableTools, notes: Notes): void {
  const names = Array.from(entriesIn(bytes), ({ name }) => name)
  if (!names.some((name) => /^\/?xl\/workbook\.(?:xml|bin)$/i.test(name))) throw new TableError('NOT_A_TABLE')
  if (names.some((name) => /vbaProject\.bin$/i.test(name))) notes.add('macros')
  if (names.some((name) => /externalLinks\//i.test(name))) notes.add('externalLinks')
  try {
    demandUnpackable(bytes, Inflate)
  } catch {
    throw new TableError('TOO_LARGE')
  }
}

function readWorkbook(bytes: Uint8Array, tools: TableTools): TableFile {
  const notes = new Notes()
  try {
    if (isArchive(bytes)) examineArchive(bytes, tools, notes)
    const book = tools.readWorkbook(bytes, WORKBOOK_OPTIONS)
    const sheets = book.SheetNames.map((name, n): Sheet => {
      const cells = book.Sheets[name]?.['!data'] ?? []
      const isHidden = (book.Workbook?.Sheets?.[n]?.Hidden ?? 0) !== 0
      return { name, isHidden, rows: readRows(cells, (cell) => (cell ? workbookText(cell, notes) : '')) }
    }).filter(({ rows }) => rows.length > 0)
    if (sheets.length === 0) throw new TableError('EMPTY')
    return { sheets, encoding: null, isEncodingAssumed: false, delimiter: null, notes: notes.list() }
  } catch (error) {
    if (error instanceof TableError) throw error
    throw new TableError(/password|encrypted/i.test(String(error)) ? 'PASSWORD' : 'UNREADABLE')
  }
}

/**
 * Reads the tables of a file: CSV, TSV or other delimited text in any encoding and with any delimiter, XLSX, XLSM or
 * XLS. The content decides, not the name. Formulas are not computed, links not followed, macros not read.
 * @param encoding the encoding that a person chose
 * @throws TableError
 */
export function readTable(bytes: Uint8Array, tools: TableTools, encoding?: Encoding): TableFile {
  if (bytes.length === 0) throw new TableError('EMPTY')
  if (bytes.length > TABLE_BYTES_MAX) throw new TableError('TOO_LARGE')
  return isArchive(bytes) || isCompound(bytes) ? readWorkbook(bytes, tools) : readText(bytes, encoding)
}
