import type { PdfDocument } from '../pdf/pdf.ts'
import type { TaskOf } from '../processes/task.ts'
import { writeDocx } from './page.ts'

const write: TaskOf<PdfDocument, Buffer> = (document) => writeDocx(document)
export default write
