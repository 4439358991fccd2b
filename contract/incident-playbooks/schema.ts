import * as z from 'zod/mini'

import { ConditionAnswer, conditionAnswers, roles } from '#contract/incidents/schema.ts'
import { id, isBlank, listOf, MEDIUM_TEXT_MAX, timestamp, trimmedText } from '#contract/kit/text.ts'
import { PLAYBOOK_ITEMS_MAX } from '#contract/playbooks/schema.ts'

export const SKIP_REASON_REQUIRED = 'Please enter a reason.'
/** A condition of a playbook in an incident: “Only if …” of a heading, with its answer. */
export const IncidentCondition = z.object({
  id,
  /** The heading in the playbook, and its title. */
  itemId: id,
  title: z.string(),
  condition: z.string(),
  /** The condition that this one stands below; where that is skipped, its tasks are, too. */
  parentId: z.nullable(id),
  answer: ConditionAnswer,
  reason: z.nullable(z.string()),
  /** Email, or name of an API key; null while it is open. */
  decidedBy: z.nullable(z.string()),
  decidedTimestamp: z.nullable(timestamp),
})
export type IncidentCondition = z.infer<typeof IncidentCondition>
/** The body that answers a condition. Skipping needs a reason. */
export const DecidedCondition = z
  .object({
    answer: ConditionAnswer,
    reason: z._default(z.nullable(trimmedText(MEDIUM_TEXT_MAX)), null),
  })
  .check(
    z.refine(({ answer, reason }) => answer !== 'SKIPPED' || !isBlank(reason ?? ''), {
      path: ['reason'],
      error: SKIP_REASON_REQUIRED,
    }),
  )
export type DecidedCondition = z.infer<typeof DecidedCondition>

/** The person for an ideal title in an incident. Playbooks that are added later assign their tasks by it. */
export const IncidentRole = z.object({
  title: z.string(),
  /** Email of an active person. */
  assignedTo: z.string(),
})
export type IncidentRole = z.infer<typeof IncidentRole>

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
  /** The notification template that the playbook offers at the start. */
  notificationTemplateId: z.nullable(id),
  conditions: z.array(IncidentCondition),
})
export type IncidentPlaybook = z.infer<typeof IncidentPlaybook>

/** The body that adds a playbook to a running incident. */
export const AddedPlaybook = z.object({
  playbookId: id,
  /** The version shown to the caller; a stale one is refused. */
  version: z.optional(z.int()),
  /** The tasks to copy; all by default. */
  activityIds: z.optional(listOf(id, PLAYBOOK_ITEMS_MAX)),
  conditionAnswers,
  roles,
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
