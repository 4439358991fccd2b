import type { incidentFiguresApi } from '#contract/incident-figures/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'

import { demandReader } from './flows.ts'
import { findFigures } from './store.ts'

export const incidentFiguresRoutes = (): Handlers<typeof incidentFiguresApi> => ({
  get: {
    first: demandReader,
    handle: ({ query }, { db, caller }) =>
      findFigures(db, { ...query, timeZone: caller.config.timeZone || 'UTC' }),
  },
})
