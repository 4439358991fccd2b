import { incidentsAccess } from '#contract/incidents/access.ts'
import { defineApi } from '#contract/kit/endpoint.ts'

import { FiguresQuery, IncidentFigures } from './schema.ts'

/** Figures across incidents (decision 126). Not for external people. */
export const incidentFiguresApi = defineApi({
  get: {
    method: 'GET',
    path: '/incidentFigures',
    access: incidentsAccess.read,
    summary:
      'How long incidents of a period took to the first check-in, the first update and the resolution: in all, by month, severity and kind.',
    query: FiguresQuery,
    reply: IncidentFigures,
  },
})
