import * as z from 'zod/mini'

import { personWith } from '#contract/kit/access.ts'
import { BODY_LIMIT_LISTS, BODY_LIMIT_TEXTS, defineApi } from '#contract/kit/endpoint.ts'
import { json, truth, wholeNumber } from '#contract/kit/query.ts'
import { ById, id, nothing, text, timestamp } from '#contract/kit/text.ts'
import { NamedPerson } from '#contract/users/schema.ts'

import { incidentsAccess } from './access.ts'
import {
  Activity,
  ActivityChanges,
  Assignment,
  ChildActivity,
  CheckIn,
  FEED_PAGE_SIZE,
  FieldFilter,
  HelpCalls,
  HistoryEntry,
  Incident,
  IncidentChanges,
  LabelFilter,
  ListedIncident,
  Merge,
  MyTasks,
  NewActivity,
  NewIncident,
  Reopening,
  Severity,
  TEAM_PAGE_MAX,
  TaskList,
  TeamStatus,
  WholeIncident,
} from './schema.ts'

const { read, write } = incidentsAccess
const resolved = { 409: 'The incident is resolved, or somebody else changed it meanwhile.' }
/** Parts of the reply that grow with the organisation and can be left out. */
const populated = {
  query: z.object({
    populateCheckIns: z._default(truth, true),
    /** Emails of the individually targeted people. */
    populateTargetedUsers: z._default(truth, true),
    /** Emails of the members of targeted groups. */
    populateGroupMembers: z._default(truth, true),
  }),
  reply: Incident,
} as const
const created = {
  ...populated,
  status: 201,
  errors: { 403: 'Several incidents at a time are not enabled.' },
} as const
/** Incidents and exercises (operations §7). */
export const incidentsApi = defineApi({
  list: {
    method: 'GET',
    path: '/incident',
    access: read,
    summary: 'A page of incidents and exercises, newest first.',
    query: z.object({
      /** Zero-based. */
      page: wholeNumber(0, 0, 1_000_000),
      size: wholeNumber(FEED_PAGE_SIZE, 1, 100),
      /** Parts of the title or text, in any order. */
      searchWord: z.optional(text()),
      /** True for incidents in progress, false for resolved ones. */
      isActive: z.optional(truth),
      severity: z.optional(Severity),
      /** True for exercises, false for incidents. */
      isTabletop: z.optional(truth),
      /** One of the organisation's kinds. */
      kindId: z.optional(id),
      /** JSON of values by the id of their field, all of which an incident has: choices, and addresses of people. */
      fieldValues: z.optional(json(FieldFilter, 'fieldValues')),
      /** JSON of labels, of which an incident has at least one. */
      labels: z.optional(json(LabelFilter, 'labels')),
      /** Inclusive. */
      createdFrom: z.optional(timestamp),
      /** Sorts incidents in progress before resolved ones. */
      activeFirst: z._default(truth, false),
      populateActivitiesAndCheckInsAndTargetedUsers: z._default(truth, false),
    }),
    limit: 'by query',
    reply: z.object({
      data: z.array(ListedIncident),
      page: z.int(),
      size: z.int(),
      total: z.int(),
      /** True when `total` is a minimum: counting stops early for a search or a time span with many results. */
      isTotalMinimum: z.optional(z.boolean()),
      people: z.array(NamedPerson),
    }),
  },
  myTasks: {
    method: 'GET',
    path: '/incident/tasks/mine',
    access: incidentsAccess.tasks,
    summary:
      'Tasks across incidents: open ones of the caller by due time, completed ones, or unassigned ones.',
    query: z.object({
      /** Zero-based. */
      page: wholeNumber(0, 0, 1_000_000),
      size: wholeNumber(20, 1, 100),
      list: z._default(TaskList, 'MINE'),
      incidentId: z.optional(id),
    }),
    reply: MyTasks,
  },
  get: {
    method: 'GET',
    path: '/incident/:id',
    access: read,
    summary: 'One incident with its activities, check-ins and targets.',
    params: ById,
    ...populated,
  },
  teamStatus: {
    method: 'GET',
    path: '/incident/:id/teamStatus',
    access: read,
    summary: 'Who has checked in, the latest first, then who is waited for, by name.',
    params: ById,
    query: z.object({
      /** Rows to skip. */
      offset: wholeNumber(0, 0, 1_000_000),
      size: wholeNumber(TEAM_PAGE_MAX, 1, TEAM_PAGE_MAX),
      /** Only people with a pending check-in. */
      onlyWaiting: z._default(truth, false),
      /** Sorts pending check-ins before completed ones. */
      waitingFirst: z._default(truth, false),
    }),
    reply: TeamStatus,
  },
  help: {
    method: 'GET',
    path: '/incident/:id/help',
    access: read,
    summary:
      'The people whose answer to a notification about the incident calls for help, the longest waiting first. External people see none.',
    params: ById,
    query: z.object({
      /** Rows to skip. */
      offset: wholeNumber(0, 0, 1_000_000),
      size: wholeNumber(TEAM_PAGE_MAX, 1, TEAM_PAGE_MAX),
    }),
    reply: HelpCalls,
  },
  create: {
    method: 'POST',
    path: '/incident',
    access: write,
    summary: 'Declares an incident or an exercise.',
    body: NewIncident,
    bodyLimit: BODY_LIMIT_LISTS,
    ...created,
  },
  createWithActivities: {
    method: 'POST',
    path: '/incident/withActivities',
    access: write,
    summary: 'Declares an incident or an exercise together with its first tasks; all of it or nothing.',
    body: NewIncident,
    bodyLimit: BODY_LIMIT_LISTS,
    ...created,
  },
  update: {
    method: 'PATCH',
    path: '/incident/:id',
    access: write,
    summary: 'Changes some fields; `isActive: false` resolves.',
    params: ById,
    body: IncidentChanges,
    bodyLimit: BODY_LIMIT_LISTS,
    ...populated,
    errors: resolved,
  },
  replace: {
    method: 'PUT',
    path: '/incident',
    access: write,
    summary: 'Takes the whole incident, as the analysis is saved.',
    body: WholeIncident,
    bodyLimit: BODY_LIMIT_LISTS,
    ...populated,
    errors: resolved,
  },
  reopen: {
    method: 'POST',
    path: '/incident/:id/reopen',
    access: write,
    summary: 'Reopens a resolved incident; for administrators and the people who declared or resolved it.',
    params: ById,
    body: Reopening,
    ...populated,
    errors: {
      403: 'The caller may not, or several incidents at a time are not enabled.',
      409: 'The incident is not resolved.',
    },
  },
  merge: {
    method: 'POST',
    path: '/incident/:id/merge',
    access: write,
    summary: 'Ends an incident as the duplicate of another one, which gets its people and open tasks.',
    params: ById,
    body: Merge,
    ...populated,
    errors: { 409: 'One of the two incidents is resolved.' },
  },
  checkIn: {
    method: 'POST',
    path: '/incident/:id/checkIn',
    access: personWith('incidents-read-only', 'incidents-full-access'),
    summary: 'Says that the caller is safe and at work. Once is enough; again changes nothing.',
    params: ById,
    reply: CheckIn,
    errors: { 409: 'The incident is resolved.' },
  },
  addActivity: {
    method: 'POST',
    path: '/incident/:id/activity',
    access: write,
    summary: 'Adds a task, an update, or an update below a task.',
    params: ById,
    body: NewActivity,
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: z.union([Activity, ChildActivity]),
    status: 201,
    errors: resolved,
  },
  updateActivity: {
    method: 'PATCH',
    path: '/incident/activity/:id',
    access: write,
    summary: 'Changes some fields of a task or an update.',
    params: ById,
    body: ActivityChanges,
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: z.union([Activity, ChildActivity]),
    errors: resolved,
  },
  assign: {
    method: 'POST',
    path: '/incident/:id/assign',
    access: write,
    summary: 'Assigns several tasks to one person, or to nobody; all of them or none.',
    params: ById,
    body: Assignment,
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: z.array(Activity),
    errors: resolved,
  },
  removeActivity: {
    method: 'DELETE',
    path: '/incident/activity/:id',
    access: write,
    summary: 'Deletes a task with its updates, or an update; the history keeps what it was.',
    params: ById,
    reply: nothing,
    status: 204,
    errors: resolved,
  },
  history: {
    method: 'GET',
    path: '/incident/activity/:id/history',
    access: read,
    summary: 'What changed in a task or an update, newest first.',
    params: ById,
    reply: z.array(HistoryEntry),
  },
  activityTimestamps: {
    method: 'GET',
    path: '/incident/userActivityTimestamps',
    access: read,
    summary: 'When each user was last active.',
    reply: z.array(z.object({ userId: id, timestamp })),
  },
})
