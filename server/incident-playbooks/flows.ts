import type {
  AddedPlaybook,
  IncidentPlaybook,
  PlaybookUse,
  TaskUse,
} from '#contract/incident-playbooks/schema.ts'
import { incidentsAccess } from '#contract/incidents/access.ts'
import { incidentCan } from '#contract/incidents/rules.ts'
import { allows } from '#contract/kit/access.ts'
import { PAGE_MAX } from '#contract/kit/query.ts'
import { playbooksAccess } from '#contract/playbooks/access.ts'
import { tasksOf } from '#contract/playbooks/rules.ts'
import { PLAYBOOK_ARCHIVED, type PlaybookTemplate } from '#contract/playbooks/schema.ts'
import { copyFiles } from '#server/attachments/flows.ts'
import { opened, RESOLVED, stateOf } from '#server/incidents/access.flows.ts'
import { addActivities, type EventContext, eventContextOf } from '#server/incidents/activities.flows.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { demand, FORBIDDEN, stale, wrongField } from '#server/kit/core/refusal.ts'
import type { Page } from '#server/kit/http/answers.ts'
import { openedPlaybook } from '#server/playbooks/access.flows.ts'
import { openPlaybook } from '#server/playbooks/flows.ts'
import { updateLastUsed } from '#server/playbooks/store.ts'
import type { Acting } from '#server/kit/http/serve.ts'

import { insertIncidentPlaybook, insertTasks, listIncidentPlaybooks } from './store.ts'
import { findUse, listTaskUses } from './use.store.ts'

const NO_TASKS = 'Please select at least one task.'
const UNKNOWN_TASK = 'This task is not in the playbook.'

const canRead = (by: Acting) => allows({ ...playbooksAccess.read, realm: 'organisation' }, by)

/** The playbooks of an incident. Only readers of playbooks see the current versions. */
export async function playbooksOf(db: OrgDb, by: Acting, incidentId: string): Promise<IncidentPlaybook[]> {
  await opened(db, by, incidentId)
  const rows = await listIncidentPlaybooks(db, incidentId)
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
  },
): Promise<string> {
  const { playbook, version, tasksCount, taken } = used
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
  await updateLastUsed(db, playbook.id, incident.at)
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
 * Records the playbook that a new incident begins with. Its tasks belong to the incident from then on.
 * @throws Refusal 403 without the permission to read playbooks, 404
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
  },
): Promise<void> {
  demand(canRead(by), 403, FORBIDDEN)
  const playbook = await openPlaybook(db, begun.playbookId)
  const version = Math.min(begun.version ?? playbook.version, playbook.version)
  const { tasksCount, taken } = begun
  await insertLink(db, by, incident, { playbook, version, tasksCount, taken })
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
  { playbookId, version, activityIds }: AddedPlaybook,
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
  const ids = await addActivities(db, by, context, tasks, { copies })
  const taken = new Map(tasks.map(({ playbookItemId }, n) => [playbookItemId, ids[n]!]))
  const used = { playbook, version: playbook.version, tasksCount: tasks.length, taken }
  const id = await insertLink(db, by, context, used)
  return (await listIncidentPlaybooks(db, incidentId)).find((row) => row.id === id)!
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
