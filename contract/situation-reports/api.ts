import * as z from 'zod/mini'

import { incidentRolesAccess } from '#contract/incident-roles/access.ts'
import { BODY_LIMIT_TEXTS, defineApi } from '#contract/kit/endpoint.ts'
import { wholeNumber } from '#contract/kit/query.ts'
import { ById, nothing } from '#contract/kit/text.ts'

import {
  NewReport,
  ReportChange,
  ReportReturn,
  REPORTS_PAGE_MAX,
  ReportVersion,
  SituationReport,
  SituationReports,
} from './schema.ts'

const { read, write } = incidentRolesAccess
const errors = { 409: 'The report is in another state, or somebody else changed it meanwhile.' }

/** Situation reports of incidents (decision 115). Not for external people. */
export const situationReportsApi = defineApi({
  list: {
    method: 'GET',
    path: '/incident/:id/situationReports',
    access: read,
    summary: 'The situation reports of an incident: the one that is written first, then the newest.',
    params: ById,
    query: z.object({
      /** Rows to skip. */
      offset: wholeNumber(0, 0, 1_000_000),
      size: wholeNumber(REPORTS_PAGE_MAX, 1, REPORTS_PAGE_MAX),
    }),
    reply: SituationReports,
  },
  get: {
    method: 'GET',
    path: '/situationReport/:id',
    access: read,
    summary: 'One situation report.',
    params: ById,
    reply: SituationReport,
  },
  create: {
    method: 'POST',
    path: '/incident/:id/situationReport',
    access: write,
    summary:
      'Begins a report, filled from the incident or with the words of one that it corrects. One at a time is written.',
    params: ById,
    body: NewReport,
    reply: SituationReport,
    status: 201,
    errors: { 409: 'Another report of the incident is being written.' },
  },
  update: {
    method: 'PUT',
    path: '/situationReport/:id',
    access: write,
    summary: 'Saves a draft.',
    params: ById,
    body: ReportChange,
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: SituationReport,
    errors,
  },
  publish: {
    method: 'POST',
    path: '/situationReport/:id/publish',
    access: write,
    summary:
      'Publishes a draft under the next number, or asks a second person where the organisation demands it.',
    params: ById,
    body: ReportVersion,
    reply: SituationReport,
    errors,
  },
  approve: {
    method: 'POST',
    path: '/situationReport/:id/approve',
    access: write,
    summary: 'Publishes a report that waits, as the second person.',
    params: ById,
    body: ReportVersion,
    reply: SituationReport,
    errors: { 403: 'The caller wrote it.', ...errors },
  },
  sendBack: {
    method: 'POST',
    path: '/situationReport/:id/sendBack',
    access: write,
    summary: 'Makes a report that waits a draft again: with a reason, or by those who wrote it.',
    params: ById,
    body: ReportReturn,
    reply: SituationReport,
    errors,
  },
  remove: {
    method: 'DELETE',
    path: '/situationReport/:id',
    access: write,
    summary: 'Discards a draft. Published reports stay.',
    params: ById,
    reply: nothing,
    status: 204,
    errors: { 409: 'The report is no draft.' },
  },
})
