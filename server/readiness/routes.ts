import type { readinessApi } from '#contract/readiness/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { activateWaiting, groupsOfBoard, openBoard, peopleOfBoard } from './flows.ts'
import { demandTesting, groupsOfTest, openPlan, setPlan, startTest, testsOfBoard } from './tests.flows.ts'

export const readinessRoutes = (services: Services): Handlers<typeof readinessApi> => ({
  board: (_, { db, caller }) => openBoard(db, caller),
  groups: ({ query }, { db, caller }) => groupsOfBoard(db, caller, query),
  people: ({ query }, { db, caller }) => peopleOfBoard(db, caller, query),
  activate: ({ body }, { db, caller }) => activateWaiting(services, db, caller, body.after),
  tests: (_, { db }) => testsOfBoard(db),
  testGroups: ({ params, query }, { db }) => groupsOfTest(db, params.id, query),
  start: {
    first: demandTesting,
    handle: ({ body }, { db, caller }) => startTest(services, db, caller, body),
  },
  plan: (_, { db, caller }) => openPlan(db, caller),
  setPlan: {
    first: demandTesting,
    handle: ({ body }, { db, caller }) => setPlan(services, db, caller, body),
  },
})
