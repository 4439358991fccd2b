import { read } from '@e965/xlsx'
import papa from 'papaparse'

import { decodeText, isArchive } from './previewValues.ts'
import type { Sheet } from './sheetValues.ts'
import { demandUnpackable } from './unpackValues.ts'

/** A file of cells as it is handed to the worker. */
export interface SheetFile {
  readonly bytes: Uint8Array
  readonly isCsv: boolean
}

/** @throws Error where the file cannot be read */
export const readSheetFile = ({ bytes, isCsv }: SheetFile): Sheet[] =>
  isCsv ? readCsv(bytes) : readWorkbook(bytes)

function readCsv(bytes: Uint8Array): Sheet[] {
  const { data } = papa.parse<string[]>(decodeText(bytes), { skipEmptyLines: false })
  const last = data.findLastIndex((row) => row.some((cell) => cell !== ''))
  return [{ name: '', rows: data.slice(0, last + 1) }]
}

/** What a compound file begins with, as Excel wrote until 2003. */
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
/** Rows and columns that a sheet can have; a damaged one can name a billion. */
const COMPOUND_MAX = { rows: 65_536, columns: 256 }
const ARCHIVE_MAX = { rows: 1_048_576, columns: 16_384 }

/**
 * The sheets of a workbook, XLSX or XLS, with numbers and dates as their cells show them. Formulas are not computed, and
 * macros not read.
 * @throws Error where the file is no such workbook, has a password, or unpacks to too much
 */
export function readWorkbook(bytes: Uint8Array): Sheet[] {
  const isCompound = COMPOUND.every((byte, at) => bytes[at] === byte)
  // Anything else would be read as one of many other formats, which are shown elsewhere.
  if (!isCompound && !isArchive(bytes)) throw new Error('This is no workbook.')
  if (!isCompound) demandUnpackable(bytes)
  const max = isCompound ? COMPOUND_MAX : ARCHIVE_MAX
  const workbook = read(bytes, {
    type: 'array',
    dense: true,
    sheetRows: max.rows,
    dateNF: 'yyyy-mm-dd',
    cellFormula: false,
    cellHTML: false,
    bookVBA: false,
  })
  return workbook.SheetNames.map((name) => {
    const cells = workbook.Sheets[name]?.['!data'] ?? []
    // Rows and cells without content are holes.
    const rows = Array.from(cells, (row) =>
      Array.from((row ?? []).slice(0, max.columns), (cell) => cell?.w ?? String(cell?.v ?? '')),
    )
    return { name, rows }
  })
}
