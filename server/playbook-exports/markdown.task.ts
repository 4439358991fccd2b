import type { TaskOf } from '#server/kit/processes/task.ts'

import { markdownOf, type SourcePlaybook } from './markdown.content.ts'

const write: TaskOf<SourcePlaybook, Buffer> = (playbook) => Buffer.from(markdownOf(playbook))
export default write
