import * as z from 'zod/mini'

import { timestamp } from '#contract/kit/text.ts'
import { SubscriptionLevel } from '#contract/organisations/schema.ts'

/** An active incident or exercise on the tiles. */
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
  /** Server time, from which the counters start. */
  timestamp,
  /** End of the most recent resolved incident. Exercises do not count. */
  lastIncidentTimestamp: z.nullable(timestamp),
  /** The most severe active incident, the newest of equals; an exercise only where there is no incident. */
  activeIncident: z.nullable(ActiveIncident),
  /** The first 20: incidents before exercises, by severity, then newest first. */
  activeIncidents: z.array(ActiveIncident),
  incidentsCount: z.int(),
  exercisesCount: z.int(),
  /** Seconds since the start of the oldest active incident; null for none. */
  secondsInIncident: z.nullable(z.int()),
  /**
   * Seconds since the end of the last incident, or since the organisation's creation without one; null during
   * an incident.
   */
  secondsIncidentFree: z.nullable(z.int()),
  currentUsers: z.int(),
  maxUsers: z.int(),
  subscriptionLevel: SubscriptionLevel,
})
export type Dashboard = z.infer<typeof Dashboard>

/** The caller's open tasks that the dashboard lists; the rest is only counted. */
export const NAMED_TASKS = 5
/** Decisions of the caller that the dashboard lists. */
export const NAMED_DECISIONS = 3
/** Pending check-ins that the dashboard lists. */
export const NAMED_CHECK_INS = 3
/** Characters of the latest update. */
export const LATEST_LENGTH = 300

const inIncident = { incidentId: z.uuid(), incidentTitle: z.string(), isTabletop: z.boolean() }
/** Requests to the caller, and the latest update. No part of it grows with the organisation. */
export const Attention = z.object({
  /** Active incidents and exercises with a pending check-in of the caller, at most `NAMED_CHECK_INS`. */
  checkIns: z.array(z.object(inIncident)),
  checkInsCount: z.int(),
  /** Proposed decisions of active incidents that the caller has to make, oldest first, at most `NAMED_DECISIONS`. */
  decisions: z.array(z.object({ ...inIncident, id: z.uuid(), number: z.int(), title: z.string() })),
  decisionsCount: z.int(),
  /** The caller's open tasks in active incidents, most urgent first, at most `NAMED_TASKS`. */
  tasks: z.array(
    z.object({ ...inIncident, id: z.uuid(), title: z.string(), priority: z.enum(['LOW', 'MEDIUM', 'HIGH']) }),
  ),
  tasksCount: z.int(),
  /** The newest update of an active incident, cut to `LATEST_LENGTH` characters. */
  latestUpdate: z.nullable(
    z.object({ ...inIncident, text: z.string(), author: z.string(), createTimestamp: timestamp }),
  ),
  /** Start of the newest exercise; null for none. */
  lastExerciseTimestamp: z.nullable(timestamp),
  /** Null where the organisation is no demonstration. */
  demonstration: z.nullable(
    z.object({
      /** The demonstration's exercise, while it is in progress. */
      exerciseId: z.nullable(z.uuid()),
    }),
  ),
})
export type Attention = z.infer<typeof Attention>
