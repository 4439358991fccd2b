import { type CellObject, read, SSF, type WorkBook } from '@e965/xlsx'
import papa from 'papaparse'

import { isArchive, isCompound } from '#contract/kit/unpack.ts'

import { textOf, Unpreviewable } from './previewValues.ts'
import type { Sheet } from './sheetValues.ts'
import { demandUnpackable } from './unpackValues.ts'

/** A spreadsheet file for the worker. */
export interface SheetFile {
  readonly bytes: Uint8Array
  readonly isCsv: boolean
}

/** @throws Error if the file cannot be read. */
export const readSheetFile = ({ bytes, isCsv }: SheetFile): Sheet[] =>
  isCsv ? readCsv(bytes) : readWorkbook(bytes)

/** Excel's first line that names the separator. */
const SEPARATOR_LINE = /^sep=(.)[ \t]*(?:\r\n|\n|\r)/i
const DELIMITERS = [',', ';', '\t', '|']
/** A character that no text has, for a file of one column. */
const NO_DELIMITER = '\u001f'
/** Rows and characters that tell the delimiter. */
const GUESSED = { rows: 50, length: 65_536 }

/** The delimiter that gives most cells to rows of the usual length, or none where most rows have one cell. */
function delimiterOf(text: string): string {
  const head = text.slice(0, GUESSED.length)
  let [best, points] = [NO_DELIMITER, 0]
  for (const delimiter of DELIMITERS) {
    const { data } = papa.parse<string[]>(head, { delimiter, preview: GUESSED.rows, skipEmptyLines: true })
    const [usual] = [...Map.groupBy(data, ({ length }) => length)].sort(([, a], [, b]) => b.length - a.length)
    const given = usual ? usual[1].length * (usual[0] - 1) : 0
    if (given > points) [best, points] = [delimiter, given]
  }
  return best
}

function readCsv(bytes: Uint8Array): Sheet[] {
  const decoded = textOf(bytes)
  const named = SEPARATOR_LINE.exec(decoded)
  const text = named ? decoded.slice(named[0].length) : decoded
  const delimiter = named?.[1] ?? delimiterOf(text)
  const { data } = papa.parse<string[]>(text, { delimiter, skipEmptyLines: false })
  const last = data.findLastIndex((row) => row.some((cell) => cell !== ''))
  return [{ name: '', rows: data.slice(0, last + 1) }]
}

/** Limits of the format; a damaged sheet can declare a billion. */
const COMPOUND_MAX = { rows: 65_536, columns: 256 }
const ARCHIVE_MAX = { rows: 1_048_576, columns: 16_384 }

/** @throws Unpreviewable if the workbook has a password */
function opened(bytes: Uint8Array, options: Parameters<typeof read>[1]): WorkBook {
  try {
    return read(bytes, options)
  } catch (error) {
    throw /password|encrypt/i.test(String(error)) ? new Unpreviewable('protected') : error
  }
}

/** Quoted, escaped and bracketed parts of a number format, and fractions of seconds; a bare dot is none of these. */
const FORMAT_PARTS = /"[^"]*(?:"|$)|\\.|\[[^\]]*(?:\]|$)|s\.0+|\./gi
/** A cell as displayed. The library gives up on a date whose format has bare dots, such as dd.mm.yyyy. */
function cellText({ w, v, z }: CellObject, date1904: boolean): string {
  if (w !== undefined || typeof v !== 'number' || z === undefined) return w ?? String(v ?? '')
  const format = String(z).replaceAll(FORMAT_PARTS, (part) => (part === '.' ? '\\.' : part))
  try {
    return SSF.format(format, v, { date1904 }) as string
  } catch {
    return SSF.is_date(format) ? (SSF.format('yyyy-mm-dd', v, { date1904 }) as string) : String(v)
  }
}

/**
 * Reads the sheets of a workbook, XLSX or XLS, with numbers and dates as displayed. Formulas are not
 * computed, and macros not read.
 * @throws Unpreviewable if it has a password; Error if it is no such workbook, or unpacks to too much
 */
export function readWorkbook(bytes: Uint8Array): Sheet[] {
  // The library would read anything else as one of many other formats.
  if (!isCompound(bytes) && !isArchive(bytes)) throw new Error('This is no workbook.')
  if (!isCompound(bytes)) demandUnpackable(bytes)
  const max = isCompound(bytes) ? COMPOUND_MAX : ARCHIVE_MAX
  const workbook = opened(bytes, {
    type: 'array',
    dense: true,
    sheetRows: max.rows,
    dateNF: 'yyyy-mm-dd',
    cellNF: true,
    cellFormula: false,
    cellHTML: false,
    bookVBA: false,
  })
  const is1904 = workbook.Workbook?.WBProps?.date1904 ?? false
  return workbook.SheetNames.map((name, n) => {
    const cells = workbook.Sheets[name]?.['!data'] ?? []
    // Rows and cells without content are holes.
    const rows = Array.from(cells, (row) =>
      Array.from((row ?? []).slice(0, max.columns), (cell) => (cell ? cellText(cell, is1904) : '')),
    )
    return { name, rows, isHidden: (workbook.Workbook?.Sheets?.[n]?.Hidden ?? 0) > 0 }
  })
}
