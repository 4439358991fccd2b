import type { TaskOf } from '../processes/task.ts'
import { drawPdf } from './page.ts'
import type { PdfDocument } from './pdf.ts'

const draw: TaskOf<PdfDocument, Buffer> = drawPdf
export default draw
