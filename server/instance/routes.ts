import type { instanceApi } from '#contract/instance/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { findInstance, testCarrier } from './flows.ts'

export const instanceRoutes = (services: Services): Handlers<typeof instanceApi> => ({
  get: (_, { db }) => findInstance(services, db),
  test: {
    outsideTransaction: ({ params, body }, context) =>
      testCarrier(services, params.carrier, body.to, context),
  },
})
