import type { incidentFiguresApi } from '#contract/incident-figures/api.ts'
import { demandInternal } from '#server/incident-timeline/entries.flows.ts'
import type { Handlers } from '#server/kit/http/serve.ts'

import { findFigures } from './store.ts'

export const incidentFiguresRoutes = (): Handlers<typeof incidentFiguresApi> => ({
  get: {
    first: demandInternal,
    handle: ({ query }, { db, caller }) =>
      findFigures(db, { ...query, timeZone: caller.config.timeZone || 'UTC' }),
  },
})
