import { Worker } from 'node:worker_threads'

import type { PdfDocument } from '../pdf/pdf.ts'

/** Long enough for thousands of pages; beyond it something is wrong. */
const GIVE_UP_AFTER_MS = 120_000

/** Writes a document for Word in a thread of its own. */
export function renderDocx(document: PdfDocument): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: document, execArgv: [] })
  const tooLate = setTimeout(() => void worker.terminate(), GIVE_UP_AFTER_MS)
  worker.once('message', (bytes: Uint8Array) =>
    resolve(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)),
  )
  worker.once('error', reject)
  worker.once('exit', (code) => {
    clearTimeout(tooLate)
    // Does nothing when the document has arrived.
    reject(new Error(`The document's thread ended with code ${code}.`))
  })
  return promise
}
