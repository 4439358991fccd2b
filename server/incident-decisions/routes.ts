import type { incidentDecisionsApi } from '#contract/incident-decisions/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'

import { changeDecision, confirmDecision, decisionsOf, demandReader, propose } from './flows.ts'

export const incidentDecisionsRoutes: Handlers<typeof incidentDecisionsApi> = {
  list: {
    first: demandReader,
    handle: ({ params, query }, { db, caller }) => decisionsOf(db, caller, params.id, query),
  },
  propose: ({ params, body }, { db, caller }) => propose(db, caller, params.id, body),
  update: ({ params, body }, { db, caller }) => changeDecision(db, caller, params.id, body),
  confirm: ({ params, body }, { db, caller }) => confirmDecision(db, caller, params.id, body),
}
