import * as z from 'zod/mini'

import { staffAs } from '#contract/kit/access.ts'
import { defineApi, list } from '#contract/kit/endpoint.ts'
import { listQuery, truth, wholeNumber } from '#contract/kit/query.ts'
import { ById, id, text } from '#contract/kit/text.ts'

import { IncidentOverview, INCIDENTS_PAGE_SIZE, ManagedIncident, ProviderDashboard } from './schema.ts'

export const OVERVIEW_SORT_FIELDS = [
  'status',
  'displayName',
  'duration',
  'title',
  'checkIns',
  'updates',
  'tasks',
  'attachments',
] as const

/** Incidents across organisations in the provider's console (administration §7.6). */
export const managedIncidentsApi = defineApi({
  dashboard: {
    method: 'GET',
    path: '/dashboard',
    access: staffAs.look,
    summary: 'How many organisations there are, and in which state.',
    reply: ProviderDashboard,
  },
  overview: {
    method: 'GET',
    path: '/enterprises/incidents',
    access: staffAs.look,
    summary:
      'The state of each organisation with its running incident: most urgent first unless `sort` says otherwise.',
    query: listQuery(
      OVERVIEW_SORT_FIELDS,
      z.object({
        /** Part of the organisation's name, domain or code. */
        q: z.optional(text()),
        /** Id of an organisation. */
        id: z.optional(id),
      }),
    ),
    reply: list(IncidentOverview),
  },
  list: {
    method: 'GET',
    path: '/enterprise/:id/incidents',
    access: staffAs.look,
    summary: 'The incidents of an organisation, newest first, for staff who said why they look.',
    params: ById,
    query: z.object({
      page: wholeNumber(0, 0, 1_000_000),
      size: wholeNumber(INCIDENTS_PAGE_SIZE, 1, 100),
      /** Leaves out the texts of incidents and keeps counts and activities. */
      activityOnly: z._default(truth, false),
    }),
    reply: z.object({
      data: z.array(ManagedIncident),
      page: z.int(),
      size: z.int(),
      total: z.int(),
    }),
    errors: { 409: 'Say why first: POST /enterprise/{id}/access.' },
  },
})
