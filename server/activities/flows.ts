import { activityCan, incidentCan, type Me, withTaskState } from '#contract/incidents/rules.ts'
import {
  type ActivityChanges,
  missingIn,
  type NewActivity,
  tooManyActivities,
} from '#contract/incidents/schema.ts'
import {
  type ActivityRow,
  type AssignedRow,
  countActivities,
  deleteActivity,
  findIncident,
  findIncidentOfActivity,
  findLastActor,
  type Happening,
  holdActivity,
  holdIncident,
  type IncidentWithPeople,
  insertActivities,
  listActivities,
  listActivityEvents,
  listActivityTree,
  listPeople,
  type PersonRow,
  updateActivity,
  type Viewer,
} from '#server/incidents/store.ts'
import { clock } from '#server/kit/clock.ts'
import type { OrgDb } from '#server/kit/db.ts'
import { type Changes, changesBetween, record } from '#server/kit/events.ts'
import { demand, notFound, Refusal, stale, wrongField } from '#server/kit/refusal.ts'
import type { Caller } from '#server/kit/serve.ts'
import { notify } from '#server/notifications/flows.ts'

/** Who acts, as far as incidents need to know. */
export type Acting = Pick<Caller, 'kind' | 'id' | 'name' | 'role' | 'type' | 'config'>
/** An activity and those below it, with the incident that they belong to. */
export interface Branch {
  readonly incident: IncidentWithPeople
  readonly tree: readonly [AssignedRow, ...AssignedRow[]]
}

export const RESOLVED = 'This incident is resolved.'
const NOT_YOURS = 'Only its author, the person it is assigned to or an administrator can do this.'
const NOT_ASSIGNABLE = 'This is not an active user.'
const TASKS_ONLY = 'Updates can be added only below tasks.'
const OTHER_INCIDENT = 'This task or update belongs to another incident.'

export const viewerOf = (by: Acting): Viewer => ({ id: by.id, onlyTargeted: by.type === 'EXTERNAL' })
/** An API key acts for the organisation and counts as an administrator of its incidents. */
export const meOf = (by: Acting): Me => ({ email: by.name, role: by.kind === 'key' ? 'ADMIN' : by.role })
export const stateOf = (incident: { is_active: boolean }) => ({ isActive: incident.is_active })
export const ownedOf = (activity: AssignedRow) => ({
  createdBy: activity.created_by,
  assignedTo: activity.email === null ? null : { email: activity.email },
  type: activity.type,
})

/** The names of the stream and the contract, and the columns behind them. */
export type Columns<Row> = { readonly [field: string]: keyof Row & string }
const content = <Row>(row: Row | null, columns: Columns<Row>): { [field: string]: unknown } =>
  Object.fromEntries(Object.entries(columns).map(([field, column]) => [field, row?.[column] ?? null]))
/** What differs between a row before and after; null for what is not there. */
export function changesOf<Row>(before: Row | null, after: Row | null, columns: Columns<Row>): Changes {
  return changesBetween(content(before, columns), content(after, columns), Object.keys(columns))
}

const UPDATE: Columns<AssignedRow> = {
  type: 'type',
  parentActivityId: 'parent_id',
  title: 'title',
  description: 'description',
}
const TASK: Columns<AssignedRow> = {
  ...UPDATE,
  status: 'status',
  priority: 'priority',
  progress: 'progress',
  assignedTo: 'email',
  idealTitleToExecute: 'ideal_title',
  expectedTimeToComplete: 'expected_minutes',
}

/** External people who may hear of what happens to an incident. */
export const externalsOf = (people: readonly Pick<PersonRow, 'type' | 'id'>[]): string[] =>
  people.filter(({ type }) => type === 'EXTERNAL').map(({ id }) => id)
export const targetedExternals = (incident: IncidentWithPeople): string[] =>
  externalsOf(incident.targets.map(({ user_id, type }) => ({ id: user_id, type })))

/** Finds an incident that the caller may see; held first where something is about to change. */
export async function opened(db: OrgDb, by: Acting, id: string, hold?: 'change' | 'read') {
  if (hold) await holdIncident(db, id, hold)
  const incident = await findIncident(db, viewerOf(by), id)
  if (!incident) throw notFound('This incident')
  return incident
}

/** The people whom fields name by address. Every field that names nobody fitting is refused with its path. */
export async function peopleNamed(
  db: OrgDb,
  named: readonly { readonly field: string; readonly email: string }[],
  fits: (person: PersonRow) => boolean,
  sentence: string,
): Promise<Map<string, PersonRow>> {
  if (named.length === 0) return new Map()
  const found = await listPeople(db, [...new Set(named.map(({ email }) => email))])
  const people = new Map(found.filter(fits).map((person) => [person.email, person]))
  const wrong = named.filter(({ email }) => !people.has(email))
  if (wrong.length > 0) {
    const fields = Object.fromEntries(wrong.map(({ field }) => [field, sentence]))
    throw new Refusal(400, sentence, { fields })
  }
  return people
}
const assigneesNamed = (db: OrgDb, wanted: readonly { field: string; email: string | null | undefined }[]) =>
  peopleNamed(
    db,
    wanted.flatMap(({ field, email }) => (email ? [{ field, email }] : [])),
    (person) => person.active && !person.banned,
    NOT_ASSIGNABLE,
  )

function newRow(
  given: NewActivity,
  context: { incidentId: string; by: Acting; at: string; people: ReadonlyMap<string, PersonRow> },
): ActivityRow {
  const parent_id = given.parentActivityId ?? null
  const row = {
    id: crypto.randomUUID(),
    incident_id: context.incidentId,
    parent_id,
    title: parent_id === null ? given.title.trim() : '',
    description: given.description,
    created_by: context.by.name,
    create_timestamp: context.at,
    update_timestamp: context.at,
    version: 1,
  }
  const nothing = {
    priority: 'MEDIUM',
    assigned_to: null,
    ideal_title: null,
    expected_minutes: null,
  } as const
  const untouched = { status: 'TO_DO', progress: 0 } as const
  if (given.type === 'UPDATE' || parent_id !== null)
    return { ...row, type: 'UPDATE', ...untouched, ...nothing }
  return {
    ...row,
    type: 'TASK',
    ...withTaskState(untouched, given),
    priority: given.priority ?? nothing.priority,
    assigned_to: context.people.get(given.assignedTo ?? '')?.id ?? null,
    ideal_title: given.idealTitleToExecute || null,
    expected_minutes: given.expectedTimeToComplete ?? null,
  }
}

interface Told {
  readonly id: string
  readonly title: string
  readonly isTabletop: boolean
  readonly externals: readonly string[]
  readonly at: string
}
const toldOf = (incident: IncidentWithPeople, at: string): Told => ({
  id: incident.id,
  title: incident.title,
  isTabletop: incident.is_tabletop,
  externals: targetedExternals(incident),
  at,
})
function recordActivity(
  db: OrgDb,
  incident: Told,
  verb: 'added' | 'changed' | 'removed',
  before: AssignedRow | null,
  after: AssignedRow | null,
): void {
  const row = (after ?? before)!
  record(db, {
    noun: 'activities',
    record: row.id,
    parent: incident.id,
    verb,
    changes: changesOf(before, after, row.type === 'TASK' ? TASK : UPDATE),
    externals: incident.externals,
    at: incident.at,
  })
}

/** Tells each person which tasks became theirs. Many at once are told in one line. */
async function tellAssignees(
  db: OrgDb,
  by: Acting,
  incident: Told,
  tasks: readonly AssignedRow[],
): Promise<void> {
  const { id: incidentId, isTabletop, externals } = incident
  const assigned = tasks.filter(({ assigned_to }) => assigned_to !== null)
  for (const [person, theirs] of Map.groupBy(assigned, ({ assigned_to }) => assigned_to!)) {
    const [first, ...more] = theirs
    const told =
      more.length === 0
        ? {
            title: 'A task was assigned to you',
            details: `${first!.title} – ${incident.title}`,
            activityId: first!.id,
          }
        : {
            title: `${theirs.length} tasks were assigned to you`,
            details: incident.title,
            activityId: null,
          }
    await notify(db, by, [person], { ...told, incidentId, isTabletop, externals })
  }
}

/** Adds the first activities of an incident that was just made. */
export async function addFirstActivities(
  db: OrgDb,
  by: Acting,
  incident: Told,
  requests: readonly NewActivity[],
): Promise<void> {
  const max = by.config.maxActivitiesPerIncident
  if (requests.length > max) throw wrongField('activityCreateRequests', tooManyActivities(max))
  const field = (n: number, name: string) => `activityCreateRequests.${n}.${name}`
  const below = requests.findIndex(({ parentActivityId }) => parentActivityId)
  if (below >= 0) throw wrongField(field(below, 'parentActivityId'), TASKS_ONLY)
  const people = await assigneesNamed(
    db,
    requests.map(({ assignedTo }, n) => ({ field: field(n, 'assignedTo'), email: assignedTo })),
  )
  const context = { incidentId: incident.id, by, at: incident.at, people }
  await insertActivities(
    db,
    requests.map((request) => newRow(request, context)),
  )
  const activities = await listActivities(db, [incident.id])
  for (const activity of activities) recordActivity(db, incident, 'added', null, activity)
  await tellAssignees(db, by, incident, activities)
}

/** Adds a task, an update, or an update below a task. */
export async function addActivity(db: OrgDb, by: Acting, id: string, given: NewActivity): Promise<Branch> {
  const incident = await opened(db, by, id, 'change')
  demand(incidentCan.addActivity(stateOf(incident)), 409, RESOLVED)
  if (given.parentActivityId) {
    const [parent] = await listActivityTree(db, given.parentActivityId)
    if (parent?.incident_id !== id) throw notFound('This task')
    if (parent.type !== 'TASK') throw wrongField('parentActivityId', TASKS_ONLY)
  }
  const max = by.config.maxActivitiesPerIncident
  demand((await countActivities(db, id)) < max, 400, tooManyActivities(max))
  const people = await assigneesNamed(db, [{ field: 'assignedTo', email: given.assignedTo }])
  const at = clock.timestamp()
  const row = newRow(given, { incidentId: id, by, at, people })
  await insertActivities(db, [row])
  const branch = await branchOf(db, incident, row.id)
  const told = toldOf(incident, at)
  recordActivity(db, told, 'added', null, branch.tree[0])
  await tellAssignees(db, by, told, [branch.tree[0]])
  return branch
}

async function branchOf(db: OrgDb, incident: IncidentWithPeople, id: string): Promise<Branch> {
  const [activity, ...below] = await listActivityTree(db, id)
  if (!activity) throw notFound('This task or update')
  return { incident, tree: [activity, ...below] }
}

/** An activity with its incident, held so that what is decided about it stays true. */
async function heldBranch(db: OrgDb, by: Acting, id: string): Promise<Branch> {
  const incidentId = await findIncidentOfActivity(db, id)
  if (!incidentId) throw notFound('This task or update')
  const incident = await opened(db, by, incidentId, 'read')
  await holdActivity(db, id)
  return branchOf(db, incident, id)
}

/** Changes what differs from what is. Of an update only its words can change. */
export async function changeActivity(
  db: OrgDb,
  by: Acting,
  id: string,
  given: ActivityChanges,
): Promise<Branch> {
  const { incident, tree } = await heldBranch(db, by, id)
  const [before] = tree
  if (given.incidentId && given.incidentId !== incident.id) throw wrongField('incidentId', OTHER_INCIDENT)
  const state = stateOf(incident)
  demand(incidentCan.edit(state), 409, RESOLVED)
  demand(activityCan.edit(ownedOf(before), meOf(by), state), 403, NOT_YOURS)
  if (given.version !== undefined && given.version !== before.version)
    throw stale(await findLastActor(db, 'activities', id))
  const words = {
    title: before.parent_id === null ? (given.title?.trim() ?? before.title) : before.title,
    description: given.description ?? before.description,
  }
  const missing = missingIn(before.type, words)
  const [sentence] = Object.values(missing)
  if (sentence) throw new Refusal(400, sentence, { fields: missing })
  const task = before.type === 'TASK' ? await taskColumns(db, before, given) : {}
  const differs = Object.keys(changesOf(before, { ...before, ...words, ...task }, TASK)).length > 0
  const at = clock.timestamp()
  if (!differs) return { incident, tree }
  const { email: _, ...columns } = { email: null, ...task }
  await updateActivity(db, id, { ...words, ...columns, update_timestamp: at })
  const branch = await branchOf(db, incident, id)
  const [after] = branch.tree
  const told = toldOf(incident, at)
  recordActivity(db, told, 'changed', before, after)
  if (after.assigned_to !== before.assigned_to) await tellAssignees(db, by, told, [after])
  return branch
}

async function taskColumns(db: OrgDb, before: AssignedRow, given: ActivityChanges) {
  const { assignedTo } = given
  const people =
    assignedTo && assignedTo !== before.email
      ? await assigneesNamed(db, [{ field: 'assignedTo', email: assignedTo }])
      : null
  const person = people?.get(assignedTo ?? '')
  return {
    ...withTaskState(before, given),
    priority: given.priority ?? before.priority,
    assigned_to: assignedTo === null ? null : (person?.id ?? before.assigned_to),
    email: assignedTo === null ? null : (person?.email ?? before.email),
    ideal_title:
      given.idealTitleToExecute === undefined ? before.ideal_title : given.idealTitleToExecute || null,
    expected_minutes:
      given.expectedTimeToComplete === undefined ? before.expected_minutes : given.expectedTimeToComplete,
  }
}

/** Deletes an activity and those below it. The stream keeps what each one was. */
export async function removeActivity(db: OrgDb, by: Acting, id: string): Promise<void> {
  const { incident, tree } = await heldBranch(db, by, id)
  const state = stateOf(incident)
  demand(incidentCan.edit(state), 409, RESOLVED)
  demand(activityCan.remove(ownedOf(tree[0]), meOf(by), state), 403, NOT_YOURS)
  await deleteActivity(db, id)
  const told = toldOf(incident, clock.timestamp())
  for (const activity of tree.toReversed()) recordActivity(db, told, 'removed', activity, null)
}

/** What happened to an activity, oldest first; also when it was deleted since. */
export async function activityHistory(db: OrgDb, by: Acting, id: string): Promise<Happening[]> {
  const happened = await listActivityEvents(db, id)
  const incidentId = happened[0]?.parent
  if (!incidentId) throw notFound('This task or update')
  await opened(db, by, incidentId)
  return happened
}
