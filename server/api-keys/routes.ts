import type { apiKeysApi } from '#contract/api-keys/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'

import { createApiKey, listKeysWithUsage } from './flows.ts'
import { apiKeys } from './store.ts'

export const apiKeysRoutes: Handlers<typeof apiKeysApi> = {
  list: ({ query }, { db }) => listKeysWithUsage(db, query),
  create: ({ body }, { db, caller }) => createApiKey(db, caller, body),
  remove: ({ params }, { db }) => apiKeys.remove(db, params.id),
}
