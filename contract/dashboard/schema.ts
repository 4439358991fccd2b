import * as z from 'zod/mini'

import { timestamp } from '#contract/kit/text.ts'
import { SubscriptionLevel } from '#contract/organisations/schema.ts'

/** An active incident or exercise, as far as the tiles need it. */
export const ActiveIncident = z.object({
  id: z.uuid(),
  title: z.string(),
  isTabletop: z.boolean(),
  severity: z.enum(['LOW', 'MEDIUM', 'HIGH', 'CRITICAL']),
  createTimestamp: timestamp,
})
export type ActiveIncident = z.infer<typeof ActiveIncident>

/** The organisation's current state (foundation §3 "Dashboard"). */
export const Dashboard = z.object({
  /** Now, by the server's clock: the counters start from it. */
  timestamp,
  /** When the organisation was last in an incident: the end of the newest resolved one. Exercises do not count. */
  lastIncidentTimestamp: z.nullable(timestamp),
  /** The gravest active incident, the newest of equally grave ones; an exercise where there is no incident. */
  activeIncident: z.nullable(ActiveIncident),
  /** All that are active, incidents before exercises, the gravest first, then the newest, at most 20. */
  activeIncidents: z.array(ActiveIncident),
  incidentsCount: z.int(),
  exercisesCount: z.int(),
  /** Seconds since the oldest active incident began; null when none is active. */
  secondsInIncident: z.nullable(z.int()),
  /** Seconds since the last incident ended, or since the organisation began when it never had one; null during one. */
  secondsIncidentFree: z.nullable(z.int()),
  currentUsers: z.int(),
  maxUsers: z.int(),
  subscriptionLevel: SubscriptionLevel,
})
export type Dashboard = z.infer<typeof Dashboard>

/** Open tasks of one person that the dashboard names; more than these are only counted. */
export const NAMED_TASKS = 5
/** Incidents to check in to that the dashboard names. */
export const NAMED_CHECK_INS = 3
/** Characters of the latest update. */
export const LATEST_LENGTH = 300

const inIncident = { incidentId: z.uuid(), incidentTitle: z.string(), isTabletop: z.boolean() }
/** What is asked of the caller, and the latest word on what is in progress. No part of it grows with the organisation. */
export const Attention = z.object({
  /** Active incidents and exercises that the caller has to check in to, at most `NAMED_CHECK_INS`. */
  checkIns: z.array(z.object(inIncident)),
  checkInsCount: z.int(),
  /** The caller's open tasks in what is active, the most urgent first, at most `NAMED_TASKS`. */
  tasks: z.array(
    z.object({ ...inIncident, id: z.uuid(), title: z.string(), priority: z.enum(['LOW', 'MEDIUM', 'HIGH']) }),
  ),
  tasksCount: z.int(),
  /** The newest update of what is active; its text is cut to `LATEST_LENGTH` characters. */
  latestUpdate: z.nullable(
    z.object({ ...inIncident, text: z.string(), author: z.string(), createTimestamp: timestamp }),
  ),
  /** When the newest exercise began; null where there was none. */
  lastExerciseTimestamp: z.nullable(timestamp),
})
export type Attention = z.infer<typeof Attention>
