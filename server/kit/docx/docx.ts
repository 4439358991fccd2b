import { DOCUMENT_TOO_LONG, type PdfDocument } from '../pdf/pdf.ts'
import { inProcess } from '../processes/processes.ts'

/** Writes a Word document in a worker process. */
export const renderDocx = (document: PdfDocument): Promise<Buffer> =>
  inProcess<PdfDocument, Buffer>({
    kind: 'making',
    module: new URL('./docx.task.ts', import.meta.url),
    task: document,
    excess: DOCUMENT_TOO_LONG,
  })
