import * as z from 'zod/mini'

import { has } from '#contract/kit/access.ts'
import { defineApi, download } from '#contract/kit/endpoint.ts'
import { ById } from '#contract/kit/text.ts'

import { ReportRequest } from './schema.ts'

const read = has('incidents-read-only', 'incidents-full-access')

/** The report of an incident or exercise (operations §2, §7). */
export const incidentReportsApi = defineApi({
  file: {
    method: 'GET',
    path: '/incident/file/:id',
    access: read,
    summary: 'The report as a PDF. A long one takes a while: see the request for a report.',
    params: ById,
    query: z.object({ type: z._default(z.literal('PDF'), 'PDF') }),
    limit: 'documents',
    reply: download('application/pdf'),
  },
  request: {
    method: 'POST',
    path: '/incident/:id/report',
    access: read,
    summary:
      'Has a long report made in the background, or joins whoever has; `null` for a short one, which is answered at once.',
    params: ById,
    limit: 'documents',
    reply: z.nullable(ReportRequest),
  },
  progress: {
    method: 'GET',
    path: '/incident/report/:id',
    access: read,
    summary: 'How far a report is that was asked for.',
    params: ById,
    reply: ReportRequest,
  },
  requested: {
    method: 'GET',
    path: '/incident/report/:id/file',
    access: read,
    summary: 'A report that was asked for, once it is ready and for an hour.',
    params: ById,
    reply: download('application/pdf'),
    errors: { 409: 'The report is not ready.' },
  },
})
