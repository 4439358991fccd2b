import type { incidentFieldsApi } from '#contract/incident-fields/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'

import { changeField, createField, definitionsOf, demandInternal, removeField } from './flows.ts'
import { fields } from './store.ts'

export const incidentFieldsRoutes = (): Handlers<typeof incidentFieldsApi> => ({
  list: ({ query }, { db }) => fields.list(db, query),
  create: ({ body }, { db }) => createField(db, body),
  update: ({ params, body }, { db }) => changeField(db, params.id, body),
  remove: ({ params }, { db }) => removeField(db, params.id),
  definitions: { first: demandInternal, handle: (_, { db }) => definitionsOf(db) },
})
