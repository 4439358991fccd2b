import type { organisationAccessApi } from '#contract/organisation-access/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { currentAccess, giveReason } from './flows.ts'

export const organisationAccessRoutes = (services: Services): Handlers<typeof organisationAccessApi> => ({
  current: ({ params }, { db, caller }) => currentAccess(db, caller, params.id),
  grant: ({ params, body }, { db, caller }) => giveReason(services, db, caller, params.id, body.reason),
})
