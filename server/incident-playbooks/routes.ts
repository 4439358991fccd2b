import type { incidentPlaybooksApi } from '#contract/incident-playbooks/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'

import { decideCondition } from './conditions.flows.ts'
import { addPlaybook, playbooksOf, rolesIn, taskUseOf, useOf } from './flows.ts'

export const incidentPlaybooksRoutes: Handlers<typeof incidentPlaybooksApi> = {
  list: ({ params }, { db, caller }) => playbooksOf(db, caller, params.id),
  add: ({ params, body }, { db, caller }) => addPlaybook(db, caller, params.id, body),
  decide: ({ params, body }, { db, caller }) => decideCondition(db, caller, params, body),
  roles: ({ params }, { db, caller }) => rolesIn(db, caller, params.id),
  use: ({ params }, { db, caller }) => useOf(db, caller, params.id),
  taskUse: ({ params, query }, { db, caller }) => taskUseOf(db, caller, params.id, query.range),
}
