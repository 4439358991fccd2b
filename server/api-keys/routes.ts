import type { apiKeysApi } from '#contract/api-keys/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'

import { createApiKey, listKeysWithUsage, removeApiKey } from './flows.ts'

export const apiKeysRoutes: Handlers<typeof apiKeysApi> = {
  list: ({ query }, { db }) => listKeysWithUsage(db, query),
  create: ({ body }, { db, caller }) => createApiKey(db, caller, body),
  remove: async ({ params }, { db }) => {
    await removeApiKey(db, params.id)
  },
}
