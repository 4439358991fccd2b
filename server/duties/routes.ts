import type { dutiesApi } from '#contract/duties/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { changeDuty, createDuty, removeDuty } from './catalogue.flows.ts'
import { duties } from './catalogue.store.ts'
import {
  changeClock,
  clocksOf,
  demandReader,
  fileClock,
  resumeClock,
  setClockAside,
  startClocks,
} from './flows.ts'

export const dutiesRoutes = (services: Services): Handlers<typeof dutiesApi> => ({
  list: ({ query }, { db }) => duties.list(db, query),
  create: ({ body }, { db }) => createDuty(db, body),
  update: ({ params, body }, { db }) => changeDuty(db, params.id, body),
  remove: ({ params }, { db }) => removeDuty(db, params.id),
  clocks: {
    first: demandReader,
    handle: ({ params }, { db, caller }) => clocksOf(db, caller, params.id),
  },
  start: ({ params, body }, { db, caller }) => startClocks(services, db, caller, params.id, body),
  change: ({ params, body }, { db, caller }) => changeClock(services, db, caller, params.id, body),
  file: ({ params, body }, { db, caller }) => fileClock(db, caller, params.id, body),
  setAside: ({ params, body }, { db, caller }) => setClockAside(db, caller, params.id, body),
  resume: ({ params, body }, { db, caller }) => resumeClock(services, db, caller, params.id, body.version),
})
