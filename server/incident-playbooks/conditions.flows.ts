import {
  type DecidedCondition,
  IncidentCondition,
  type IncidentPlaybook,
} from '#contract/incident-playbooks/schema.ts'
import { incidentCan } from '#contract/incidents/rules.ts'
import type { NewIncident } from '#contract/incidents/schema.ts'
import { pick } from '#contract/kit/pick.ts'
import { type Condition, conditionsOf } from '#contract/playbooks/rules.ts'
import type { PlaybookTemplate } from '#contract/playbooks/schema.ts'
import { opened, RESOLVED, stateOf } from '#server/incidents/access.flows.ts'
import { type EventContext, eventContextOf } from '#server/incidents/activities.flows.ts'
import { updateConditions, updateSkipped } from '#server/incidents/activities.store.ts'
import { clock } from '#server/kit/core/clock.ts'
import { demand, notFound, wrongField } from '#server/kit/core/refusal.ts'
import { fieldsOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import type { Acting } from '#server/kit/http/serve.ts'

import { type ConditionRow, insertConditions, listConditions, updateAnswer } from './conditions.store.ts'

export type Answers = NewIncident['conditionAnswers']
const UNKNOWN_CONDITION = 'This is no heading with a condition.'

const SHOWN = fieldsOf(IncidentCondition)
const shown = (row: ConditionRow): IncidentCondition => pick(row, SHOWN)

/** Playbooks of an incident with their conditions. */
export async function withConditions(
  db: OrgDb,
  incidentId: string,
  playbooks: readonly Omit<IncidentPlaybook, 'conditions'>[],
): Promise<IncidentPlaybook[]> {
  const conditions = playbooks.length === 0 ? [] : await listConditions(db, incidentId)
  const byPlaybook = Map.groupBy(conditions, ({ incidentPlaybookId }) => incidentPlaybookId)
  return playbooks.map((row) => ({ ...row, conditions: (byPlaybook.get(row.id) ?? []).map(shown) }))
}

/** Ids of skipped conditions, and of those that stand below them. */
function skippedIds(conditions: readonly ConditionRow[]): Set<string> {
  const skipped = new Set<string>()
  // A condition stands after those above it.
  for (const { id, answer, parentId } of conditions)
    if (answer === 'SKIPPED' || (parentId !== null && skipped.has(parentId))) skipped.add(id)
  return skipped
}

function recordAnswer(
  db: OrgDb,
  incident: EventContext,
  before: ConditionRow | null,
  now: ConditionRow,
): void {
  const { incidentPlaybookId, title, condition, answer, reason } = now
  record(db, {
    noun: 'incident-playbooks',
    record: incidentPlaybookId,
    parent: incident.id,
    verb: 'condition answered',
    changes: {
      section: { from: null, to: title },
      condition: { from: null, to: condition },
      answer: { from: before?.answer ?? 'OPEN', to: answer },
      ...(reason !== null && { reason: { from: null, to: reason } }),
    },
    externals: incident.externals,
    at: incident.at,
  })
}

/** The conditions that tasks were taken of, with those above them. */
function takenConditions(all: readonly Condition[], taken: ReadonlyMap<string, string>): Condition[] {
  const kept = new Set<string>()
  for (const { itemId, parentItemId, taskIds } of all.toReversed()) {
    if (!kept.has(itemId) && !taskIds.some((id) => taken.has(id))) continue
    kept.add(itemId)
    if (parentItemId !== null) kept.add(parentItemId)
  }
  return all.filter(({ itemId }) => kept.has(itemId))
}

/**
 * Adds the conditions of the tasks that an incident took from a playbook, with their answers.
 * @throws Refusal 400 at an answer to something else
 */
export async function addConditions(
  db: OrgDb,
  by: Acting,
  incident: EventContext,
  {
    incidentPlaybookId,
    playbook,
    taken,
    answers = [],
  }: {
    readonly incidentPlaybookId: string
    readonly playbook: Pick<PlaybookTemplate, 'activities'>
    /** Tasks of the incident by the task of the playbook. */
    readonly taken: ReadonlyMap<string, string>
    readonly answers: Answers
  },
): Promise<void> {
  const all = conditionsOf(playbook)
  const unknown = answers.findIndex(({ itemId }) => !all.some((one) => one.itemId === itemId))
  if (unknown >= 0) throw wrongField(`conditionAnswers.${unknown}.itemId`, UNKNOWN_CONDITION)
  const conditions = takenConditions(all, taken)
  const ids = new Map(conditions.map(({ itemId }) => [itemId, crypto.randomUUID()]))
  const answerOf = new Map(answers.map((one) => [one.itemId, one]))
  const rows = conditions.map(({ itemId, title, condition, parentItemId }): ConditionRow => {
    const { answer = 'OPEN', reason = null } = answerOf.get(itemId) ?? {}
    const isOpen = answer === 'OPEN'
    return {
      id: ids.get(itemId)!,
      incidentId: incident.id,
      incidentPlaybookId,
      itemId,
      title,
      condition,
      parentId: parentItemId === null ? null : ids.get(parentItemId)!,
      answer,
      reason: isOpen ? null : reason || null,
      decidedBy: isOpen ? null : by.name,
      decidedTimestamp: isOpen ? null : incident.at,
    }
  })
  await insertConditions(db, rows)
  const skipped = skippedIds(rows)
  await updateConditions(
    db,
    conditions.flatMap(({ itemId, taskIds }) =>
      taskIds.flatMap((taskId) => {
        const id = taken.get(taskId)
        const conditionId = ids.get(itemId)!
        return id === undefined ? [] : [{ id, conditionId, isSkipped: skipped.has(conditionId) }]
      }),
    ),
  )
  for (const row of rows) if (row.answer !== 'OPEN') recordAnswer(db, incident, null, row)
}

/**
 * Answers a condition of an active incident. Its tasks, and those of the conditions below, are skipped or brought back.
 * @throws Refusal 404, 409 for a resolved incident
 */
export async function decideCondition(
  db: OrgDb,
  by: Acting,
  { id: incidentId, conditionId }: { readonly id: string; readonly conditionId: string },
  { answer, reason }: DecidedCondition,
): Promise<IncidentCondition> {
  const incident = await opened(db, by, incidentId, 'change')
  const all = await listConditions(db, incidentId)
  const before = all.find(({ id }) => id === conditionId)
  if (!before) throw notFound('This condition')
  demand(incidentCan.edit(stateOf(incident)), 409, RESOLVED)
  const isOpen = answer === 'OPEN'
  const kept = isOpen ? null : reason || null
  if (answer === before.answer && kept === before.reason) return shown(before)
  const context = eventContextOf(incident, clock.timestamp())
  const decided = {
    answer,
    reason: kept,
    decidedBy: isOpen ? null : by.name,
    decidedTimestamp: isOpen ? null : context.at,
  }
  const after = { ...before, ...decided }
  await updateAnswer(db, conditionId, decided)
  const skipped = skippedIds(all.map((one) => (one === before ? after : one)))
  await updateSkipped(db, incidentId, [...skipped])
  recordAnswer(db, context, before, after)
  return shown(after)
}
