import { parentPort, workerData } from 'node:worker_threads'

import type { PdfDocument } from '../pdf/pdf.ts'
import { writeDocx } from './page.ts'

const docx = await writeDocx(workerData as PdfDocument)
// Copied into memory of its own, which is then handed over instead of copied again.
const bytes = new Uint8Array(docx)
parentPort!.postMessage(bytes, [bytes.buffer])
