import * as z from 'zod/mini'

import { id, listOf, timestamp } from '#contract/kit/text.ts'
import { PLAYBOOK_ITEMS_MAX } from '#contract/playbooks/schema.ts'

/** A playbook used by an incident, with the tasks copied at that time. */
export const IncidentPlaybook = z.object({
  id,
  incidentId: id,
  /** Null for a deleted playbook. */
  playbookId: z.nullable(id),
  /** Name of the playbook at that time. */
  name: z.string(),
  /** Version of the playbook at that time. */
  version: z.int(),
  /** Null for a deleted playbook, and for callers without access to playbooks. */
  currentVersion: z.nullable(z.int()),
  /** Number of tasks copied. */
  tasksCount: z.int(),
  addedBy: z.string(),
  addedTimestamp: timestamp,
})
export type IncidentPlaybook = z.infer<typeof IncidentPlaybook>

/** The body that adds a playbook to a running incident. */
export const AddedPlaybook = z.object({
  playbookId: id,
  /** The version shown to the caller; a stale one is refused. */
  version: z.optional(z.int()),
  /** The tasks to copy; all by default. */
  activityIds: z.optional(listOf(id, PLAYBOOK_ITEMS_MAX)),
})
export type AddedPlaybook = z.infer<typeof AddedPlaybook>
