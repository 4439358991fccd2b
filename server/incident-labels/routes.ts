import type { incidentLabelsApi } from '#contract/incident-labels/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'

import { suggestLabels } from './labels.flows.ts'

export const incidentLabelsRoutes = (): Handlers<typeof incidentLabelsApi> => ({
  list: async ({ query }, { db, caller }) => ({ data: await suggestLabels(db, caller, query) }),
})
