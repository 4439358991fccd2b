import type { managedIncidentsApi } from '#contract/managed-incidents/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { findIncidentsOf } from './flows.ts'
import { findProviderDashboard, listOverview } from './store.ts'

export const managedIncidentsRoutes = (services: Services): Handlers<typeof managedIncidentsApi> => ({
  dashboard: (_, { db }) => findProviderDashboard(db),
  overview: ({ query }, { db }) => listOverview(db, query),
  list: (input, context) => findIncidentsOf(services, context, input),
})
