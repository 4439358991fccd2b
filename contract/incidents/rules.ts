import { firstCharacters } from '#contract/kit/cut.ts'

import type {
  Activity,
  Incident,
  Progress,
  RoleAssignment,
  Severity,
  TaskStatus,
  TimeUnit,
} from './schema.ts'

export const MINUTES_IN: { readonly [U in TimeUnit]: number } = { MINUTES: 1, HOURS: 60, DAYS: 1_440 }
/** Characters of the text in the feed (operations §3). */
export const PREVIEW_LENGTH = 200

type State = Pick<Incident, 'isActive'>

export const incidentCan = {
  /** A resolved incident cannot be edited (operations §4). */
  edit: (incident: State) => incident.isActive,
  resolve: (incident: State) => incident.isActive,
  checkIn: (incident: State) => incident.isActive,
  addActivity: (incident: State) => incident.isActive,
  /** The analysis can be added or edited only after resolution (operations §4). */
  analyse: (incident: State) => !incident.isActive,
}

/** The caller. An API key acts for the organisation and counts as an administrator of its incidents. */
export interface Me {
  readonly email: string
  readonly role: string
}

/** A resolved incident is reopened by an administrator, or by the person who declared or resolved it. */
export const canReopen = (incident: State & Pick<Incident, 'createdBy' | 'resolvedBy'>, me: Me): boolean =>
  !incident.isActive &&
  me.role !== 'BUSINESS_USER' &&
  (me.role === 'ADMIN' || [incident.createdBy, incident.resolvedBy].includes(me.email))

interface Owned {
  readonly createdBy: string
  readonly assignedTo?: { readonly email: string } | null
  readonly type?: string
}

export const activityCan = {
  /**
   * The creator, the assignee, anyone for an unassigned task, or an administrator, and only while the
   * incident is active (operations §6). Business users change nothing (decisions §6).
   */
  edit: (activity: Owned, me: Me, incident: State): boolean =>
    incident.isActive &&
    me.role !== 'BUSINESS_USER' &&
    (me.role === 'ADMIN' ||
      activity.createdBy === me.email ||
      (activity.type === 'TASK' && (!activity.assignedTo || activity.assignedTo.email === me.email))),
  /** The creator or an administrator, while the incident is active (operations §6). */
  remove: (activity: Owned, me: Me, incident: State): boolean =>
    incident.isActive &&
    me.role !== 'BUSINESS_USER' &&
    (me.role === 'ADMIN' || activity.createdBy === me.email),
}

/** A person must check in once, if the incident is untargeted or targets the person (operations §4). */
export const mustCheckIn = (
  incident: { isActive: boolean; isTargeted: boolean },
  me: { checkedIn: boolean; targeted: boolean },
): boolean => incident.isActive && !me.checkedIn && (!incident.isTargeted || me.targeted)

interface TaskState {
  readonly status: TaskStatus
  readonly progress: Progress
}

/**
 * Applies a new status: To Do sets progress to 0, In Progress to 25 if it was 0 or 100, Complete to 100
 * (operations §4).
 */
export function withStatus(task: TaskState, status: TaskStatus): TaskState {
  if (status === 'TO_DO') return { status, progress: 0 }
  if (status === 'COMPLETE') return { status, progress: 100 }
  return { status, progress: task.progress === 0 || task.progress === 100 ? 25 : task.progress }
}

/** Applies a new progress: 0 is To Do, 100 is Complete, anything else In Progress (operations §4). */
export function withProgress(progress: Progress): TaskState {
  return { progress, status: progress === 0 ? 'TO_DO' : progress === 100 ? 'COMPLETE' : 'IN_PROGRESS' }
}

/** Applies a change of either or both. Progress decides, because it is the more precise of the two. */
export function withTaskState(task: TaskState, change: Partial<TaskState>): TaskState {
  if (change.progress !== undefined && change.progress !== task.progress) return withProgress(change.progress)
  if (change.status !== undefined && change.status !== task.status) return withStatus(task, change.status)
  return { status: task.status, progress: task.progress }
}

/** True for a task below 100 per cent (operations §4), unless it was skipped. */
export const isIncomplete = (activity: Pick<Activity, 'type' | 'progress' | 'isSkipped'>): boolean =>
  activity.type === 'TASK' && activity.progress < 100 && !activity.isSkipped
/** True for a task that is not complete by its due time. `now` in milliseconds. */
export const isTaskOverdue = (
  task: Pick<Activity, 'type' | 'progress' | 'isSkipped' | 'dueTimestamp'>,
  now: number,
): boolean => isIncomplete(task) && task.dueTimestamp !== null && now > Date.parse(task.dueTimestamp)

/** Due time of a task that is taken from a playbook at `at`; null without an expected time. */
export const dueTimeOf = (at: string, minutes: number | null | undefined): string | null =>
  minutes == null ? null : new Date(Date.parse(at) + minutes * 60_000).toISOString()

/** A title or role as it is compared. */
export const roleKey = (title: string): string => title.trim().toLowerCase()
/** Tasks with the people of their ideal titles. A task that has an assignee keeps it. */
export function withRoles<
  Task extends { idealTitleToExecute?: string | null | undefined; assignedTo?: string | null | undefined },
>(tasks: readonly Task[], roles: readonly RoleAssignment[]): Task[] {
  const people = new Map(roles.map(({ title, assignedTo }) => [roleKey(title), assignedTo]))
  return tasks.map((task) => {
    const person = people.get(roleKey(task.idealTitleToExecute ?? ''))
    return person === undefined || task.assignedTo ? task : { ...task, assignedTo: person }
  })
}

/** The estimate in minutes, or null without one. */
export const recoveryMinutes = (
  time: number | null | undefined,
  unit: TimeUnit | null | undefined,
): number | null => (time == null || unit == null ? null : time * MINUTES_IN[unit])

interface Timed {
  readonly isActive: boolean
  readonly createTimestamp: string
  readonly estimatedTimeToRecoveryInMinutes: number | null
}
/** End of the estimated recovery time, in milliseconds of the epoch; null without an estimate. */
export const dueAt = (incident: Timed): number | null =>
  incident.estimatedTimeToRecoveryInMinutes === null
    ? null
    : Date.parse(incident.createTimestamp) + incident.estimatedTimeToRecoveryInMinutes * 60_000
/** True for an active incident past its estimate (operations §4). `now` in milliseconds. */
export const isOverdue = (incident: Timed, now: number): boolean => {
  const due = dueAt(incident)
  return incident.isActive && due !== null && now > due
}

/**
 * The kinds that may be created now. Without `multiIncident`, at most one incident and one exercise are
 * active (decisions §5).
 */
export function creatableKinds(
  active: { incidents: number; exercises: number },
  multiIncident: boolean,
): { incident: boolean; exercise: boolean } {
  return {
    incident: multiIncident || active.incidents === 0,
    exercise: multiIncident || active.exercises === 0,
  }
}

export const SEVERITY_ORDER: { readonly [S in Severity]: number } = {
  LOW: 0,
  MEDIUM: 1,
  HIGH: 2,
  CRITICAL: 3,
}

export const SEVERITY_WORDS: { readonly [S in Severity]: string } = {
  LOW: 'Low',
  MEDIUM: 'Medium',
  HIGH: 'High',
  CRITICAL: 'Critical',
}

/** The first characters of the text without markup (operations §3). */
export const previewOf = (plainText: string): string =>
  firstCharacters(plainText.replace(/\s+/g, ' ').trim(), PREVIEW_LENGTH).join('')

const WORD_MAX = 30
/** Removes a partial last word, unless it is longer than real words are. */
function atWord(text: string): string {
  const space = text.lastIndexOf(' ')
  return space >= 0 && text.length - space <= WORD_MAX + 1 ? text.slice(0, space) : text
}
/** The preview as shown: a truncated one ends with a whole word and an ellipsis. */
export const previewLabel = (preview: string): string =>
  firstCharacters(preview, PREVIEW_LENGTH).length < PREVIEW_LENGTH ? preview : `${atWord(preview)}…`

/** The series of an incident's number. */
export const seriesOf = (isTabletop: boolean): 'EXE' | 'INC' => (isTabletop ? 'EXE' : 'INC')
/** A number such as INC-2026-014. */
export const incidentNumber = (series: 'EXE' | 'INC', year: number, count: number): string =>
  `${series}-${year}-${String(count).padStart(3, '0')}`
/** The year of a time in a zone; in UTC for an empty one. */
export const yearIn = (timeZone: string, at: string): number =>
  Number(
    new Intl.DateTimeFormat('en-US', {
      timeZone: timeZone || 'UTC',
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
    }).format(new Date(at)),
  )
