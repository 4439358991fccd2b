import { parentPort, workerData } from 'node:worker_threads'

import type { PdfDocument } from './pdf.ts'
import { drawPdf } from './page.ts'

const pdf = await drawPdf(workerData as PdfDocument, (share) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  parentPort!.postMessage(share)
})
// Copied into memory of its own, which is then handed over instead of copied again.
const bytes = new Uint8Array(pdf)
parentPort!.postMessage(bytes, [bytes.buffer])
