import type { incidentKindsApi } from '#contract/incident-kinds/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'

import { changeKind, createKind, removeKind } from './flows.ts'
import { kinds } from './store.ts'

export const incidentKindsRoutes = (): Handlers<typeof incidentKindsApi> => ({
  list: ({ query }, { db }) => kinds.list(db, query),
  create: ({ body }, { db }) => createKind(db, body),
  update: ({ params, body }, { db }) => changeKind(db, params.id, body),
  remove: ({ params }, { db }) => removeKind(db, params.id),
})
