import type { dashboardApi } from '#contract/dashboard/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'

import { findDashboard } from './store.ts'

export const dashboardRoutes: Handlers<typeof dashboardApi> = {
  get: (_, { db }) => findDashboard(db),
}
