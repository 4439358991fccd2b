import type { ImportFile, ImportPreview } from '#contract/playbook-imports/schema.ts'
import type { TaskOf } from '#server/kit/processes/task.ts'

import { readFile } from './formats/file.content.ts'

const read: TaskOf<ImportFile, ImportPreview> = readFile
export default read
