import type { situationReportsApi } from '#contract/situation-reports/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import {
  approveReport,
  changeReport,
  discardReport,
  draftReport,
  openReport,
  publishReport,
  reportsOf,
  sendReportBack,
} from './flows.ts'

export const situationReportsRoutes = (services: Services): Handlers<typeof situationReportsApi> => ({
  list: ({ params, query }, { db, caller }) => reportsOf(db, caller, params.id, query),
  get: ({ params }, { db, caller }) => openReport(db, caller, params.id),
  create: ({ params, body }, { db, caller }) => draftReport(db, caller, params.id, body),
  update: ({ params, body }, { db, caller }) => changeReport(db, caller, params.id, body),
  publish: ({ params, body }, { db, caller }) => publishReport(services, db, caller, params.id, body),
  approve: ({ params, body }, { db, caller }) => approveReport(services, db, caller, params.id, body),
  sendBack: ({ params, body }, { db, caller }) => sendReportBack(db, caller, params.id, body),
  remove: ({ params }, { db, caller }) => discardReport(db, caller, params.id),
})
