import type { incidentRolesApi } from '#contract/incident-roles/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { changeRole, createRole, removeRole } from './catalogue.flows.ts'
import { commandRoles } from './catalogue.store.ts'
import { commandOf, handOver, holdingsOf, release } from './flows.ts'
import { setNextUpdate } from './rhythm.flows.ts'

export const incidentRolesRoutes = (services: Services): Handlers<typeof incidentRolesApi> => ({
  list: ({ query }, { db }) => commandRoles.list(db, query),
  create: ({ body }, { db }) => createRole(db, body),
  update: ({ params, body }, { db }) => changeRole(db, params.id, body),
  remove: ({ params }, { db }) => removeRole(db, params.id),
  command: ({ params }, { db, caller }) => commandOf(db, caller, params.id),
  handOver: ({ params, body }, { db, caller }) => handOver(db, caller, params, body),
  release: ({ params, body }, { db, caller }) => release(db, caller, params, body),
  holdings: ({ params, query }, { db, caller }) => holdingsOf(db, caller, params.id, query),
  setNextUpdate: ({ params, body }, { db, caller }) => setNextUpdate(services, db, caller, params.id, body),
})
