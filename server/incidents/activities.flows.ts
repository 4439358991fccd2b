import { activityCan, dueTimeOf, incidentCan, withTaskState } from '#contract/incidents/rules.ts'
import {
  type ActivityChanges,
  type Assignment,
  missingIn,
  type NewActivity,
  TASK_FIELDS,
  tooManyActivities,
} from '#contract/incidents/schema.ts'
import {
  carry,
  type Files,
  filesAt,
  filesByActivity,
  namesOf,
  removeFilesOf,
} from '#server/attachments/flows.ts'
import { listFiles, listFilesCarried } from '#server/attachments/store.ts'
import { meOf, opened, RESOLVED, staleSince, stateOf, targetedExternals } from './access.flows.ts'
import {
  type ActivityRow,
  type AssignedRow,
  countActivities,
  deleteActivity,
  findIncidentOfActivity,
  findRoomsOfMessages,
  holdActivity,
  insertActivities,
  listActivityTree,
  updateActivity,
} from './activities.store.ts'
import { announceDue } from './due.flows.ts'
import { type Happening, listActivityEvents } from './history.store.ts'
import type { IncidentWithTargets } from './reading.store.ts'
import { listPeople, type PersonRow } from './store.ts'
import { clock } from '#server/kit/core/clock.ts'
import { describedBy, type Description } from '#server/kit/core/formatted-text.ts'
import { inTimeSlice } from '#server/kit/core/time-slice.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { runHook } from '#server/kit/database/hooks.ts'
import type { Changes } from '#server/kit/core/event.ts'
import { changesBetween, record } from '#server/kit/events/events.ts'
import { demand, notFound, Refusal, wrongField } from '#server/kit/core/refusal.ts'
import type { Services } from '#server/kit/services.ts'
import { notify } from '#server/notifications/flows.ts'
import type { Acting } from '#server/kit/http/serve.ts'

declare module '#server/kit/database/hooks.ts' {
  interface Hooks {
    /** A task or update is removed, with the chat message that it was made from. */
    activityRemoved: { readonly chat: Services['chat']; readonly messageId: string | null }
  }
}

/** An activity and those below it, with their incident. */
export interface Branch {
  readonly incident: IncidentWithTargets
  readonly tree: readonly [AssignedRow, ...AssignedRow[]]
  /** Files carried by each activity. */
  readonly files: Files
}

const NOT_YOURS = 'Only its author, the person it is assigned to or an administrator can do this.'
const NOT_ASSIGNABLE = 'This is not an active user.'
const TASKS_ONLY = 'Updates can be added only below tasks.'
const OTHER_INCIDENT = 'This task or update belongs to another incident.'

export const ownedOf = (activity: AssignedRow) => ({
  createdBy: activity.createdBy,
  assignedTo: activity.email === null ? null : { email: activity.email },
  type: activity.type,
})

/** An activity as its history shows it: files and assignee by name. */
type AuditedActivity = Omit<ActivityRow, 'assignedTo'> &
  Record<'attachedFileIds' | 'assignedTo', string | null>
const audited = (row: ActivityRow & Pick<AssignedRow, 'email'>, files: Files): AuditedActivity => ({
  ...row,
  attachedFileIds: namesOf(filesAt(files, row.id)),
  assignedTo: row.email,
})
const AUDITED_OF_UPDATE = ['type', 'parentActivityId', 'title', 'description', 'attachedFileIds'] as const
const AUDITED_OF_TASK = [...AUDITED_OF_UPDATE, ...TASK_FIELDS] as const

/**
 * The people that fields name by email address.
 * @throws Refusal 400 at each field that names no suitable person
 */
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

/** The due time of a new task. A task of a playbook without one has its expected time from now on. */
const dueTimestampOf = (given: NewActivity, at: string): string | null =>
  given.dueTimestamp === undefined && given.playbookItemId
    ? dueTimeOf(at, given.expectedTimeToComplete)
    : (given.dueTimestamp ?? null)

/** Formatted texts of a new task: its own, and that of its section. */
interface FormattedTexts {
  readonly own: Description
  readonly section: Description
}
/** @throws Refusal 400 at a text that is too long as it would be stored */
const formattedTextsOf = (given: NewActivity, fieldOf = (name: string) => name): FormattedTexts => ({
  own: describedBy(given, undefined, fieldOf),
  section: describedBy(
    {
      description: given.sectionDescription ?? '',
      formattedDescription: given.formattedSectionDescription,
    },
    undefined,
    () => fieldOf('sectionDescription'),
  ),
})

function newRow(
  given: NewActivity,
  { own, section }: FormattedTexts,
  context: {
    incidentId: string
    by: Acting
    at: string
    people: ReadonlyMap<string, PersonRow>
    messageId?: string | null
  },
): ActivityRow {
  const parentActivityId = given.parentActivityId ?? null
  const row = {
    id: crypto.randomUUID(),
    incidentId: context.incidentId,
    parentActivityId,
    title: parentActivityId === null ? given.title.trim() : '',
    description: given.description,
    createdBy: context.by.name,
    createTimestamp: context.at,
    updateTimestamp: context.at,
    messageId: context.messageId ?? null,
    version: 1,
  }
  const nothing = {
    priority: 'MEDIUM',
    assignedTo: null,
    idealTitleToExecute: null,
    expectedTimeToComplete: null,
    formattedDescription: null,
    section: null,
    sectionDescription: null,
    formattedSectionDescription: null,
    dueTimestamp: null,
    conditionId: null,
    isSkipped: false,
  } as const
  const untouched = { status: 'TO_DO', progress: 0 } as const
  if (given.type === 'UPDATE' || parentActivityId !== null)
    return { ...row, type: 'UPDATE', ...untouched, ...nothing }
  return {
    ...row,
    ...own,
    type: 'TASK',
    ...withTaskState(untouched, given),
    priority: given.priority ?? nothing.priority,
    assignedTo: context.people.get(given.assignedTo ?? '')?.id ?? null,
    idealTitleToExecute: given.idealTitleToExecute || null,
    expectedTimeToComplete: given.expectedTimeToComplete ?? null,
    section: given.section || null,
    sectionDescription: section.description || null,
    formattedSectionDescription: section.formattedDescription,
    dueTimestamp: dueTimestampOf(given, context.at),
    conditionId: null,
    isSkipped: false,
  }
}

export interface EventContext {
  readonly id: string
  readonly title: string
  readonly isTabletop: boolean
  readonly externals: readonly string[]
  readonly at: string
}
export const eventContextOf = (incident: IncidentWithTargets, at: string): EventContext => ({
  id: incident.id,
  title: incident.title,
  isTabletop: incident.isTabletop,
  externals: targetedExternals(incident),
  at,
})
/** The change of a description whose words are the same. */
const formattingBetween = (before: AuditedActivity | null, after: AuditedActivity | null): Changes =>
  before &&
  after &&
  before.description === after.description &&
  before.formattedDescription !== after.formattedDescription
    ? { formatting: { from: null, to: true } }
    : {}
function recordActivity(
  db: OrgDb,
  incident: EventContext,
  verb: 'added' | 'changed' | 'removed',
  before: AuditedActivity | null,
  after: AuditedActivity | null,
): void {
  const row = (after ?? before)!
  const changes = changesBetween(before, after, row.type === 'TASK' ? AUDITED_OF_TASK : AUDITED_OF_UPDATE)
  record(db, {
    noun: 'activities',
    record: row.id,
    parent: incident.id,
    verb,
    changes: { ...changes, ...formattingBetween(before, after) },
    externals: incident.externals,
    at: incident.at,
  })
}

/** Notifies each assignee of their new tasks; several tasks become one notification. */
async function notifyAssignees(
  db: OrgDb,
  by: Acting,
  incident: EventContext,
  tasks: readonly ActivityRow[],
): Promise<void> {
  const { id: incidentId, isTabletop, externals } = incident
  const assigned = tasks.filter(({ assignedTo }) => assignedTo !== null)
  for (const [person, theirs] of Map.groupBy(assigned, ({ assignedTo }) => assignedTo!)) {
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

/**
 * Adds several activities in their order; `isNew` where the incident has none yet. Activities may name a carried file
 * by the id that it was copied from. Returns their ids in the same order.
 * @throws Refusal 400 where the incident would exceed its limit
 */
export async function addActivities(
  db: OrgDb,
  by: Acting,
  incident: EventContext,
  requests: readonly NewActivity[],
  { copies, isNew = false }: { readonly copies: ReadonlyMap<string, string>; readonly isNew?: boolean },
): Promise<string[]> {
  if (requests.length === 0) return []
  const max = by.config.maxActivitiesPerIncident
  const before = isNew ? 0 : await countActivities(db, incident.id)
  if (before + requests.length > max) throw wrongField('activityCreateRequests', tooManyActivities(max))
  const field = (n: number, name: string) => `activityCreateRequests.${n}.${name}`
  const below = requests.findIndex(({ parentActivityId }) => parentActivityId)
  if (below >= 0) throw wrongField(field(below, 'parentActivityId'), TASKS_ONLY)
  const people = await assigneesNamed(
    db,
    requests.map(({ assignedTo }, n) => ({ field: field(n, 'assignedTo'), email: assignedTo })),
  )
  const context = { incidentId: incident.id, by, at: incident.at, people }
  const rows: ActivityRow[] = []
  for (const [n, request] of requests.entries()) {
    const texts = await inTimeSlice(() => formattedTextsOf(request, (name) => field(n, name)))
    rows.push(newRow(request, texts, context))
  }
  await insertActivities(db, rows)
  for (const [n, { attachedFileIds = [] }] of requests.entries()) {
    const wanted = attachedFileIds.map((id) => copies.get(id) ?? id)
    if (wanted.length > 0) await carry(db, rows[n]!, wanted, { now: [], field: field(n, 'attachedFileIds') })
  }
  const files = filesByActivity(copies.size > 0 ? await listFiles(db, [incident.id]) : [])
  for (const [n, row] of rows.entries()) {
    const email = row.assignedTo && requests[n]!.assignedTo!
    recordActivity(db, incident, 'added', null, audited({ ...row, email }, files))
  }
  await notifyAssignees(db, by, incident, rows)
  await announceDue(db, rows)
  return rows.map(({ id }) => id)
}

/**
 * Adds a task, an update, or an update below a task.
 * @param messageId chat message that the activity is made from
 */
export async function addActivity(
  db: OrgDb,
  by: Acting,
  id: string,
  given: NewActivity,
  messageId: string | null = null,
): Promise<Branch> {
  const incident = await opened(db, by, id, 'change')
  demand(incidentCan.addActivity(stateOf(incident)), 409, RESOLVED)
  if (given.parentActivityId) {
    const [parent] = await listActivityTree(db, given.parentActivityId)
    if (parent?.incidentId !== id) throw notFound('This task')
    if (parent.type !== 'TASK') throw wrongField('parentActivityId', TASKS_ONLY)
  }
  const max = by.config.maxActivitiesPerIncident
  demand((await countActivities(db, id)) < max, 400, tooManyActivities(max))
  const people = await assigneesNamed(db, [{ field: 'assignedTo', email: given.assignedTo }])
  const at = clock.timestamp()
  const row = newRow(given, formattedTextsOf(given), { incidentId: id, by, at, people, messageId })
  await insertActivities(db, [row])
  if (given.attachedFileIds?.length) await carry(db, row, given.attachedFileIds, { now: [] })
  const branch = await branchOf(db, by, incident, row.id)
  const told = eventContextOf(incident, at)
  recordActivity(db, told, 'added', null, audited(branch.tree[0], branch.files))
  await notifyAssignees(db, by, told, [branch.tree[0]])
  await announceDue(db, [row])
  return branch
}

/** Activities with the rooms of their messages, where the viewer is a member. */
export async function withRooms(
  db: OrgDb,
  by: Pick<Acting, 'id'>,
  rows: readonly AssignedRow[],
): Promise<AssignedRow[]> {
  const messageIds = rows.flatMap(({ messageId }) => messageId ?? [])
  if (messageIds.length === 0) return [...rows]
  const rooms = await findRoomsOfMessages(db, by.id, messageIds)
  return rows.map((row) => ({ ...row, roomId: rooms.get(row.messageId ?? '') }))
}

async function branchOf(db: OrgDb, by: Acting, incident: IncidentWithTargets, id: string): Promise<Branch> {
  const [activity, ...below] = await withRooms(db, by, await listActivityTree(db, id))
  if (!activity) throw notFound('This task or update')
  const ids = [id, ...below.map((child) => child.id)]
  return { incident, tree: [activity, ...below], files: filesByActivity(await listFilesCarried(db, ids)) }
}

/** An activity with its incident, both locked until the transaction ends. */
async function heldBranch(
  db: OrgDb,
  by: Acting,
  id: string,
  hold: 'change' | 'read' = 'read',
): Promise<Branch> {
  const incidentId = await findIncidentOfActivity(db, id)
  if (!incidentId) throw notFound('This task or update')
  const incident = await opened(db, by, incidentId, hold)
  await holdActivity(db, id)
  return branchOf(db, by, incident, id)
}

/** Changes the fields that differ. Only text and files of an update can change. Notifies a new assignee. */
export async function changeActivity(
  db: OrgDb,
  by: Acting,
  id: string,
  given: ActivityChanges,
): Promise<Branch> {
  const { branch, before } = await saveActivity(db, by, id, given)
  const [after] = branch.tree
  if (after.assignedTo !== before.assignedTo)
    await notifyAssignees(db, by, eventContextOf(branch.incident, after.updateTimestamp), [after])
  return branch
}

async function saveActivity(
  db: OrgDb,
  by: Acting,
  id: string,
  given: ActivityChanges,
): Promise<{ branch: Branch; before: AssignedRow }> {
  const { incident, tree, files } = await heldBranch(db, by, id)
  const [before] = tree
  if (given.incidentId && given.incidentId !== incident.id) throw wrongField('incidentId', OTHER_INCIDENT)
  const state = stateOf(incident)
  demand(incidentCan.edit(state), 409, RESOLVED)
  demand(activityCan.edit(ownedOf(before), meOf(by), state), 403, NOT_YOURS)
  if (given.version !== undefined && given.version !== before.version)
    throw await staleSince(db, 'activities', id, { read: given.version, now: before.version })
  const words = {
    title: before.parentActivityId === null ? (given.title?.trim() ?? before.title) : before.title,
    ...(before.type === 'TASK'
      ? describedBy(given, before)
      : { description: given.description ?? before.description }),
  }
  const missing = missingIn(before.type, words)
  const [sentence] = Object.values(missing)
  if (sentence) throw new Refusal(400, sentence, { fields: missing })
  const task = before.type === 'TASK' ? await taskColumns(db, before, given) : {}
  const was = audited(before, files)
  const next = audited({ ...before, ...words, ...task }, files)
  const differing = { ...changesBetween(was, next, AUDITED_OF_TASK), ...formattingBetween(was, next) }
  const differs = Object.keys(differing).length > 0
  const { attachedFileIds } = given
  const others = attachedFileIds && (await carry(db, before, attachedFileIds, { now: filesAt(files, id) }))
  const at = clock.timestamp()
  if (!differs && !others) return { branch: { incident, tree, files }, before }
  const { email: _, ...columns } = { email: null, ...task }
  await updateActivity(db, id, { ...words, ...columns, updateTimestamp: at })
  const branch = await branchOf(db, by, incident, id)
  const [after] = branch.tree
  const told = eventContextOf(incident, at)
  recordActivity(db, told, 'changed', was, audited(after, branch.files))
  await announceDue(db, [after], before)
  return { branch, before }
}

/**
 * Assigns several tasks to one person or to nobody, all or nothing. The person receives one notification.
 * @throws Refusal 400 for a person who cannot be assigned, 403 for a task that the caller may not change
 */
export async function assignTasks(
  db: OrgDb,
  by: Acting,
  id: string,
  { activityIds, assignedTo }: Assignment,
): Promise<Branch[]> {
  const incident = await opened(db, by, id, 'change')
  const branches: Branch[] = []
  // In the order of ids, so that concurrent assignments wait instead of failing.
  for (const activityId of [...new Set(activityIds)].sort()) {
    const [before] = await listActivityTree(db, activityId)
    if (before?.incidentId !== id || before.type !== 'TASK') throw notFound('This task')
    if (before.email === assignedTo) continue
    branches.push((await saveActivity(db, by, activityId, { assignedTo })).branch)
  }
  const tasks = branches.map(({ tree: [task] }) => task)
  await notifyAssignees(db, by, eventContextOf(incident, clock.timestamp()), tasks)
  return branches
}

/** The next value of an optional field: unchanged when undefined, null when empty. */
const next = <T>(given: T | null | undefined, before: T | null): T | null =>
  given === undefined ? before : given || null

async function taskColumns(
  db: OrgDb,
  before: AssignedRow,
  given: ActivityChanges,
): Promise<Pick<AssignedRow, (typeof TASK_FIELDS)[number] | 'email'>> {
  const { assignedTo } = given
  const people =
    assignedTo && assignedTo !== before.email
      ? await assigneesNamed(db, [{ field: 'assignedTo', email: assignedTo }])
      : null
  const person = people?.get(assignedTo ?? '')
  return {
    ...withTaskState(before, given),
    priority: given.priority ?? before.priority,
    assignedTo: assignedTo === null ? null : (person?.id ?? before.assignedTo),
    email: assignedTo === null ? null : (person?.email ?? before.email),
    idealTitleToExecute: next(given.idealTitleToExecute, before.idealTitleToExecute),
    expectedTimeToComplete: next(given.expectedTimeToComplete, before.expectedTimeToComplete),
    section: next(given.section, before.section),
    dueTimestamp: next(given.dueTimestamp, before.dueTimestamp),
  }
}

/** Deletes an activity, those below it, and the files that were added to them. The stream keeps their contents. */
export async function removeActivity(
  services: Pick<Services, 'blobs' | 'chat'>,
  db: OrgDb,
  by: Acting,
  id: string,
): Promise<void> {
  // The lock keeps others from adding files meanwhile.
  const { incident, tree, files } = await heldBranch(db, by, id, 'change')
  const state = stateOf(incident)
  demand(incidentCan.edit(state), 409, RESOLVED)
  demand(activityCan.remove(ownedOf(tree[0]), meOf(by), state), 403, NOT_YOURS)
  const told = eventContextOf(incident, clock.timestamp())
  await removeFilesOf(services, db, told, tree, files)
  await deleteActivity(db, id)
  for (const activity of tree.toReversed())
    recordActivity(db, told, 'removed', audited(activity, files), null)
  await runHook(db, 'activityRemoved', { chat: services.chat, messageId: tree[0].messageId })
}

/** The events of an activity, oldest first, also after its deletion. */
export async function activityHistory(db: OrgDb, by: Acting, id: string): Promise<Happening[]> {
  const happened = await listActivityEvents(db, id)
  const incidentId = happened[0]?.parent
  if (!incidentId) throw notFound('This task or update')
  await opened(db, by, incidentId)
  return happened
}
