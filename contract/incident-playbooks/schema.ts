import * as z from 'zod/mini'

import { id, listOf, timestamp } from '#contract/kit/text.ts'
import { PLAYBOOK_ITEMS_MAX } from '#contract/playbooks/schema.ts'

/** A playbook that an incident began with or was given later. What it brought is the incident's own. */
export const IncidentPlaybook = z.object({
  id,
  incidentId: id,
  /** Null once the playbook was deleted. */
  playbookId: z.nullable(id),
  /** Its name when it was taken. */
  name: z.string(),
  /** The version that was taken. */
  version: z.int(),
  /** The version that it has now; null once it was deleted, and for those who may not read playbooks. */
  currentVersion: z.nullable(z.int()),
  /** How many tasks it brought. */
  tasksCount: z.int(),
  addedBy: z.string(),
  addedTimestamp: timestamp,
})
export type IncidentPlaybook = z.infer<typeof IncidentPlaybook>

/** The body that adds a playbook to a running incident. */
export const AddedPlaybook = z.object({
  playbookId: id,
  /** The version that was looked at: another one is refused as stale. */
  version: z.optional(z.int()),
  /** The tasks to take, all unless said. */
  activityIds: z.optional(listOf(id, PLAYBOOK_ITEMS_MAX)),
})
export type AddedPlaybook = z.infer<typeof AddedPlaybook>
