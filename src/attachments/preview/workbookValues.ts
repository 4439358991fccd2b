import { read } from '@e965/xlsx'
import papa from 'papaparse'

import { decodeText, isArchive } from './previewValues.ts'
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

function readCsv(bytes: Uint8Array): Sheet[] {
  const { data } = papa.parse<string[]>(decodeText(bytes), { skipEmptyLines: false })
  const last = data.findLastIndex((row) => row.some((cell) => cell !== ''))
  return [{ name: '', rows: data.slice(0, last + 1) }]
}

/** Signature of a compound file, the format of Excel until 2003. */
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
/** Limits of the format; a damaged sheet can declare a billion. */
const COMPOUND_MAX = { rows: 65_536, columns: 256 }
const ARCHIVE_MAX = { rows: 1_048_576, columns: 16_384 }

/**
 * Reads the sheets of a workbook, XLSX or XLS, with numbers and dates as displayed. Formulas are not
 * computed, and macros not read.
 * @throws Error if the file is no such workbook, has a password, or unpacks to too much
 */
export function readWorkbook(bytes: Uint8Array): Sheet[] {
  const isCompound = COMPOUND.every((byte, at) => bytes[at] === byte)
  // The library would read anything else as one of many other formats.
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
