import { createHash } from 'node:crypto'

import type { incidentsApi } from '#contract/incidents/api.ts'
import { activityCan, mustCheckIn, recoveryMinutes } from '#contract/incidents/rules.ts'
import type {
  Activity,
  ChildActivity,
  HistoryEntry,
  Incident,
  IncidentSummary,
  ListedIncident,
} from '#contract/incidents/schema.ts'
import { pick } from '#contract/kit/pick.ts'
import type { Input } from '#contract/kit/endpoint.ts'
import type { Files } from '#server/attachments/flows.ts'
import type { FileRow } from '#server/attachments/store.ts'
import type { Caller, Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { helpCalls } from './answers.flows.ts'
import { meOf, stateOf } from './access.flows.ts'
import {
  activityHistory,
  addActivity,
  assignTasks,
  type Branch,
  changeActivity,
  ownedOf,
  removeActivity,
} from './activities.flows.ts'
import { mergeIncident, reopenIncident } from './correct.flows.ts'
import {
  changeIncident,
  checkIn,
  declareIncident,
  findPage,
  findWhole,
  lastActive,
  type Whole,
} from './flows.ts'
import type { AnsweredRow, Populated, TargetGroupRow } from './reading.store.ts'
import type { AssignedRow } from './activities.store.ts'
import type { Happening } from './history.store.ts'
import { type ShownRow, SUMMARY_FIELDS } from './store.ts'
import { listTasks } from './tasks.store.ts'
import { teamStatus } from './team.flows.ts'

export const incidentsRoutes = (services: Services): Handlers<typeof incidentsApi> => ({
  list: async ({ query }, { db, caller }) => {
    const { populateActivitiesAndCheckInsAndTargetedUsers: everything, ...asked } = query
    const { page, size } = asked
    const { total, isMinimum, rows, activities, files, carried, people } = await findPage(db, caller, {
      ...asked,
      everything,
    })
    const data = rows.map((row) => {
      const below = { activities: activities.get(row.id) ?? [], files: files.get(row.id) ?? [], carried }
      return listed(row, below, caller)
    })
    return { data, page, size, total, ...(isMinimum && { isTotalMinimum: true }), people: [...people] }
  },
  myTasks: async ({ query }, { db, caller }) => {
    const mayEdit = caller.permissions.includes('incidents-full-access') && caller.role !== 'BUSINESS_USER'
    const { page, size } = query
    return { ...(await listTasks(db, caller, { ...query, mayEdit })), page, size }
  },
  get: async ({ params, query }, { db, caller }) =>
    incident(await findWhole(db, caller, params.id, populatedOf(query)), caller),
  teamStatus: ({ params, query }, { db, caller }) => teamStatus(db, caller, params.id, query),
  help: ({ params, query }, { db }) => helpCalls(db, params.id, query),
  create: async ({ body, query }, { db, caller }) =>
    incident(await declareIncident(services, db, caller, body, populatedOf(query)), caller),
  createWithActivities: async ({ body, query }, { db, caller }) =>
    incident(await declareIncident(services, db, caller, body, populatedOf(query)), caller),
  update: async ({ params, body, query }, { db, caller }) =>
    incident(await changeIncident(services, db, caller, params.id, body, populatedOf(query)), caller),
  replace: async ({ body, query }, { db, caller }) =>
    incident(await changeIncident(services, db, caller, body.id, body, populatedOf(query)), caller),
  reopen: async ({ params, body, query }, { db, caller }) =>
    incident(await reopenIncident(services, db, caller, params.id, body, populatedOf(query)), caller),
  merge: async ({ params, body, query }, { db, caller }) =>
    incident(await mergeIncident(services, db, caller, params.id, body, populatedOf(query)), caller),
  checkIn: ({ params }, { db, caller }) => checkIn(db, caller, params.id),
  addActivity: async ({ params, body }, { db, caller }) =>
    branch(await addActivity(db, caller, params.id, body), caller),
  updateActivity: async ({ params, body }, { db, caller }) =>
    branch(await changeActivity(db, caller, params.id, body), caller),
  assign: async ({ params, body }, { db, caller }) => {
    const branches = await assignTasks(db, caller, params.id, body)
    return branches.map((one) => task(one, caller))
  },
  removeActivity: async ({ params }, { db, caller }) => {
    await removeActivity(services, db, caller, params.id)
  },
  history: async ({ params }, { db, caller }) => history(await activityHistory(db, caller, params.id)),
  activityTimestamps: (_, { db, caller }) => lastActive(db, caller),
})

const populatedOf = (query: Input<typeof incidentsApi.get>['query']): Populated => ({
  checkIns: query.populateCheckIns,
  targetedUsers: query.populateTargetedUsers,
  groupMembers: query.populateGroupMembers,
})

function summary(row: AnsweredRow, caller: Caller): IncidentSummary {
  const { id, isTabletop, estimatedTimeToRecovery: time, estimatedTimeToRecoveryTimeUnit: unit } = row
  return {
    ...pick(row, SUMMARY_FIELDS),
    type: isTabletop ? 'exercise' : 'incident',
    estimatedTimeToRecoveryInMinutes: recoveryMinutes(time, unit),
    hasIncompleteTasks: row.tasksCount > row.completeTasksCount,
    shouldCurrentUserCheckIn: caller.kind === 'person' && mustCheckIn(row, row),
    attachmentsFolderId: id,
    // Row-level security hides the kind from external people, and so is its id.
    kindId: row.kind?.id ?? null,
  }
}

const texts = (row: ShownRow) => pick(row, ['fullText', 'postmortemDetails'])
/** Path parameters below an incident. */
interface Below {
  readonly activities: readonly AssignedRow[]
  readonly files: readonly FileRow[]
  readonly carried: Files
}
const populated = (
  row: AnsweredRow,
  groups: readonly TargetGroupRow[],
  { activities, files, carried }: Below,
  caller: Caller,
) => ({
  activities: tasksAndUpdates(row, activities, carried, caller),
  attachments: files.map(({ id, name, extension }) => ({ id, name, extension })),
  ...(row.checkIns && {
    checkIns: row.checkIns.map(({ userId, timestamp }) => ({ userId: userId, timestamp })),
  }),
  ...(row.targetedUsers && { targetedUsers: row.targetedUsers }),
  targetedGroups: [...groups],
})

function listed(row: AnsweredRow, below: Below, caller: Caller): ListedIncident {
  const everything = row.groups && populated(row, row.groups, below, caller)
  return { ...summary(row, caller), ...texts(row), ...everything }
}

function incident({ incident: row, people, ...below }: Whole, caller: Caller): Incident {
  const parts = populated(row, row.groups ?? [], below, caller)
  const links = pick(row, ['breakoutRoomAccess', 'mergedInto', 'duplicates'])
  return { ...summary(row, caller), ...texts(row), ...parts, ...links, people: [...people] }
}

type State = Pick<ShownRow, 'isActive'>
function tasksAndUpdates(
  state: State,
  rows: readonly AssignedRow[],
  files: Files,
  caller: Caller,
): Activity[] {
  const below = Map.groupBy(rows, (row) => row.parentActivityId)
  return (below.get(null) ?? []).map((row) => activity(state, row, below.get(row.id) ?? [], files, caller))
}

const common = (state: State, row: AssignedRow, files: Files, caller: Caller) => {
  const owned = ownedOf(row)
  // The viewer may have lost write access since writing the entry.
  const writes = caller.permissions.includes('incidents-full-access')
  return {
    id: row.id,
    incidentId: row.incidentId,
    description: row.description,
    createdBy: row.createdBy,
    createTimestamp: row.createTimestamp,
    updateTimestamp: row.updateTimestamp,
    attachedFileIds: (files.get(row.id) ?? []).map(({ id }) => id),
    canEdit: writes && activityCan.edit(owned, meOf(caller), stateOf(state)),
    canDelete: writes && activityCan.remove(owned, meOf(caller), stateOf(state)),
    version: row.version,
  }
}

function activity(
  state: State,
  row: AssignedRow,
  below: readonly AssignedRow[],
  files: Files,
  caller: Caller,
): Activity {
  const { assignedTo: uuid, firstName, lastName, email, active } = row
  const known = uuid !== null && email !== null
  return {
    ...common(state, row, files, caller),
    parentActivityId: null,
    type: row.type,
    title: row.title,
    formattedDescription: row.formattedDescription,
    status: row.status,
    priority: row.priority,
    progress: row.progress,
    assignedTo: known
      ? { uuid, firstName: firstName ?? '', lastName: lastName ?? '', email, active: active ?? false }
      : null,
    idealTitleToExecute: row.idealTitleToExecute,
    expectedTimeToComplete: row.expectedTimeToComplete,
    section: row.section,
    sectionDescription: row.sectionDescription,
    formattedSectionDescription: row.formattedSectionDescription,
    dueTimestamp: row.dueTimestamp,
    conditionId: row.conditionId,
    isSkipped: row.isSkipped && row.progress < 100,
    message: row.messageId === null || !row.roomId ? null : { id: row.messageId, roomId: row.roomId },
    childActivities: below.map((child) => childActivity(state, child, row.id, files, caller)),
  }
}

const childActivity = (
  state: State,
  row: AssignedRow,
  parent: string,
  files: Files,
  caller: Caller,
): ChildActivity => ({
  ...common(state, row, files, caller),
  parentActivityId: parent,
})

function branch({ incident: state, tree, files }: Branch, caller: Caller): Activity | ChildActivity {
  const [row, ...below] = tree
  return row.parentActivityId === null
    ? activity(state, row, below, files, caller)
    : childActivity(state, row, row.parentActivityId, files, caller)
}

const task = ({ incident: state, tree: [row, ...below], files }: Branch, caller: Caller): Activity =>
  activity(state, row, below, files, caller)

const FIELD_TYPES: { readonly [field: string]: HistoryEntry['fieldType'] } = {
  priority: 'ActivityPriority',
  status: 'ActivityStatus',
  progress: 'Integer',
  expectedTimeToComplete: 'Long',
}
/** A deterministic id, so that an entry keeps it across requests. */
function entryId(eventId: string, field: string): string {
  const digest = createHash('sha256').update(`${eventId} ${field}`).digest('hex')
  return digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
}
const shownValue = (value: unknown): string | null =>
  value === null || typeof value === 'string' ? value : JSON.stringify(value)

/** One entry for each field that changed or was deleted, newest first. */
function history(happened: readonly Happening[]): HistoryEntry[] {
  return happened.toReversed().flatMap(({ id, record, verb, changes, actor, at }) =>
    verb === 'added'
      ? []
      : Object.entries(changes).map(([field, { from, to }]) => ({
          id: entryId(id, field),
          activityId: record,
          fieldName: field,
          fieldType: FIELD_TYPES[field] ?? 'String',
          oldValue: shownValue(from),
          newValue: shownValue(to),
          createdBy: actor.name,
          createTimestamp: at,
          isDelete: verb === 'removed',
        })),
  )
}
