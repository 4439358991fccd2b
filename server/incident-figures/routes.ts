import type { incidentFiguresApi } from '#contract/incident-figures/api.ts'
import { demandColleague } from '#server/incident-roles/flows.ts'
import type { Handlers } from '#server/kit/http/serve.ts'

import { findFigures } from './store.ts'

export const incidentFiguresRoutes = (): Handlers<typeof incidentFiguresApi> => ({
  get: ({ query }, { db, caller }) => {
    demandColleague(caller)
    return findFigures(db, { ...query, timeZone: caller.config.timeZone || 'UTC' })
  },
})
