import type { playbookSharesApi } from '#contract/playbook-shares/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { openShare, sharePlaybooks } from './flows.ts'

export const playbookSharesRoutes = (services: Services): Handlers<typeof playbookSharesApi> => ({
  // Copying bytes queries the database for their keys.
  share: { outsideTransaction: ({ body }, context) => sharePlaybooks(services, context, body) },
  progress: ({ params }, { db }) => openShare(db, params.id),
})
