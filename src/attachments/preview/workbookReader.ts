import { readIn } from '#src/kit/browser/readIn.ts'

import { refusalOf } from './previewValues.ts'
import type { Sheet } from './sheetValues.ts'
import type { SheetFile } from './workbookValues.ts'

/**
 * Reads the sheets of a workbook, or the rows of a CSV file, in a worker.
 * @throws Unpreviewable if it has a password; Error if it cannot be read
 */
export const readInWorker = (file: SheetFile): Promise<readonly Sheet[]> =>
  readIn(new Worker(new URL('workbook.worker.ts', import.meta.url), { type: 'module' }), file, refusalOf)
