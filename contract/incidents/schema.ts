import * as z from 'zod/mini'

import { AttachmentName, FILES_PER_ACTIVITY } from '#contract/attachments/schema.ts'
import { NamedPerson } from '#contract/users/schema.ts'
import {
  email,
  id,
  isBlank,
  listOf,
  LONG_TEXT_MAX,
  MEDIUM_TEXT_MAX,
  requiredText,
  SHORT_TEXT_MAX,
  text,
  timestamp,
  trimmedText,
} from '#contract/kit/text.ts'

export const SEVERITIES = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const
export const Severity = z.enum(SEVERITIES)
export type Severity = z.infer<typeof Severity>
export const TIME_UNITS = ['MINUTES', 'HOURS', 'DAYS'] as const
export const TimeUnit = z.enum(TIME_UNITS)
export type TimeUnit = z.infer<typeof TimeUnit>

/** The fate of tasks that are open when an incident is resolved. */
export const OPEN_TASKS = ['LEFT_OPEN', 'NOT_NEEDED'] as const
export const OpenTasks = z.enum(OPEN_TASKS)
export type OpenTasks = z.infer<typeof OpenTasks>

/** The end of an incident that was not handled as one: nothing had happened, or another incident goes on with it. */
export const Outcome = z.enum(['FALSE_ALARM', 'MERGED'])
export type Outcome = z.infer<typeof Outcome>
/** Characters of the reason of a correction. */
export const REASON_MAX = 500
export const REASON_REQUIRED = 'Please enter a reason.'
export const INTO_ITSELF = 'An incident cannot be merged into itself.'
export const INTO_RESOLVED = 'That incident is resolved. Choose one that is in progress, or reopen it first.'
export const INTO_OTHER_KIND = 'An incident and an exercise cannot be merged.'
export const NO_SUCH_INCIDENT = 'There is no such incident.'

/** Characters of a value of an organisation's own field. */
export const FIELD_TEXT_MAX = 500
/** A value of an organisation's own field: a number, or a text for every other type (decision 121). */
export const FieldValue = z.union([z.number(), text(FIELD_TEXT_MAX)])
export type FieldValue = z.infer<typeof FieldValue>
/** Fields by which one list is narrowed. */
const FIELD_FILTERS_MAX = 20
/** Values by which a list is narrowed, by the id of their field. */
export const FieldFilter = z
  .record(id, text(FIELD_TEXT_MAX))
  .check(z.refine((values) => Object.keys(values).length <= FIELD_FILTERS_MAX))
/** More fields than an organisation keeps. */
const FIELD_VALUES_MAX = 100
/** Values by the id of their field; null takes one away. */
const fieldValues = z
  .record(id, z.nullable(FieldValue))
  .check(
    z.refine(
      (values) => Object.keys(values).length <= FIELD_VALUES_MAX,
      `At most ${FIELD_VALUES_MAX} fields have a value.`,
    ),
  )

/** Labels of an incident. */
export const LABELS_MAX = 10
/** Characters of a label. */
export const LABEL_MAX = 30
export const LABEL_REQUIRED = 'Please enter a label.'
export const TOO_MANY_LABELS = `An incident has at most ${LABELS_MAX} labels.`
const labels = listOf(requiredText(LABEL_REQUIRED, LABEL_MAX), LABELS_MAX, { tooMany: TOO_MANY_LABELS })
/** Labels by which one list is narrowed. */
export const LabelFilter = z.array(text(LABEL_MAX)).check(z.maxLength(LABELS_MAX))

export const ActivityType = z.enum(['TASK', 'UPDATE'])
export type ActivityType = z.infer<typeof ActivityType>
export const TASK_STATUSES = ['TO_DO', 'IN_PROGRESS', 'COMPLETE'] as const
export const TaskStatus = z.enum(TASK_STATUSES)
export type TaskStatus = z.infer<typeof TaskStatus>
export const PRIORITIES = ['LOW', 'MEDIUM', 'HIGH'] as const
export const Priority = z.enum(PRIORITIES)
export type Priority = z.infer<typeof Priority>
export const PROGRESS_STEPS = [0, 25, 50, 75, 100] as const
export const Progress = z.literal(PROGRESS_STEPS)
export type Progress = z.infer<typeof Progress>

export const TITLE_REQUIRED = 'A title is required.'
export const DESCRIPTION_REQUIRED = 'Description is a required field.'
export const ROLE_TITLE_REQUIRED = 'Please enter a title or role.'
export const TASK_TITLE_REQUIRED = 'Title is a required field.'
export const UPDATE_DESCRIPTION_REQUIRED = 'Update description is required.'
export const MULTIPLE_NOT_ENABLED = 'Error: multiple incidents are not enabled.'
export const tooManyActivities = (max: number) =>
  `The number of tasks/updates has reached the maximum of ${max}.`

/** Incidents per page of the feed (decisions §3). */
export const FEED_PAGE_SIZE = 20
export const SEARCH_MIN_LENGTH = 3
/** A year in minutes. A longer recovery time means that the wrong unit was chosen. */
export const RECOVERY_TIME_MAX = 525_600

/** True when rich text has content besides its markup. Linear: a tag ends at the next bracket of either kind. */
export const saysSomething = (html: string): boolean => !isBlank(html.replace(/<[^<>]*>|&nbsp;/g, ''))

const fullText = requiredText(DESCRIPTION_REQUIRED, LONG_TEXT_MAX).check(
  z.refine(saysSomething, DESCRIPTION_REQUIRED),
)
/** More titles and roles than any playbook has. */
const ROLES_MAX = 500
/** More people than any organisation has; a longer list is a mistake. */
const LIST_MAX = 10_000
const targetedUsers = listOf(email, LIST_MAX)
const targetedGroupIds = listOf(id, LIST_MAX)

/** A group targeted by an incident, with the members' emails if requested (operations §3). */
export const TargetedGroup = z.object({ id, name: z.string(), userIds: z.optional(z.array(z.string())) })
export type TargetedGroup = z.infer<typeof TargetedGroup>
const recoveryTime = z.int().check(z.minimum(1), z.maximum(RECOVERY_TIME_MAX))

export const Person = z.object({
  uuid: id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  active: z.boolean(),
})
export type Person = z.infer<typeof Person>

const activityFields = {
  id,
  incidentId: id,
  description: z.string(),
  /** Email of the author. */
  createdBy: z.string(),
  createTimestamp: timestamp,
  updateTimestamp: timestamp,
  /** Attached files, named in the incident's `attachments`. */
  attachedFileIds: z.array(id),
  canEdit: z.boolean(),
  canDelete: z.boolean(),
  version: z.int(),
}
/** An update below a task. */
export const ChildActivity = z.object({ ...activityFields, parentActivityId: id })
export type ChildActivity = z.infer<typeof ChildActivity>

/** A task or an update of an incident (operations §3). Texts are plain, except for the formatted ones of tasks. */
export const Activity = z.object({
  ...activityFields,
  parentActivityId: z.null(),
  type: ActivityType,
  title: z.string(),
  /** The description of a task as sanitised HTML; null for plain text, and for an update. */
  formattedDescription: z.nullable(z.string()),
  status: TaskStatus,
  priority: Priority,
  progress: Progress,
  assignedTo: z.nullable(Person),
  /** Title or role of the person who would ideally do the task. */
  idealTitleToExecute: z.nullable(z.string()),
  /** Whole minutes. */
  expectedTimeToComplete: z.nullable(z.int()),
  /** Time by which the task should be complete. A task of a playbook gets it from its expected time. */
  dueTimestamp: z.nullable(timestamp),
  /** The condition of its heading in the playbook, among the conditions of the incident's playbooks. */
  conditionId: z.nullable(id),
  /** True for an incomplete task that does not apply. It does not count as open. */
  isSkipped: z.boolean(),
  /** Heading in the original playbook, under which the task is shown. */
  section: z.nullable(z.string()),
  /** Text of that heading. */
  sectionDescription: z.nullable(z.string()),
  /** The same as sanitised HTML; null for plain text. */
  formattedSectionDescription: z.nullable(z.string()),
  childActivities: z.array(ChildActivity),
  /** The original chat message, visible to members of its room. */
  message: z.nullable(z.object({ id, roomId: id })),
})
export type Activity = z.infer<typeof Activity>

export const CheckIn = z.object({ userId: id, timestamp })
export type CheckIn = z.infer<typeof CheckIn>

/** The answer of a person to a question of a notification about the incident: one that calls for help, or the newest. */
export const TeamAnswer = z.object({
  label: z.string(),
  note: z.string(),
  needsHelp: z.boolean(),
  timestamp,
})
export type TeamAnswer = z.infer<typeof TeamAnswer>

/** A person whose answer calls for help. Contacts have no account. */
export const HelpCall = z.object({
  notificationId: id,
  /** Number of the person within the notification. */
  person: z.int(),
  userId: z.nullable(id),
  name: z.string(),
  label: z.string(),
  note: z.string(),
  timestamp,
})
export type HelpCall = z.infer<typeof HelpCall>
/** A page of the people who call for help, the longest waiting first. */
export const HelpCalls = z.object({ data: z.array(HelpCall), total: z.int() })
export type HelpCalls = z.infer<typeof HelpCalls>

/** A person in the team status of an incident, who is expected to check in or has checked in (operations §2, §3). */
export const TeamMember = z.object({
  id,
  firstName: z.string(),
  lastName: z.string(),
  profileImageUrl: z.nullable(z.string()),
  lastActiveTimestamp: z.nullable(timestamp),
  checkInTimestamp: z.nullable(timestamp),
  /** Null for a person without an answer. */
  answer: z.nullable(TeamAnswer),
})
export type TeamMember = z.infer<typeof TeamMember>
/** Rows per page of the team status. */
export const TEAM_PAGE_MAX = 100

/** A page of the team status: the latest check-ins first, then pending people by name. */
export const TeamStatus = z.object({
  data: z.array(TeamMember),
  /** Everybody who is expected to check in or has checked in. */
  total: z.int(),
  checkedInCount: z.int(),
  waitingCount: z.int(),
  /** People whose answer calls for help, with those who are not among `data`. */
  helpCount: z.int(),
})
export type TeamStatus = z.infer<typeof TeamStatus>

/** An incident on a card of the feed. */
export const IncidentSummary = z.object({
  id,
  /** Such as INC-2026-014, or EXE-2026-003 for an exercise: counted in the year of the declaration. */
  number: z.string(),
  title: z.string(),
  previewText: z.string(),
  createTimestamp: timestamp,
  createdBy: z.string(),
  isActive: z.boolean(),
  severity: Severity,
  isTabletop: z.boolean(),
  type: z.enum(['incident', 'exercise']),
  estimatedTimeToRecovery: z.nullable(z.int()),
  estimatedTimeToRecoveryTimeUnit: z.nullable(TimeUnit),
  estimatedTimeToRecoveryInMinutes: z.nullable(z.int()),
  isTargeted: z.boolean(),
  resolvedBy: z.nullable(z.string()),
  resolveTimestamp: z.nullable(timestamp),
  /** The fate of the open tasks of a resolved incident; null where it was not said. */
  openTasks: z.nullable(OpenTasks),
  openTasksReason: z.nullable(z.string()),
  /** Null for an incident that goes on, or was resolved as a real one. */
  outcome: z.nullable(Outcome),
  outcomeReason: z.nullable(z.string()),
  /** The incident that this one was merged into. */
  mergedIntoId: z.nullable(id),
  hasIncompleteTasks: z.boolean(),
  shouldCurrentUserCheckIn: z.boolean(),
  tasksCount: z.int(),
  completeTasksCount: z.int(),
  updatesCount: z.int(),
  checkInsCount: z.int(),
  /** Id of the incident's set of files, from which another incident can copy (decisions §5). */
  attachmentsFolderId: id,
  /** Id of the incident's chat room; null for none. */
  breakoutRoomId: z.nullable(id),
  /** Id of its kind among those of the organisation; null for none, and for external people. */
  kindId: z.nullable(id),
  /** Name and icon of its kind. */
  kind: z.nullable(z.object({ id, name: z.string(), icon: z.string() })),
  /** Values of the organisation's own fields by their id; none for external people. */
  fieldValues: z.record(id, FieldValue),
  /** In the order in which they were given; none for external people. */
  labels: z.array(z.string()),
  version: z.int(),
})
export type IncidentSummary = z.infer<typeof IncidentSummary>

const populated = {
  activities: z.array(Activity),
  checkIns: z.array(CheckIn),
  /** Emails of the individually targeted people. */
  targetedUsers: z.array(z.string()),
  targetedGroups: z.array(TargetedGroup),
  /** Files of the incident, its tasks and updates. */
  attachments: z.array(AttachmentName),
}
/** An incident in the list, with its activities, check-ins and targets if requested. */
export const ListedIncident = z.extend(IncidentSummary, {
  fullText: z.string(),
  postmortemDetails: z.nullable(z.string()),
  activities: z.optional(populated.activities),
  checkIns: z.optional(populated.checkIns),
  targetedUsers: z.optional(populated.targetedUsers),
  targetedGroups: z.optional(populated.targetedGroups),
  attachments: z.optional(populated.attachments),
})
export type ListedIncident = z.infer<typeof ListedIncident>

/**
 * The caller's access to the breakout room of an incident: `MEMBER` reads it; `OPEN` becomes a member at the first
 * visit, because the incident expects everybody to check in; `NONE` stands for no room or one closed to the caller.
 */
export const RoomAccess = z.enum(['MEMBER', 'OPEN', 'NONE'])
export type RoomAccess = z.infer<typeof RoomAccess>

/** An incident that another one is linked to. */
export const LinkedIncident = z.object({ id, number: z.string(), title: z.string() })
export type LinkedIncident = z.infer<typeof LinkedIncident>
/** Duplicates that an incident names; later ones are left out. */
export const DUPLICATES_MAX = 20

/** A whole incident, except the parts left out by the query. `fullText` and `postmortemDetails` are sanitised HTML. */
export const Incident = z.extend(IncidentSummary, {
  fullText: z.string(),
  postmortemDetails: z.nullable(z.string()),
  ...populated,
  checkIns: z.optional(populated.checkIns),
  targetedUsers: z.optional(populated.targetedUsers),
  breakoutRoomAccess: RoomAccess,
  /** Null also where the viewer does not see it. */
  mergedInto: z.nullable(LinkedIncident),
  /** Incidents that were merged into this one, oldest first. */
  duplicates: z.array(LinkedIncident),
  people: z.array(NamedPerson),
})
export type Incident = z.infer<typeof Incident>

/** An incident for editing, including the individually targeted people. */
export type TargetingIncident = Incident & Required<Pick<Incident, 'targetedUsers'>>
/** An incident with all parts, as returned by a query that leaves none out. */
export type PopulatedIncident = TargetingIncident & {
  readonly checkIns: CheckIn[]
  readonly targetedGroups: Required<TargetedGroup>[]
}

/** Characters of a section: a heading with those that it stands below. */
export const SECTION_MAX = 1_000
/** Ids of files of the same incident. Files added to the task or update itself stay when they are left out. */
const attachedFileIds = z.optional(listOf(id, FILES_PER_ACTIVITY))
const taskFields = {
  status: z.optional(TaskStatus),
  priority: z.optional(Priority),
  progress: z.optional(Progress),
  /** Email of an active user; null for nobody. */
  assignedTo: z.optional(z.nullable(email)),
  idealTitleToExecute: z.optional(z.nullable(text(SHORT_TEXT_MAX))),
  expectedTimeToComplete: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(RECOVERY_TIME_MAX)))),
  section: z.optional(z.nullable(trimmedText(SECTION_MAX))),
  dueTimestamp: z.optional(z.nullable(timestamp)),
}
/** Fields of tasks only. */
export const TASK_FIELDS = z.keyof(z.object(taskFields)).options

/** The missing fields with their messages: a task needs a title and a description, an update a description. */
export function missingIn(
  type: ActivityType,
  { title, description }: { title: string; description: string },
): { [field in 'title' | 'description']?: string } {
  const isTask = type === 'TASK'
  return {
    ...(isTask && isBlank(title) ? { title: TASK_TITLE_REQUIRED } : {}),
    ...(isBlank(description)
      ? { description: isTask ? DESCRIPTION_REQUIRED : UPDATE_DESCRIPTION_REQUIRED }
      : {}),
  }
}

const formatted = z.optional(z.nullable(text(LONG_TEXT_MAX)))
/** A new task or update. All requirements of a type are checked together, so that each field shows its message. */
export const NewActivity = z
  .object({
    attachedFileIds,
    ...taskFields,
    /** Text of the heading that `section` names; belongs to the section, so that it does not change with the task. */
    sectionDescription: z.optional(z.nullable(text(LONG_TEXT_MAX))),
    formattedSectionDescription: formatted,
    /** Rich text of a task as HTML, from which the description is derived. */
    formattedDescription: formatted,
    type: z._default(ActivityType, 'TASK'),
    title: z._default(text(SHORT_TEXT_MAX), ''),
    description: z._default(text(LONG_TEXT_MAX), ''),
    /** Id of a task; makes the activity an update below it. */
    parentActivityId: z.optional(z.nullable(id)),
    /** The task of the playbook that an incident begins with, which this one was copied from. */
    playbookItemId: z.optional(z.nullable(id)),
  })
  .check((context) => {
    const {
      type: sent,
      parentActivityId,
      title,
      description: words,
      formattedDescription: html,
    } = context.value
    const type = parentActivityId ? 'UPDATE' : sent
    const description = type === 'TASK' && html && saysSomething(html) ? html : words
    const missing = missingIn(type, { title, description })
    for (const [path, message] of Object.entries(missing))
      context.issues.push({ code: 'custom', path: [path], message, input: context.value })
  })
export type NewActivity = z.infer<typeof NewActivity>

/**
 * Any subset of an activity's fields. A stale version and the id of another incident are refused. Updates
 * change only title, description and files; other fields are ignored.
 */
export const ActivityChanges = z.object({
  attachedFileIds,
  ...taskFields,
  incidentId: z.optional(id),
  title: z.optional(text(SHORT_TEXT_MAX)),
  description: z.optional(text(LONG_TEXT_MAX)),
  /**
   * Rich text of a task as HTML, from which the description is derived. Null makes the description plain; so does a
   * changed description alone.
   */
  formattedDescription: formatted,
  version: z.optional(z.int()),
})
export type ActivityChanges = z.infer<typeof ActivityChanges>

/** The acts that a playbook does by itself when an incident is declared with it. */
export const START_ACTS = ['ROOM', 'PEOPLE', 'MESSAGE', 'NOTIFICATION'] as const
export const StartAct = z.enum(START_ACTS)
export type StartAct = z.infer<typeof StartAct>

/** The answer to “Only if …” of a heading. `OPEN` leaves it for later. */
export const CONDITION_ANSWERS = ['OPEN', 'APPLIES', 'SKIPPED'] as const
export const ConditionAnswer = z.enum(CONDITION_ANSWERS)
export type ConditionAnswer = z.infer<typeof ConditionAnswer>
/** The answers to the conditions of a playbook, by their heading. Conditions without an answer stay open. */
export const conditionAnswers = z.optional(
  listOf(
    z.object({
      itemId: id,
      answer: ConditionAnswer,
      reason: z._default(z.nullable(trimmedText(MEDIUM_TEXT_MAX)), null),
    }),
    LIST_MAX,
  ),
)
/** The people for the ideal titles of a playbook's tasks; tasks of that title without an assignee become theirs. */
export const roles = z.optional(
  listOf(z.object({ title: requiredText(ROLE_TITLE_REQUIRED), assignedTo: email }), ROLES_MAX),
)
export type RoleAssignment = NonNullable<z.infer<typeof roles>>[number]

const bothOrNeither = (value: {
  estimatedTimeToRecovery?: number | null | undefined
  estimatedTimeToRecoveryTimeUnit?: TimeUnit | null | undefined
}): boolean => (value.estimatedTimeToRecovery == null) === (value.estimatedTimeToRecoveryTimeUnit == null)
const RECOVERY_INCOMPLETE = {
  path: ['estimatedTimeToRecovery'],
  error: 'Please enter both a time and its unit.',
}

const recovery = {
  estimatedTimeToRecovery: z.optional(z.nullable(recoveryTime)),
  estimatedTimeToRecoveryTimeUnit: z.optional(z.nullable(TimeUnit)),
}

/** A new incident or exercise (operations §3 "Incident create payload"). The server makes the preview. */
export const NewIncident = z
  .object({
    title: requiredText(TITLE_REQUIRED),
    fullText,
    severity: z._default(Severity, 'MEDIUM'),
    isTabletop: z._default(z.boolean(), false),
    ...recovery,
    /** One of the organisation's kinds that is not retired. */
    kindId: z.optional(z.nullable(id)),
    /** Required fields are demanded of people, and of programs that send a kind or values. */
    fieldValues: z.optional(fieldValues),
    /** The first of two labels that differ only in accents or capitals is kept. */
    labels: z.optional(labels),
    /** Emails of active non-business users; any of them makes the incident targeted. */
    targetedUsers: z._default(targetedUsers, []),
    /** Targets the members of these groups, including later ones. */
    targetedGroupIds: z._default(targetedGroupIds, []),
    /** Asks everybody in the organisation as well; the targets are then the external people who join them. */
    withEverybody: z.optional(z.boolean()),
    activityCreateRequests: z._default(listOf(NewActivity, LIST_MAX), []),
    /**
     * Copies a set of files, such as another incident's `attachmentsFolderId`. Tasks that refer to files of
     * the set get the copies.
     */
    attachmentsFolderIdForDuplication: z.optional(z.nullable(id)),
    /** The playbook used, and its version, so that the incident shows later changes. */
    playbookId: z.optional(z.nullable(id)),
    playbookVersion: z.optional(z.nullable(z.int())),
    conditionAnswers,
    roles,
    /** The acts at the start of the playbook to carry out; by default all that the caller may. */
    startActs: z.optional(listOf(StartAct, START_ACTS.length)),
    /** Creates a breakout room, owned by the person who declares the incident. */
    createBreakoutRoom: z._default(z.boolean(), false),
  })
  .check(z.refine(bothOrNeither, RECOVERY_INCOMPLETE))
export type NewIncident = z.infer<typeof NewIncident>

const editable = {
  title: z.optional(requiredText(TITLE_REQUIRED)),
  fullText: z.optional(fullText),
  severity: z.optional(Severity),
  isTabletop: z.optional(z.boolean()),
  ...recovery,
}
/** Fields of an active incident that are stored as sent. */
export const EDITABLE_FIELDS = z.keyof(z.object(editable)).options
const changes = {
  ...editable,
  kindId: z.optional(z.nullable(id)),
  /** Values of other fields stay. */
  fieldValues: z.optional(fieldValues),
  /** All labels; an empty list takes them away. */
  labels: z.optional(labels),
  targetedUsers: z.optional(targetedUsers),
  targetedGroupIds: z.optional(targetedGroupIds),
  withEverybody: z.optional(z.boolean()),
  /** Only `false` has an effect: it resolves the incident. */
  isActive: z.optional(z.boolean()),
  /** Taken only together with the resolution. */
  openTasks: z.optional(z.nullable(OpenTasks)),
  openTasksReason: z.optional(z.nullable(trimmedText(MEDIUM_TEXT_MAX))),
  /** Taken only together with the resolution; needs a reason. */
  outcome: z.optional(z.nullable(z.literal('FALSE_ALARM'))),
  outcomeReason: z.optional(z.nullable(trimmedText(REASON_MAX))),
  /** Reason of a changed title, severity or kind, or of a change between incident and exercise, which the history keeps with the change. */
  reason: z.optional(z.nullable(trimmedText(REASON_MAX))),
  /** Trimmed rich text; only for a resolved incident. */
  postmortemDetails: z.optional(z.nullable(trimmedText(LONG_TEXT_MAX))),
  version: z.optional(z.int()),
}
/** Any subset of an incident (`PATCH`). */
export const IncidentChanges = z.object(changes).check(z.refine(bothOrNeither, RECOVERY_INCOMPLETE))
export type IncidentChanges = z.infer<typeof IncidentChanges>
/** The whole incident with its id (`PUT`). Unchanged fields have no effect. */
export const WholeIncident = z.object({ id, ...changes }).check(z.refine(bothOrNeither, RECOVERY_INCOMPLETE))
export type WholeIncident = z.infer<typeof WholeIncident>

/** Reopens a resolved incident. */
export const Reopening = z.object({ reason: requiredText(REASON_REQUIRED, REASON_MAX) })
export type Reopening = z.infer<typeof Reopening>
/** Ends an incident as the duplicate of another one. */
export const Merge = z.object({
  /** The incident that goes on. */
  into: id,
  reason: requiredText(REASON_REQUIRED, REASON_MAX),
  /** Copies the open tasks into the incident that goes on. */
  copyTasks: z._default(z.boolean(), true),
})
export type Merge = z.infer<typeof Merge>

/** Tasks that one request assigns. */
export const ASSIGNED_MAX = 200
/** Assigns several tasks to one person, or to nobody. */
export const Assignment = z.object({
  activityIds: listOf(id, ASSIGNED_MAX),
  /** Email of an active user; null for nobody. */
  assignedTo: z.nullable(email),
})
export type Assignment = z.infer<typeof Assignment>

/** Tasks of the caller, or open tasks that nobody has. */
export const TASK_LISTS = ['MINE', 'DONE', 'FREE'] as const
export const TaskList = z.enum(TASK_LISTS)
export type TaskList = z.infer<typeof TaskList>
/** Incidents that the list of tasks names for its filter. */
export const TASK_INCIDENTS_MAX = 50

/** A task in the list of a person's tasks across incidents. */
export const MyTask = z.object({
  id,
  incidentId: id,
  title: z.string(),
  status: TaskStatus,
  priority: Priority,
  progress: Progress,
  dueTimestamp: z.nullable(timestamp),
  updateTimestamp: timestamp,
  canEdit: z.boolean(),
  version: z.int(),
  incidentTitle: z.string(),
  isTabletop: z.boolean(),
})
export type MyTask = z.infer<typeof MyTask>
/** A page of tasks, with the incidents that the whole list is about. */
export const MyTasks = z.object({
  data: z.array(MyTask),
  page: z.int(),
  size: z.int(),
  total: z.int(),
  incidents: z.array(z.object({ id, title: z.string(), isTabletop: z.boolean() })),
})
export type MyTasks = z.infer<typeof MyTasks>

/** One changed field of an activity (operations §3 "Activity history entry"). */
export const HistoryEntry = z.object({
  id,
  activityId: id,
  fieldName: z.string(),
  fieldType: z.enum(['ActivityPriority', 'ActivityStatus', 'Integer', 'Long', 'String']),
  oldValue: z.nullable(z.string()),
  newValue: z.nullable(z.string()),
  createdBy: z.string(),
  createTimestamp: timestamp,
  isDelete: z.boolean(),
})
export type HistoryEntry = z.infer<typeof HistoryEntry>

/** Names of activity fields in a sentence, such as that of a save conflict. */
export const ACTIVITY_FIELD_WORDS = {
  title: 'title',
  description: 'description',
  formatting: 'formatting of the description',
  status: 'status',
  priority: 'priority',
  progress: 'progress',
  assignedTo: 'assignee',
  attachedFileIds: 'attached files',
  idealTitleToExecute: 'ideal title or role',
  expectedTimeToComplete: 'expected time',
  section: 'section',
  dueTimestamp: 'due time',
}
/** Names of incident fields in a sentence. */
export const FIELD_WORDS: { readonly [field: string]: string } = {
  ...ACTIVITY_FIELD_WORDS,
  fullText: 'description',
  severity: 'severity',
  isTabletop: 'choice of incident or exercise',
  kind: 'kind',
  labels: 'labels',
  estimatedTimeToRecovery: 'estimated time to recovery',
  estimatedTimeToRecoveryTimeUnit: 'estimated time to recovery',
  targetedUsers: 'selected people',
  isActive: 'state',
  postmortemDetails: 'analysis',
  number: 'number',
  outcome: 'outcome',
  mergedInto: 'link to another incident',
}
