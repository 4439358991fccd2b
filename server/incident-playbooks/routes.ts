import type { incidentPlaybooksApi } from '#contract/incident-playbooks/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'

import { addPlaybook, playbooksOf } from './flows.ts'

export const incidentPlaybooksRoutes: Handlers<typeof incidentPlaybooksApi> = {
  list: ({ params }, { db, caller }) => playbooksOf(db, caller, params.id),
  add: ({ params, body }, { db, caller }) => addPlaybook(db, caller, params.id, body),
}
