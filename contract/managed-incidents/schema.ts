import * as z from 'zod/mini'

import { Outcome } from '#contract/incidents/schema.ts'
import { id, timestamp } from '#contract/kit/text.ts'
import { Enterprise } from '#contract/managed-organisations/schema.ts'

/** States of an organisation, most urgent first: incidents before exercises (administration §4). */
export const ORGANISATION_STATES = ['INCIDENT_IN_PROGRESS', 'TABLETOP_IN_PROGRESS', 'SAFE'] as const
export const OrganisationState = z.enum(ORGANISATION_STATES)
export type OrganisationState = z.infer<typeof OrganisationState>

/** The state of an organisation (administration §3). Counts are those of the oldest active incident or exercise. */
export const IncidentOverview = z.object({
  id,
  enterprise: Enterprise,
  status: OrganisationState,
  /** Start of the active one, otherwise end of the last incident; null for none. */
  lastIncidentTimestamp: z.nullable(timestamp),
  /** Seconds since the start of the active incident or exercise, otherwise without an incident. */
  duration: z.int(),
  title: z.nullable(z.string()),
  checkIns: z.int(),
  /** Active users. */
  currentUsers: z.int(),
  updates: z.int(),
  tasks: z.int(),
  attachments: z.int(),
})
export type IncidentOverview = z.infer<typeof IncidentOverview>

/** The provider's totals. */
export const ProviderDashboard = z.object({
  organizations: z.int(),
  incidentsInProgress: z.int(),
  tabletopsInProgress: z.int(),
  safe: z.int(),
  activeUsers: z.int(),
})
export type ProviderDashboard = z.infer<typeof ProviderDashboard>

/** A task or an update of an incident, for charts. */
const ManagedActivity = z.object({
  id,
  type: z.enum(['TASK', 'UPDATE']),
  status: z.enum(['TO_DO', 'IN_PROGRESS', 'COMPLETE']),
  /** Email address. */
  assignedTo: z.nullable(z.string()),
})

/** An incident in the console (administration §3). */
export const ManagedIncident = z.object({
  id,
  title: z.string(),
  isActive: z.boolean(),
  isTabletop: z.boolean(),
  outcome: z.nullable(Outcome),
  createTimestamp: timestamp,
  resolveTimestamp: z.nullable(timestamp),
  createdBy: z.string(),
  /** Null with `activityOnly`. */
  previewText: z.nullable(z.string()),
  checkIns: z.array(z.object({ userId: id, timestamp })),
  /** Number of attachments. */
  attachments: z.int(),
  activities: z.array(ManagedActivity),
  isTargeted: z.boolean(),
  /** Email addresses. */
  targetedUsers: z.array(z.string()),
  /** Null with `activityOnly`. */
  postmortemDetails: z.nullable(z.string()),
})
export type ManagedIncident = z.infer<typeof ManagedIncident>

/** Incidents per page by default (administration §9). */
export const INCIDENTS_PAGE_SIZE = 5
