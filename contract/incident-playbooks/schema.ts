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

/** The newest uses of a playbook that are counted, and those whose tasks are evaluated. */
export const USES_COUNTED = 1_000
export const USES_EVALUATED = 100

/** The use of a playbook by incidents and exercises. */
export const PlaybookUse = z.object({
  incidentsCount: z.int(),
  exercisesCount: z.int(),
  /** True where only the newest uses were counted. */
  hasMore: z.boolean(),
  /** The newest use; null without one, and for callers who see no incidents. */
  last: z.nullable(z.object({ incidentId: id, title: z.string(), isTabletop: z.boolean(), timestamp })),
})
export type PlaybookUse = z.infer<typeof PlaybookUse>

/** A task of a playbook in the resolved incidents and exercises that took it. */
export const TaskUse = z.object({
  itemId: id,
  title: z.string(),
  takenCount: z.int(),
  completedCount: z.int(),
  /** Skipped: neither completed by the time of the resolution, nor deleted. */
  openCount: z.int(),
  /** Skipped: deleted from the incident. */
  deletedCount: z.int(),
})
export type TaskUse = z.infer<typeof TaskUse>
