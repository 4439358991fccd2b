import type { dashboardApi } from '#contract/dashboard/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'

import { findAsked, findDashboard } from './store.ts'

export const dashboardRoutes: Handlers<typeof dashboardApi> = {
  get: (_, { db }) => findDashboard(db),
  asked: (_, { db, caller }) => findAsked(db, caller.id),
}
