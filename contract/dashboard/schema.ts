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
