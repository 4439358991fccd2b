import type { auditLogApi } from '#contract/audit-log/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { checkChain, exportEvents, findEvents, openEvent } from './flows.ts'
import { listNouns, listOtherActors } from './store.ts'

export const auditLogRoutes = (services: Services): Handlers<typeof auditLogApi> => ({
  list: ({ query }, { db }) => findEvents(db, query),
  choices: async (_, { db }) => ({ nouns: await listNouns(db), actors: await listOtherActors(db) }),
  export: ({ query }, { db, caller }) => exportEvents(services, db, caller, query.filter ?? {}),
  check: ({ body }, { db }) => checkChain(db, body),
  get: ({ params }, { db }) => openEvent(db, params.sequence),
})
