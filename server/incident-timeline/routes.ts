import type { incidentTimelineApi } from '#contract/incident-timeline/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { addEntry, changeEntry, demandInternal as first, entryHistory, removeEntry } from './entries.flows.ts'
import { timelineFilters, timelineOf } from './flows.ts'

export const incidentTimelineRoutes = (services: Services): Handlers<typeof incidentTimelineApi> => ({
  list: {
    first,
    handle: ({ params, query }, { db, caller }) => timelineOf(db, caller, params.id, query),
  },
  filters: {
    first,
    handle: ({ params, query }, { db, caller }) => timelineFilters(db, caller, params.id, query.person),
  },
  add: ({ params, body }, { db, caller }) => addEntry(db, caller, params.id, body),
  update: ({ params, body }, { db, caller }) => changeEntry(db, caller, params.id, body),
  remove: ({ params }, { db, caller }) => removeEntry(services, db, caller, params.id),
  history: { first, handle: ({ params }, { db, caller }) => entryHistory(db, caller, params.id) },
})
