import { readIn } from '../browser/readIn.ts'

import type { TableFile } from '#contract/kit/table.ts'
import type { TableRefusal, TableRequest } from './tableFile.ts'

/**
 * Reads the tables of a file in a worker.
 * @throws Error if the worker fails or takes too long
 */
export const readInWorker = (request: TableRequest): Promise<TableFile | TableRefusal> =>
  readIn(new Worker(new URL('table.worker.ts', import.meta.url), { type: 'module' }), request)
