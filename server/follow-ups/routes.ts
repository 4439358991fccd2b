import type { followUpsApi } from '#contract/follow-ups/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import {
  addFollowUp,
  changeFollowUp,
  demandReader,
  finishFollowUp,
  followUpsOf,
  followUpsOfIncident,
} from './flows.ts'

export const followUpsRoutes = (services: Services): Handlers<typeof followUpsApi> => ({
  list: ({ query }, { db, caller }) => followUpsOf(db, caller, query),
  ofIncident: ({ params, query }, { db, caller }) => followUpsOfIncident(db, caller, params.id, query),
  create: ({ params, body }, { db, caller }) => addFollowUp(services, db, caller, params.id, body),
  update: ({ params, body }, { db, caller }) => changeFollowUp(services, db, caller, params.id, body),
  finish: {
    first: demandReader,
    handle: ({ params, body }, { db, caller }) => finishFollowUp(services, db, caller, params.id, body),
  },
})
