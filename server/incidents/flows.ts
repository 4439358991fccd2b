import { creatableKinds, incidentCan, previewOf } from '#contract/incidents/rules.ts'
import {
  DESCRIPTION_REQUIRED,
  type IncidentChanges,
  MULTIPLE_NOT_ENABLED,
  type NewIncident,
  SEARCH_MIN_LENGTH,
} from '#contract/incidents/schema.ts'
import { LONG_TEXT_MAX, tooLong } from '#contract/kit/text.ts'
import type { NamedPerson } from '#contract/users/schema.ts'
import { addFirstActivities } from './activities.flows.ts'
import { copyFiles, type Files, filesByActivity } from '#server/attachments/flows.ts'
import { type FileRow, listFiles } from '#server/attachments/store.ts'
import { type Acting, opened, RESOLVED, staleSince, stateOf, targetedExternals } from './access.flows.ts'
import { clock } from '#server/kit/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { type Changes, changesOf, type Columns, record } from '#server/kit/events/events.ts'
import { demand, notFound, wrongField } from '#server/kit/http/refusal.ts'
import { plainText, sanitise } from '#server/kit/rich-text.ts'
import { type Aim, aimAt, NO_AIM, retarget, notifyNewcomers, wordsOf } from './targets.flows.ts'
import { listFellows } from './targets.store.ts'
import { activityTimestamps } from '#server/users/activity.flows.ts'
import { listNamed } from '#server/users/people.store.ts'

import {
  type AnsweredRow,
  type AssignedRow,
  countActiveKinds,
  countIncidents,
  findAnswered,
  findCheckIn,
  FULLY_POPULATED,
  holdActiveKinds,
  type IncidentRow,
  type IncidentWithTargets,
  insertCheckIn,
  insertIncident,
  listActivities,
  listIncidents,
  type Populated,
  type ShownRow,
  updateIncident,
} from './store.ts'

export interface Whole {
  readonly incident: AnsweredRow
  readonly activities: readonly AssignedRow[]
  readonly files: readonly FileRow[]
  /** The files that each activity carries. */
  readonly carried: Files
  /** Everybody whom it shows by address. */
  readonly people: readonly NamedPerson[]
}

const NOT_RESOLVED = 'The analysis can be written once the incident is resolved.'

type Targeting = ShownRow & { aimed: string[] }
const INCIDENT: Columns<Targeting> = {
  title: 'title',
  fullText: 'full_text',
  severity: 'severity',
  isTabletop: 'is_tabletop',
  estimatedTimeToRecovery: 'estimated_time',
  estimatedTimeToRecoveryTimeUnit: 'estimated_time_unit',
  targetedUsers: 'aimed',
  breakoutRoomId: 'breakout_room_id',
}

/** The people whom incidents and what is in them show by address. External viewers learn the names of these only. */
function listShown(db: OrgDb, incidents: readonly AnsweredRow[], activities: readonly AssignedRow[]) {
  const emails = [
    ...incidents.flatMap((row) => [row.created_by, row.resolved_by ?? [], row.targeted_users ?? []].flat()),
    ...activities.flatMap((row) => [row.created_by, row.email ?? []].flat()),
  ]
  return listNamed(db, emails)
}

/**
 * An incident with its activities and files, and as many of its people as are asked for.
 * @throws Refusal 404 where the caller sees no such incident
 */
export async function findWhole(
  db: OrgDb,
  by: Acting,
  id: string,
  populated: Populated = FULLY_POPULATED,
): Promise<Whole> {
  const incident = await findAnswered(db, by, id, populated)
  if (!incident) throw notFound('This incident')
  const files = await listFiles(db, [id])
  const activities = await listActivities(db, [id])
  const people = await listShown(db, [incident], activities)
  return { incident, activities, files, carried: filesByActivity(files), people }
}

/** A page of incidents; with what is in them where `everything` is asked for. Too short a word is no search. */
export async function findPage(
  db: OrgDb,
  by: Acting,
  asked: {
    page: number
    size: number
    searchWord?: string | undefined
    isActive?: boolean | undefined
    everything: boolean
  },
) {
  const word = asked.searchWord?.trim() ?? ''
  const search = word.length >= SEARCH_MIN_LENGTH ? word : null
  const sought = { word: search, isActive: asked.isActive ?? null }
  const counted = search === null ? await countIncidents(db, sought) : undefined
  const populated = asked.everything ? FULLY_POPULATED : null
  const rows = await listIncidents(db, by, { ...asked, ...sought, populated })
  // A page behind the end of a search has no row that could carry the number.
  const total = counted ?? rows[0]?.total ?? (asked.page === 0 ? 0 : await countIncidents(db, sought))
  const ids = rows.map(({ id }) => id)
  const activities = asked.everything ? await listActivities(db, ids) : []
  const files = asked.everything ? await listFiles(db, ids) : []
  return {
    total,
    rows,
    activities: Map.groupBy(activities, (activity) => activity.incident_id),
    files: Map.groupBy(files, (file) => file.incident_id),
    carried: filesByActivity(files),
    people: await listShown(db, rows, activities),
  }
}

/**
 * When people were last active: these, or everybody. External people see whom an incident brings them together with.
 */
export async function lastActive(db: OrgDb, by: Acting, userIds?: readonly string[]) {
  const everybody = await activityTimestamps(db, userIds)
  if (by.type !== 'EXTERNAL') return everybody
  const fellows = await listFellows(db, by.id)
  return everybody.filter(({ userId }) => fellows.includes(userId))
}

function richText(field: string, html: string): string {
  const safe = sanitise(html)
  // Escaping makes text longer; what is stored must fit when it is sent back.
  if (safe.length > LONG_TEXT_MAX) throw wrongField(field, tooLong(LONG_TEXT_MAX))
  return safe
}
function textColumns(html: string) {
  const full_text = richText('fullText', html)
  const plain_text = plainText(full_text)
  if (plain_text === '') throw wrongField('fullText', DESCRIPTION_REQUIRED)
  return { full_text, plain_text, preview_text: previewOf(plain_text) }
}

/** Without `multiIncident` at most one of a kind is active (decisions §5). Of two at once, one waits and is refused. */
async function demandKind(db: OrgDb, by: Acting, isTabletop: boolean): Promise<void> {
  if (by.config.multiIncident) return
  await holdActiveKinds(db)
  const can = creatableKinds(await countActiveKinds(db), by.config.multiIncident)
  demand(isTabletop ? can.exercise : can.incident, 403, MULTIPLE_NOT_ENABLED)
}

/** Declares an incident or an exercise with its first tasks: all of it or nothing. */
export async function createIncident(
  db: OrgDb,
  by: Acting,
  given: NewIncident,
  populated?: Populated,
): Promise<Whole> {
  await demandKind(db, by, given.isTabletop)
  const aim = await aimAt(db, by, { emails: given.targetedUsers, groupIds: given.targetedGroupIds })
  const aimed = wordsOf(aim)
  const at = clock.timestamp()
  const row: IncidentRow = {
    id: crypto.randomUUID(),
    title: given.title,
    ...textColumns(given.fullText),
    severity: given.severity,
    is_tabletop: given.isTabletop,
    is_active: true,
    is_targeted: aimed.length > 0,
    estimated_time: given.estimatedTimeToRecovery ?? null,
    estimated_time_unit: given.estimatedTimeToRecoveryTimeUnit ?? null,
    created_by: by.name,
    create_timestamp: at,
    update_timestamp: at,
    resolved_by: null,
    resolve_timestamp: null,
    postmortem_details: null,
    // Made now, so that everything can refer to it; the chat makes the room.
    breakout_room_id: given.createBreakoutRoom ? crypto.randomUUID() : null,
    version: 1,
  }
  const { id } = row
  await insertIncident(db, row)
  const targeting = await retarget(db, id, { from: NO_AIM, to: aim, targeted: [] })
  const { externals } = targeting
  const changes = changesOf(null, { ...row, aimed }, INCIDENT)
  record(db, { noun: 'incidents', record: id, verb: 'created', changes, externals, at })
  await notifyNewcomers(db, by, row, targeting)
  const told = { id, title: row.title, isTabletop: row.is_tabletop, externals, at }
  const folder = given.attachmentsFolderIdForDuplication
  const copies = folder ? await copyFiles(db, by, folder, told) : NO_COPIES
  await addFirstActivities(db, by, told, given.activityCreateRequests, copies)
  return findWhole(db, by, id, populated)
}

const NO_COPIES: ReadonlyMap<string, string> = new Map()

/**
 * Changes what differs from what is. While an incident is active everything but the analysis can change; afterwards
 * nothing else can (operations §4).
 */
export async function changeIncident(
  db: OrgDb,
  by: Acting,
  id: string,
  given: IncidentChanges,
  populated?: Populated,
): Promise<Whole> {
  const before = await opened(db, by, id, 'change')
  if (given.version !== undefined && given.version !== before.version)
    throw await staleSince(db, 'incidents', id, { read: given.version, now: before.version })
  const from = aimOf(before)
  const to = await aimAt(
    db,
    by,
    {
      emails: given.targetedUsers ?? from.users.map(({ email }) => email),
      groupIds: given.targetedGroupIds ?? from.groups.map((group) => group.id),
    },
    from,
  )
  const was = { ...before, aimed: wordsOf(from) }
  const { text, after } = changedRow(was, given, wordsOf(to))
  const changed = changesOf(was, after, INCIDENT)
  const resolved = changesOf(was, after, { isActive: 'is_active' })
  const analysed = changesOf(was, after, { postmortemDetails: 'postmortem_details' })
  const state = stateOf(before)
  demand(!differs(changed) || incidentCan.edit(state), 409, RESOLVED)
  demand(!differs(resolved) || incidentCan.resolve(state), 409, RESOLVED)
  demand(!differs(analysed) || incidentCan.analyse(state), 409, NOT_RESOLVED)
  if (![changed, resolved, analysed].some(differs)) return findWhole(db, by, id, populated)

  if ('isTabletop' in changed && after.is_active) await demandKind(db, by, after.is_tabletop)
  const targeted = before.targets.map(({ user_id, type }) => ({ id: user_id, type }))
  // External people who are no longer targeted are notified of this change, too.
  const targeting = await retarget(db, id, { from, to, targeted })
  const { externals } = targeting
  const at = clock.timestamp()
  await updateIncident(db, id, {
    ...text,
    title: after.title,
    severity: after.severity,
    is_tabletop: after.is_tabletop,
    is_targeted: after.aimed.length > 0,
    estimated_time: after.estimated_time,
    estimated_time_unit: after.estimated_time_unit,
    postmortem_details: after.postmortem_details,
    ...(differs(resolved) ? { is_active: false, resolved_by: by.name, resolve_timestamp: at } : {}),
    update_timestamp: at,
  })
  const told = { changed, resolved, analysed }
  for (const [verb, changes] of Object.entries(told))
    if (differs(changes)) record(db, { noun: 'incidents', record: id, verb, changes, externals, at })
  await notifyNewcomers(db, by, after, targeting)
  return findWhole(db, by, id, populated)
}
const differs = (changes: Changes) => Object.keys(changes).length > 0

const aimOf = ({ targets, groups }: IncidentWithTargets): Aim => ({
  users: targets.filter(({ named }) => named).map(({ user_id, email }) => ({ id: user_id, email })),
  groups,
})

type Was = IncidentWithTargets & { aimed: string[] }
/** The row with what was given, where anything was. */
function changedRow(was: Was, given: IncidentChanges, aimed: string[]) {
  const text = given.fullText === undefined ? {} : textColumns(given.fullText)
  const keep = <T>(value: T | undefined, now: T): T => (value === undefined ? now : value)
  const after = {
    ...was,
    ...text,
    title: keep(given.title, was.title),
    severity: keep(given.severity, was.severity),
    is_tabletop: keep(given.isTabletop, was.is_tabletop),
    is_active: keep(given.isActive, was.is_active),
    estimated_time: keep(given.estimatedTimeToRecovery, was.estimated_time),
    estimated_time_unit: keep(given.estimatedTimeToRecoveryTimeUnit, was.estimated_time_unit),
    aimed,
    postmortem_details: keep(analysisOf(given.postmortemDetails), was.postmortem_details),
  }
  return { text, after }
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
  const isFirst = await insertCheckIn(db, { incident_id: id, user_id: by.id, timestamp: at })
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
