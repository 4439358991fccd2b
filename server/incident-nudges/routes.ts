import type { incidentNudgesApi } from '#contract/incident-nudges/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { nudge } from './flows.ts'

export const incidentNudgesRoutes = (services: Services): Handlers<typeof incidentNudgesApi> => ({
  nudge: ({ params, body }, { db, caller }) => nudge(services, db, caller, params.id, body),
})
