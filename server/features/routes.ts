import type { featuresApi } from '#contract/features/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { currentBadges, findStaffEmails, requestUpgrade } from './flows.ts'

export const featuresRoutes = (services: Services): Handlers<typeof featuresApi> => ({
  badges: async () => currentBadges(),
  requestUpgrade: {
    outsideTransaction: async ({ query }, { caller, replyTransaction }) => {
      const staffEmails = await findStaffEmails(services)
      return replyTransaction((db) => requestUpgrade(services, db, caller, query.name, staffEmails))
    },
  },
})
