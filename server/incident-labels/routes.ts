import type { incidentLabelsApi } from '#contract/incident-labels/api.ts'
import { demandInternal } from '#server/incident-fields/flows.ts'
import type { Handlers } from '#server/kit/http/serve.ts'

import { listLabels } from './store.ts'

export const incidentLabelsRoutes = (): Handlers<typeof incidentLabelsApi> => ({
  list: {
    first: demandInternal,
    handle: async ({ query }, { db }) => ({ data: await listLabels(db, query) }),
  },
})
