import { read } from '@e965/xlsx'

import { isArchive } from './previewValues.ts'
import type { Sheet } from './sheetValues.ts'

/** What a compound file begins with, as Excel wrote until 2003. */
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
/** Rows and columns that a sheet can have; a damaged one can name a billion. */
const COMPOUND_MAX = { rows: 65_536, columns: 256 }
const ARCHIVE_MAX = { rows: 1_048_576, columns: 16_384 }

/**
 * The sheets of a workbook, XLSX or XLS, with numbers and dates as their cells show them. Formulas are not computed, and
 * macros not read.
 * @throws Error where the file is no such workbook, or has a password
 */
export function readWorkbook(bytes: Uint8Array): Sheet[] {
  const isCompound = COMPOUND.every((byte, at) => bytes[at] === byte)
  // Anything else would be read as one of many other formats, which are shown elsewhere.
  if (!isCompound && !isArchive(bytes)) throw new Error('This is no workbook.')
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
