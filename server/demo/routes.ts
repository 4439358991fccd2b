import type { demoApi } from '#contract/demo/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { beginExercise, endExercise } from './exercise.flows.ts'

export const demoRoutes = (services: Services): Handlers<typeof demoApi> => ({
  begin: (_, { db, caller }) => beginExercise(services, db, caller),
  end: (_, { db, caller }) => endExercise(services, db, caller),
})
