import type { Sheet } from './sheetValues.ts'
import type { SheetFile } from './workbookValues.ts'

/** Milliseconds after which a workbook is given up: a damaged one can keep its reader busy for ever. */
const PATIENCE_MS = 20_000

/**
 * The sheets of a workbook or the rows of a CSV file, read in a worker, so that the page stays usable.
 * @throws Error where it cannot be read
 */
export function readInWorker(file: SheetFile): Promise<readonly Sheet[]> {
  const worker = new Worker(new URL('workbook.worker.ts', import.meta.url), { type: 'module' })
  return new Promise<readonly Sheet[]>((resolve, reject) => {
    const fail = () => reject(new Error('The file cannot be read.'))
    const timer = setTimeout(fail, PATIENCE_MS)
    worker.addEventListener('error', fail)
    worker.addEventListener('message', ({ data }: MessageEvent<readonly Sheet[] | undefined>) => {
      clearTimeout(timer)
      if (data) resolve(data)
      else fail()
    })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker is no window
    worker.postMessage(file)
  }).finally(() => worker.terminate())
}
