import { read } from '@e965/xlsx'

import type { Sheet } from './sheetValues.ts'

/** Rows and columns of a workbook that are shown; a damaged one can name a billion. */
const ROWS_MAX = 65_536
const COLUMNS_MAX = 256

/** What a compound file begins with. Anything else is read as one of many other formats, which are shown elsewhere. */
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]

/**
 * The sheets of a workbook as Excel wrote it until 2003, with numbers and dates as their cells show them. Formulas are
 * not computed, and macros not read.
 * @throws Error where the file is no such workbook, or has a password
 */
export function readXls(bytes: Uint8Array): Sheet[] {
  if (COMPOUND.some((byte, at) => bytes[at] !== byte)) throw new Error('This is no old workbook.')
  const workbook = read(bytes, {
    type: 'array',
    dense: true,
    sheetRows: ROWS_MAX,
    dateNF: 'yyyy-mm-dd',
    cellFormula: false,
    cellHTML: false,
    bookVBA: false,
  })
  return workbook.SheetNames.map((name) => {
    const cells = workbook.Sheets[name]?.['!data'] ?? []
    // Rows and cells without content are holes.
    const rows = Array.from(cells, (row) =>
      Array.from((row ?? []).slice(0, COLUMNS_MAX), (cell) => cell?.w ?? String(cell?.v ?? '')),
    )
    return { name, rows }
  })
}
