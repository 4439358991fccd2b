import type {
  AddedPlaybook,
  IncidentPlaybook,
  IncidentRole,
  PlaybookUse,
  TaskUse,
} from '#contract/incident-playbooks/schema.ts'
import { incidentsAccess } from '#contract/incidents/access.ts'
import { incidentCan, withRoles } from '#contract/incidents/rules.ts'
import { allows } from '#contract/kit/access.ts'
import { PAGE_MAX } from '#contract/kit/query.ts'
import { playbooksAccess } from '#contract/playbooks/access.ts'
import { tasksOf } from '#contract/playbooks/rules.ts'
import { PLAYBOOK_ARCHIVED, type PlaybookTemplate } from '#contract/playbooks/schema.ts'
import { copyFiles } from '#server/attachments/flows.ts'
import { opened, RESOLVED, stateOf } from '#server/incidents/access.flows.ts'
import { addActivities, type EventContext, eventContextOf } from '#server/incidents/activities.flows.ts'
import { rolesNamed } from '#server/incidents/roles.flows.ts'
import type { Start } from '#server/incidents/start.flows.ts'
import type { Changes } from '#server/kit/core/event.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { demand, FORBIDDEN, stale, wrongField } from '#server/kit/core/refusal.ts'
import type { Page } from '#server/kit/http/answers.ts'
import { openedPlaybook } from '#server/playbooks/access.flows.ts'
import { openPlaybook } from '#server/playbooks/flows.ts'
import { findVersion, updateUse } from '#server/playbooks/store.ts'
import type { Acting } from '#server/kit/http/serve.ts'

import { addConditions, type Answers, withConditions } from './conditions.flows.ts'
import { nameHolders } from './roles.flows.ts'
import { listRoles } from './roles.store.ts'
import { insertIncidentPlaybook, insertTasks, listIncidentPlaybooks } from './store.ts'
import { findUse, listTaskUses } from './use.store.ts'

const NO_TASKS = 'Please select at least one task.'
const UNKNOWN_TASK = 'This task is not in the playbook.'

const canRead = (by: Acting) => allows({ ...playbooksAccess.read, realm: 'organisation' }, by)

/** The playbooks of an incident. Only readers of playbooks see the current versions. */
export async function playbooksOf(db: OrgDb, by: Acting, incidentId: string): Promise<IncidentPlaybook[]> {
  await opened(db, by, incidentId)
  const rows = await withConditions(db, incidentId, await listIncidentPlaybooks(db, incidentId))
  return canRead(by) ? rows : rows.map((row) => ({ ...row, currentVersion: null }))
}

/** Records that an incident took tasks from a version of a playbook. */
async function insertLink(
  db: OrgDb,
  by: Acting,
  incident: EventContext,
  used: {
    readonly playbook: PlaybookTemplate
    readonly version: number
    readonly tasksCount: number
    /** Tasks of the incident by the task of the playbook. */
    readonly taken: ReadonlyMap<string, string>
    readonly answers: Answers
    readonly notificationTemplateId?: string | null
  },
): Promise<string> {
  const { playbook, version, tasksCount, taken, answers, notificationTemplateId = null } = used
  const id = crypto.randomUUID()
  const { name } = playbook
  await insertIncidentPlaybook(db, {
    id,
    incidentId: incident.id,
    playbookId: playbook.id,
    name,
    version,
    tasksCount,
    addedBy: by.name,
    addedTimestamp: incident.at,
    notificationTemplateId,
  })
  const known = new Set(playbook.activities.flatMap((item) => (item.type === 'TASK' ? item.id : [])))
  const tasks = [...taken].filter(([itemId]) => known.has(itemId))
  await insertTasks(
    db,
    tasks.map(([itemId, activityId]) => ({
      incidentPlaybookId: id,
      incidentId: incident.id,
      itemId,
      activityId,
    })),
  )
  await addConditions(db, by, incident, { incidentPlaybookId: id, playbook, taken, answers })
  await updateUse(db, playbook.id, incident.at)
  record(db, {
    noun: 'incident-playbooks',
    record: id,
    parent: incident.id,
    verb: 'added',
    changes: { name: { from: null, to: name }, version: { from: null, to: version } },
    externals: incident.externals,
    at: incident.at,
  })
  return id
}

/**
 * Records the playbook that a new incident begins with, and what it did at the start. Its tasks belong to the incident
 * from then on.
 * @throws Refusal 403 without the permission to read playbooks, 404, 400 at an answer to no condition of it
 */
export async function beginWith(
  db: OrgDb,
  by: Acting,
  incident: EventContext,
  begun: {
    readonly playbookId: string
    readonly version: number | null
    readonly tasksCount: number
    readonly taken: ReadonlyMap<string, string>
    readonly answers: Answers
    readonly start: Start
  },
): Promise<void> {
  demand(canRead(by), 403, FORBIDDEN)
  const playbook = await openPlaybook(db, begun.playbookId)
  const version = Math.min(begun.version ?? playbook.version, playbook.version)
  const older = version < playbook.version ? await findVersion(db, playbook.id, version) : undefined
  const { tasksCount, taken, answers, start } = begun
  const id = await insertLink(db, by, incident, {
    playbook: { ...playbook, activities: older?.content.activities ?? playbook.activities },
    version,
    tasksCount,
    taken,
    answers,
    notificationTemplateId: start.notificationTemplateId,
  })
  recordStart(db, incident, id, start)
}

/** Records the acts at the start, also those that the caller may not do. */
function recordStart(db: OrgDb, incident: EventContext, id: string, start: Start): void {
  const { acts, leftOut, emails, groups, firstMessage } = start
  if (acts.length + leftOut.length === 0) return
  const set = (value: Changes[string]['to']) => ({ from: null, to: value })
  const added = [...emails, ...Array.from(groups.values(), (name) => `group ${name}`)]
  record(db, {
    noun: 'incident-playbooks',
    record: id,
    parent: incident.id,
    verb: 'started',
    changes: {
      acts: set([...acts]),
      ...(added.length > 0 && { people: set(added) }),
      ...(firstMessage !== '' && { firstMessage: set(firstMessage) }),
      ...(leftOut.length > 0 && { leftOut: set([...leftOut]) }),
    },
    externals: incident.externals,
    at: incident.at,
  })
}

/** @throws Refusal 400 at the first id that is no task of the playbook */
function demandTasks(playbook: PlaybookTemplate, ids: readonly string[]): void {
  const tasks = new Set(playbook.activities.flatMap(({ id, type }) => (type === 'TASK' ? [id] : [])))
  const unknown = ids.findIndex((id) => !tasks.has(id))
  if (unknown >= 0) throw wrongField(`activityIds.${unknown}`, UNKNOWN_TASK)
}

/**
 * Copies the tasks and files of a playbook into an active incident. Later changes of the playbook do not affect them.
 * @throws Refusal 403, 404, 400 where the incident would exceed its limits, 409 for a resolved incident or another
 * version
 */
export async function addPlaybook(
  db: OrgDb,
  by: Acting,
  incidentId: string,
  { playbookId, version, activityIds, conditionAnswers, roles = [] }: AddedPlaybook,
): Promise<IncidentPlaybook> {
  demand(canRead(by), 403, FORBIDDEN)
  const incident = await opened(db, by, incidentId, 'change')
  demand(incidentCan.addActivity(stateOf(incident)), 409, RESOLVED)
  const playbook = await openPlaybook(db, playbookId)
  demand(playbook.archiveTimestamp === null, 409, PLAYBOOK_ARCHIVED)
  if (version !== undefined && version !== playbook.version) throw stale([playbook.updatedBy], ['playbook'])
  if (activityIds) demandTasks(playbook, activityIds)
  const tasks = tasksOf(playbook, activityIds && new Set(activityIds))
  if (tasks.length === 0) throw wrongField('activityIds', NO_TASKS)
  const context = eventContextOf(incident, clock.timestamp())
  const copies = await copyFiles(db, by, playbook.attachmentsFolderId, context)
  const named = await rolesNamed(db, roles)
  const known = await listRoles(db, incidentId)
  const ids = await addActivities(db, by, context, withRoles(tasks, [...known, ...roles]), { copies })
  await nameHolders(db, by, context, named)
  const taken = new Map(tasks.map(({ playbookItemId }, n) => [playbookItemId, ids[n]!]))
  const used = {
    playbook,
    version: playbook.version,
    tasksCount: tasks.length,
    taken,
    answers: conditionAnswers,
  }
  const id = await insertLink(db, by, context, used)
  return (await playbooksOf(db, by, incidentId)).find((row) => row.id === id)!
}

/**
 * The people for the ideal titles of an incident, without those who are archived since.
 * @throws Refusal 404
 */
export async function rolesIn(db: OrgDb, by: Acting, incidentId: string): Promise<IncidentRole[]> {
  await opened(db, by, incidentId)
  return listRoles(db, incidentId)
}

/**
 * The use of a playbook. Only callers who see incidents learn which one was the last.
 * @throws Refusal 404
 */
export async function useOf(db: OrgDb, by: Acting, playbookId: string): Promise<PlaybookUse> {
  await openedPlaybook(db, by, playbookId)
  const use = await findUse(db, playbookId)
  const seesIncidents = allows({ ...incidentsAccess.read, realm: 'organisation' }, by)
  return seesIncidents ? use : { ...use, last: null }
}

/** Rows of a list that is requested without a range. */
const ALL_TASKS = [0, PAGE_MAX - 1] as const
/** @throws Refusal 404 */
export async function taskUseOf(
  db: OrgDb,
  by: Acting,
  playbookId: string,
  range: readonly [number, number] = ALL_TASKS,
): Promise<Page<TaskUse>> {
  await openedPlaybook(db, by, playbookId)
  return listTaskUses(db, playbookId, range)
}
