import type { suppressionsApi } from '#contract/suppressions/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { liftSuppression, suppressionsOf } from './flows.ts'
import { listSuppressions } from './store.ts'

export const suppressionsRoutes = (_services: Services): Handlers<typeof suppressionsApi> => ({
  list: ({ query }, { db }) => listSuppressions(db, query),
  find: ({ body }, { db }) => suppressionsOf(db, body.addresses),
  lift: ({ params, body }, { db, caller }) => liftSuppression(db, caller, params.id, body.reason),
})
