import * as z from 'zod/mini'

import { incidentKindsAccess } from '#contract/incident-kinds/access.ts'
import { defineApi } from '#contract/kit/endpoint.ts'
import { wholeNumber } from '#contract/kit/query.ts'
import { text } from '#contract/kit/text.ts'

import { IncidentLabel, SUGGESTED_DEFAULT, SUGGESTED_MAX } from './schema.ts'

/** Labels of incidents (decision 127). They are set with the incident. */
export const incidentLabelsApi = defineApi({
  list: {
    method: 'GET',
    path: '/incidentLabels',
    access: incidentKindsAccess.read,
    summary: 'The labels of the organization’s incidents, most used first. Not for external people.',
    query: z.object({
      /** Part of a label. */
      search: z._default(text(), ''),
      size: wholeNumber(SUGGESTED_DEFAULT, 1, SUGGESTED_MAX),
    }),
    limit: 'searches',
    reply: z.object({ data: z.array(IncidentLabel) }),
  },
})
