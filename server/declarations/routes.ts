import type { declarationsApi } from '#contract/declarations/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { changeSource, createSource } from './sources.flows.ts'
import { listCalls, sources } from './store.ts'

export const declarationsRoutes = ({ secrets }: Services): Handlers<typeof declarationsApi> => ({
  list: ({ query }, { db }) => sources.list(db, query),
  create: ({ body }, { db, caller }) => createSource({ secrets }, db, caller, body),
  update: ({ params, body }, { db }) => changeSource(db, params.id, body),
  remove: ({ params }, { db }) => sources.remove(db, params.id),
  calls: async ({ params, query }, { db }) => {
    await sources.open(db, params.id)
    return listCalls(db, params.id, query)
  },
})
