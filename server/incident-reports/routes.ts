import type { incidentReportsApi } from '#contract/incident-reports/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { issueReport, reportProgress, requestedReport, requestReport } from './flows.ts'

export const incidentReportsRoutes = (services: Services): Handlers<typeof incidentReportsApi> => ({
  file: ({ params }, { db, caller }) => issueReport(services, db, caller, params.id),
  request: ({ params }, { db, caller }) => requestReport(services, db, caller, params.id),
  progress: ({ params }, { db, caller }) => reportProgress(db, caller, params.id),
  requested: ({ params }, { db, caller }) => requestedReport(services, db, caller, params.id),
})
