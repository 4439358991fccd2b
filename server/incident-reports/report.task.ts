import { drawPdf } from '#server/kit/pdf/page.ts'
import type { TaskOf } from '#server/kit/processes/task.ts'

import { type ReportFacts, reportOf } from './report.ts'

const draw: TaskOf<ReportFacts, Buffer> = (facts) => drawPdf(reportOf(facts))
export default draw
