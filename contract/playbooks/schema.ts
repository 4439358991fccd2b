import * as z from 'zod/mini'

import { Priority } from '#contract/incidents/schema.ts'
import { id, timestamp } from '#contract/kit/text.ts'

/** A heading or a task of a playbook, in its place (operations §3 "Playbook activity"). */
export const PlaybookActivity = z.object({
  id,
  type: z.enum(['TASK', 'HEADING']),
  /** The words of a heading, the title of a task. */
  title: z.string(),
  description: z.string(),
  priority: Priority,
  idealTitleToExecute: z.nullable(z.string()),
  /** Whole minutes. */
  expectedTimeToComplete: z.nullable(z.int()),
  /** Files of the playbook that a task refers to. */
  attachedFileIds: z.array(id),
  index: z.int(),
})
export type PlaybookActivity = z.infer<typeof PlaybookActivity>

/** A playbook: what an incident can begin with (operations §3 "Playbook template"). */
export const PlaybookTemplate = z.object({
  id,
  name: z.string(),
  /** Null means Uncategorized. */
  categoryId: z.nullable(id),
  /** The incident brief: plain text. */
  description: z.string(),
  activities: z.array(PlaybookActivity),
  /** Names the set of its files, of which an incident begins with copies. */
  attachmentsFolderId: id,
  updateTimestamp: timestamp,
})
export type PlaybookTemplate = z.infer<typeof PlaybookTemplate>
