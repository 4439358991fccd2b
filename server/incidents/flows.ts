import {
  creatableKinds,
  incidentCan,
  incidentNumber,
  previewOf,
  seriesOf,
  withRoles,
  yearIn,
} from '#contract/incidents/rules.ts'
import {
  DESCRIPTION_REQUIRED,
  EDITABLE_FIELDS,
  type IncidentChanges,
  MULTIPLE_NOT_ENABLED,
  type NewIncident,
  REASON_REQUIRED,
  SEARCH_MIN_LENGTH,
  type Severity,
} from '#contract/incidents/schema.ts'
import { pick, pickDefined } from '#contract/kit/pick.ts'
import { LONG_TEXT_MAX, tooLong } from '#contract/kit/text.ts'
import type { NamedPerson } from '#contract/users/schema.ts'
import { addActivities, type EventContext, withRooms } from './activities.flows.ts'
import { copyFiles, type Files, filesByActivity } from '#server/attachments/flows.ts'
import { type FileRow, listFiles, listFilesOf } from '#server/attachments/store.ts'
import { type Demand, describe } from '#server/incident-fields/values.flows.ts'
import { writeValues } from '#server/incident-fields/store.ts'
import { labelled } from '#server/incident-labels/labels.flows.ts'
import { writeLabels } from '#server/incident-labels/store.ts'
import { opened, RESOLVED, staleSince, stateOf, targetedExternals } from './access.flows.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { runHook } from '#server/kit/database/hooks.ts'
import { searchedWords } from '#server/kit/database/search.ts'
import type { Changes } from '#server/kit/core/event.ts'
import { changesBetween, record } from '#server/kit/events/events.ts'
import { demand, notFound, wrongField } from '#server/kit/core/refusal.ts'
import { plainText, sanitise } from '#server/kit/core/rich-text.ts'
import { type NamedRole, rolesNamed } from './roles.flows.ts'
import { type Start, startOf, targetsWith } from './start.flows.ts'
import { type Aim, aimAt, NO_AIM, retarget, isNarrowed, notifyNewcomers, wordsOf } from './targets.flows.ts'
import { listFellows } from './targets.store.ts'
import { activityTimestamps } from '#server/users/activity.flows.ts'
import { listNamed } from '#server/users/people.store.ts'
import type { Acting } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import {
  type AnsweredRow,
  countActiveKinds,
  countIncidents,
  findAnswered,
  findCheckIn,
  type FoundRow,
  FULLY_POPULATED,
  type IncidentWithTargets,
  listIncidents,
  listShownPeople,
  type Populated,
  searchIncidents,
  type Sought,
} from './reading.store.ts'
import { type AssignedRow, listActivities, listActivitiesOf } from './activities.store.ts'
import {
  holdActiveKinds,
  type IncidentRow,
  insertCheckIn,
  insertIncident,
  takeNumber,
  updateIncident,
} from './store.ts'

declare module '#server/kit/database/hooks.ts' {
  interface Hooks {
    /** An incident or exercise is declared, with its targets and first tasks. */
    incidentCreated: {
      readonly by: Acting
      readonly incident: EventContext
      /** The playbook that the incident begins with, in the version that the caller chose. */
      readonly playbook: {
        readonly playbookId: string
        readonly version: number | null
        readonly tasksCount: number
        /** Tasks of the incident by the task of the playbook that they were copied from. */
        readonly taken: ReadonlyMap<string, string>
      } | null
      /** Id of the requested room. */
      readonly breakoutRoomId: string | null
      readonly start: Start
      readonly roles: readonly NamedRole[]
      readonly conditionAnswers: NewIncident['conditionAnswers']
      readonly chat: Services['chat']
      readonly jobs: Pick<Services['jobs'], 'enqueueAt'>
    }
    /** An incident ended as the duplicate of another one. */
    incidentMerged: {
      readonly by: Acting
      readonly from: { readonly id: string; readonly breakoutRoomId: string | null }
      readonly into: { readonly number: string; readonly title: string }
      readonly chat: Services['chat']
    }
    /** The contents or targets of an incident changed. */
    incidentChanged: {
      readonly by: Acting
      readonly incidentId: string
      readonly breakoutRoomId: string | null
      readonly jobs: Pick<Services['jobs'], 'enqueueAt'>
    }
  }
}

/** Enqueues later work in the transaction of an act. */
interface WithJobs {
  readonly jobs: Pick<Services['jobs'], 'enqueueAt'>
}

export interface Whole {
  readonly incident: FoundRow
  readonly activities: readonly AssignedRow[]
  readonly files: readonly FileRow[]
  /** Files carried by each activity. */
  readonly carried: Files
  /** People whose addresses the incident shows. */
  readonly people: readonly NamedPerson[]
}

const NOT_RESOLVED = 'The analysis can be written once the incident is resolved.'

/** Fields audited as one change; resolving and the analysis are audited separately. */
const AUDITED = [...EDITABLE_FIELDS, 'targetedUsers', 'breakoutRoomId'] as const

/** The state of an incident in progress; a resolution sets other values. */
export const IN_PROGRESS = {
  isActive: true,
  resolvedBy: null,
  resolveTimestamp: null,
  openTasks: null,
  openTasksReason: null,
  outcome: null,
  outcomeReason: null,
  mergedIntoId: null,
} as const
/** Fields that a resolution sets. */
const RESOLUTION = ['isActive', 'openTasks', 'openTasksReason', 'outcome', 'outcomeReason'] as const

/** Fields whose change can have a reason. */
const REASONED = ['title', 'severity', 'isTabletop', 'kind']

/** The people whom incidents and their contents show by address. External viewers see only these names. */
function listShown(db: OrgDb, incidents: readonly AnsweredRow[], activities: readonly AssignedRow[]) {
  const emails = [
    ...incidents.flatMap((row) => [row.createdBy, row.resolvedBy ?? [], row.targetedUsers ?? []].flat()),
    ...activities.flatMap((row) => [row.createdBy, row.email ?? []].flat()),
  ]
  return listNamed(db, emails)
}

/**
 * An incident with its activities and files, and the requested part of its people.
 * @throws Refusal 404 where the caller sees no such incident
 */
export async function findWhole(
  db: OrgDb,
  by: Acting,
  id: string,
  populated: Populated = FULLY_POPULATED,
): Promise<Whole> {
  // Sent together, because the statements are independent.
  const [incident, files, assigned, people] = await Promise.all([
    findAnswered(db, by, id, populated),
    listFilesOf(db, id),
    listActivitiesOf(db, id),
    listShownPeople(db, id, populated),
  ])
  if (!incident) throw notFound('This incident')
  const activities = await withRooms(db, by, assigned)
  return { incident, activities, files, carried: filesByActivity(files), people }
}

interface PageQuery {
  readonly page: number
  readonly size: number
  readonly searchWord?: string | undefined
  readonly isActive?: boolean | undefined
  readonly severity?: Severity | undefined
  readonly isTabletop?: boolean | undefined
  readonly createdFrom?: string | undefined
  readonly kindId?: string | undefined
  readonly fieldValues?: Readonly<Record<string, string>> | undefined
  readonly labels?: readonly string[] | undefined
  readonly activeFirst: boolean
  readonly everything: boolean
}

/** The conditions of a page. Too short a search word is ignored. */
async function soughtOf(db: OrgDb, asked: PageQuery): Promise<Sought> {
  const { searchWord = '', isActive = null, severity = null, isTabletop = null, createdFrom = null } = asked
  const { kindId = null, fieldValues = {}, labels = [] } = asked
  const narrowed = { isActive, severity, isTabletop, createdFrom, kindId, fieldValues, labels }
  const isSearch = searchWord.trim().length >= SEARCH_MIN_LENGTH
  const found = isSearch ? await searchIncidents(db, searchedWords(searchWord), narrowed, asked) : null
  return { ...narrowed, found }
}

/** A page of incidents, with their contents where `everything` is requested. */
export async function findPage(db: OrgDb, by: Acting, asked: PageQuery) {
  const sought = await soughtOf(db, asked)
  const counted = await countIncidents(db, by, sought, asked)
  const populated = asked.everything ? FULLY_POPULATED : null
  const rows = await listIncidents(db, by, { ...asked, ...sought, populated })
  const ids = rows.map(({ id }) => id)
  const activities = asked.everything ? await withRooms(db, by, await listActivities(db, ids)) : []
  const files = asked.everything ? await listFiles(db, ids) : []
  return {
    ...counted,
    rows,
    activities: Map.groupBy(activities, (activity) => activity.incidentId),
    files: Map.groupBy(files, (file) => file.incidentId),
    carried: filesByActivity(files),
    people: await listShown(db, rows, activities),
  }
}

/**
 * Times at which people were last active: these, or everybody. External people see only those who share an incident
 * with them.
 */
export async function lastActive(db: OrgDb, by: Acting, userIds?: readonly string[]) {
  const everybody = await activityTimestamps(db, userIds)
  if (by.type !== 'EXTERNAL') return everybody
  const fellows = await listFellows(db, by.id)
  return everybody.filter(({ userId }) => fellows.includes(userId))
}

function richText(field: string, html: string): string {
  const safe = sanitise(html)
  // Escaping lengthens text, and stored text must fit when it is sent back.
  if (safe.length > LONG_TEXT_MAX) throw wrongField(field, tooLong(LONG_TEXT_MAX))
  return safe
}
function textColumns(html: string) {
  const fullText = richText('fullText', html)
  const words = plainText(fullText)
  if (words === '') throw wrongField('fullText', DESCRIPTION_REQUIRED)
  return { fullText, plainText: words, previewText: previewOf(words) }
}

/**
 * Refuses a second active incident of a kind without `multiIncident` (decisions §5). The second of two concurrent
 * declarations waits and is refused.
 */
export async function demandKind(db: OrgDb, by: Acting, isTabletop: boolean): Promise<void> {
  if (by.config.multiIncident) return
  await holdActiveKinds(db)
  const can = creatableKinds(await countActiveKinds(db), by.config.multiIncident)
  demand(isTabletop ? can.exercise : can.incident, 403, MULTIPLE_NOT_ENABLED)
}

/** The number of an incident that is declared at a time, or becomes one of its kind. */
async function nextNumber(db: OrgDb, by: Acting, isTabletop: boolean, at: string): Promise<string> {
  const series = seriesOf(isTabletop)
  const year = yearIn(by.config.timeZone, at)
  return incidentNumber(series, year, await takeNumber(db, series, year))
}

/**
 * Declares an incident or an exercise as `createIncident` does. People fill in the required fields, and so do programs
 * that send a kind or values: others do not know of fields.
 */
export function declareIncident(
  services: Pick<Services, 'chat'> & WithJobs,
  db: OrgDb,
  by: Acting,
  given: NewIncident,
  populated?: Populated,
): Promise<Whole> {
  const knowsFields = by.kind === 'person' || given.kindId !== undefined || given.fieldValues !== undefined
  return createIncident(services, db, by, given, populated, knowsFields ? 'all' : 'none')
}

/** Declares an incident or an exercise with its first tasks, all or nothing. */
export async function createIncident(
  { chat, jobs }: Pick<Services, 'chat'> & WithJobs,
  db: OrgDb,
  by: Acting,
  given: NewIncident,
  populated?: Populated,
  demands: Demand = 'none',
): Promise<Whole> {
  await demandKind(db, by, given.isTabletop)
  const described = await describe(db, given, demands)
  const { labels, changes: labelChanges } = await labelled(db, by, given.labels)
  const { withEverybody = false } = given
  const start = await startOf(db, by, given)
  const roles = await rolesNamed(db, given.roles ?? [])
  const aim = await aimAt(db, by, targetsWith(given, start))
  const targetedUsers = wordsOf(aim, withEverybody)
  const at = clock.timestamp()
  const row: IncidentRow = {
    id: crypto.randomUUID(),
    number: await nextNumber(db, by, given.isTabletop, at),
    title: given.title,
    ...textColumns(given.fullText),
    severity: given.severity,
    isTabletop: given.isTabletop,
    ...IN_PROGRESS,
    isTargeted: isNarrowed(aim, withEverybody),
    estimatedTimeToRecovery: given.estimatedTimeToRecovery ?? null,
    estimatedTimeToRecoveryTimeUnit: given.estimatedTimeToRecoveryTimeUnit ?? null,
    createdBy: by.name,
    createTimestamp: at,
    updateTimestamp: at,
    postmortemDetails: null,
    breakoutRoomId: start.createsRoom ? crypto.randomUUID() : null,
    kindId: described.kindId,
    version: 1,
  }
  const { id } = row
  await insertIncident(db, row)
  await writeValues(db, id, described.values)
  if (labels) await writeLabels(db, id, labels)
  const targeting = await retarget(db, id, { from: NO_AIM, to: aim, targeted: [] })
  const { externals } = targeting
  const changes = {
    ...changesBetween(null, { ...row, targetedUsers }, AUDITED),
    ...described.changes,
    ...labelChanges,
  }
  record(db, { noun: 'incidents', record: id, verb: 'created', changes, externals, at })
  await notifyNewcomers(db, by, row, targeting)
  const told = { id, title: row.title, isTabletop: row.isTabletop, externals, at }
  const folder = given.attachmentsFolderIdForDuplication
  const copies = folder ? await copyFiles(db, by, folder, told) : NO_COPIES
  const { playbookId, playbookVersion: version = null } = given
  const requests = withRoles(given.activityCreateRequests, given.roles ?? [])
  const ids = await addActivities(db, by, told, requests, { copies, isNew: true })
  const tasksCount = requests.filter(({ type }) => type === 'TASK').length
  const taken = new Map(
    requests.flatMap(({ playbookItemId }, n) => (playbookItemId ? [[playbookItemId, ids[n]!]] : [])),
  )
  await runHook(db, 'incidentCreated', {
    by,
    incident: told,
    playbook: playbookId ? { playbookId, version, tasksCount, taken } : null,
    breakoutRoomId: row.breakoutRoomId,
    start,
    roles,
    conditionAnswers: given.conditionAnswers,
    chat,
    jobs,
  })
  return findWhole(db, by, id, populated)
}

const NO_COPIES: ReadonlyMap<string, string> = new Map()

/**
 * Changes the fields that differ. Active incidents accept every change except the analysis; resolved ones accept only
 * that (operations §4).
 */
export async function changeIncident(
  { jobs }: WithJobs,
  db: OrgDb,
  by: Acting,
  id: string,
  given: IncidentChanges,
  populated?: Populated,
): Promise<Whole> {
  const before = await opened(db, by, id, 'change')
  if (given.version !== undefined && given.version !== before.version)
    throw await staleSince(db, 'incidents', id, { read: given.version, now: before.version })
  const { from, to, wasWithEverybody, withEverybody } = await targetsOf(db, by, before, given)
  const was = { ...before, targetedUsers: wordsOf(from, wasWithEverybody) }
  const { text, after } = changedRow(was, given, wordsOf(to, withEverybody))
  const described = await redescribe(db, by, before, given)
  const { labels, changes: labelChanges } = await labelled(db, by, given.labels, before.labels)
  const changed = { ...changesBetween(was, after, AUDITED), ...described.changes, ...labelChanges }
  const resolved = changesBetween(was, after, RESOLUTION)
  const analysed = changesBetween(was, after, ['postmortemDetails'])
  const state = stateOf(before)
  demand(!differs(changed) || incidentCan.edit(state), 409, RESOLVED)
  demand(!differs(resolved) || incidentCan.resolve(state), 409, RESOLVED)
  demand(!differs(analysed) || incidentCan.analyse(state), 409, NOT_RESOLVED)
  if (![changed, resolved, analysed].some(differs)) return findWhole(db, by, id, populated)

  if ('isTabletop' in changed && after.isActive) await demandKind(db, by, after.isTabletop)
  // The other kind is counted in a series of its own.
  const number =
    'isTabletop' in changed
      ? await nextNumber(db, by, after.isTabletop, before.createTimestamp)
      : before.number
  const targeted = before.targets.map(({ userId, type }) => ({ id: userId, type }))
  // External people who are no longer targeted receive this event, too.
  const targeting = await retarget(db, id, { from, to, targeted })
  const { externals } = targeting
  const at = clock.timestamp()
  await updateIncident(db, id, {
    ...pick(after, EDITABLE_FIELDS),
    ...text,
    number,
    kindId: described.kindId,
    isTargeted: isNarrowed(to, withEverybody),
    postmortemDetails: after.postmortemDetails,
    ...(differs(resolved) ? { ...pick(after, RESOLUTION), resolvedBy: by.name, resolveTimestamp: at } : {}),
    updateTimestamp: at,
  })
  await writeValues(db, id, described.values)
  if (labels) await writeLabels(db, id, labels)
  const renumbered = changesBetween(before, { ...before, number }, ['number'])
  const told = { changed: withReason({ ...changed, ...renumbered }, given.reason), resolved, analysed }
  for (const [verb, changes] of Object.entries(told))
    if (differs(changes)) record(db, { noun: 'incidents', record: id, verb, changes, externals, at })
  await notifyNewcomers(db, by, after, targeting)
  await runHook(db, 'incidentChanged', { by, incidentId: id, breakoutRoomId: after.breakoutRoomId, jobs })
  return findWhole(db, by, id, populated)
}

/** The kind and the values of an edited incident. Programs may leave required fields empty. */
const redescribe = (db: OrgDb, by: Acting, before: IncidentWithTargets, given: IncidentChanges) =>
  describe(db, given, by.kind === 'person' ? 'changed' : 'none', {
    kindId: before.kindId,
    kindName: before.kind?.name ?? null,
    values: before.fieldValues,
  })

/** The previous and next targets, and whether everybody is asked beside them. New targets alone narrow an incident. */
async function targetsOf(db: OrgDb, by: Acting, before: IncidentWithTargets, given: IncidentChanges) {
  const { targetedUsers, targetedGroupIds } = given
  const from = aimOf(before)
  const requested = {
    emails: targetedUsers ?? from.users.map(({ email }) => email),
    groupIds: targetedGroupIds ?? from.groups.map((group) => group.id),
  }
  const wasWithEverybody = !before.isTargeted && before.targets.length > 0
  const isRetargeted = targetedUsers !== undefined || targetedGroupIds !== undefined
  const { withEverybody = wasWithEverybody && !isRetargeted } = given
  return { from, to: await aimAt(db, by, requested, from), wasWithEverybody, withEverybody }
}
/** A change of title, severity or kind, or between incident and exercise, with its reason. */
const withReason = (changes: Changes, reason: string | null | undefined): Changes =>
  reason && REASONED.some((field) => field in changes)
    ? { ...changes, reason: { from: null, to: reason } }
    : changes
const differs = (changes: Changes) => Object.keys(changes).length > 0

/** The people and groups that an incident targets now. */
export const aimOf = ({ targets, groups }: IncidentWithTargets): Aim => ({
  users: targets.filter(({ named }) => named).map(({ userId, email }) => ({ id: userId, email })),
  groups,
})

type Was = IncidentWithTargets & { targetedUsers: string[] }
/** The end of an incident as a change makes it, or as it was. */
function endOf(was: Was, given: IncidentChanges) {
  const { isActive = was.isActive } = given
  if (!was.isActive || isActive) return { ...pick(was, RESOLUTION), isActive }
  const outcome = given.outcome ?? null
  const outcomeReason = outcome && (given.outcomeReason || null)
  if (outcome && !outcomeReason) throw wrongField('outcomeReason', REASON_REQUIRED)
  return {
    isActive,
    openTasks: given.openTasks ?? null,
    openTasksReason: given.openTasksReason || null,
    outcome,
    outcomeReason,
  }
}
/** The changed row, with the columns that are derived from its text. */
function changedRow(was: Was, given: IncidentChanges, targetedUsers: string[]) {
  const text = given.fullText === undefined ? {} : textColumns(given.fullText)
  const analysis = analysisOf(given.postmortemDetails)
  const postmortemDetails = analysis === undefined ? was.postmortemDetails : analysis
  const edited = pickDefined(given, EDITABLE_FIELDS)
  return {
    text,
    after: { ...was, ...edited, ...text, ...endOf(was, given), targetedUsers, postmortemDetails },
  }
}
function analysisOf(html: string | null | undefined): string | null | undefined {
  if (html === undefined || html === null) return html
  const safe = richText('postmortemDetails', html)
  return plainText(safe) === '' ? null : safe
}

/** Checks the caller in. Only the first check-in counts. */
export async function checkIn(db: OrgDb, by: Acting, id: string) {
  const incident = await opened(db, by, id, 'read')
  const first = await findCheckIn(db, id, by.id)
  if (first) return { userId: by.id, timestamp: first }
  demand(incidentCan.checkIn(stateOf(incident)), 409, RESOLVED)
  const at = clock.timestamp()
  const isFirst = await insertCheckIn(db, { incidentId: id, userId: by.id, timestamp: at })
  if (!isFirst) return { userId: by.id, timestamp: (await findCheckIn(db, id, by.id)) ?? at }
  record(db, {
    noun: 'check-ins',
    record: by.id,
    parent: id,
    verb: 'checked in',
    changes: { timestamp: { from: null, to: at } },
    externals: targetedExternals(incident),
    at,
  })
  return { userId: by.id, timestamp: at }
}
