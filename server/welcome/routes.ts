import type { managementWelcomeApi, welcomeApi } from '#contract/welcome/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import {
  findInvitation,
  openPackage,
  renewInvitation,
  retryPopulation,
  savePackage,
  sendInvitation,
  withdrawInvitation,
} from './flows.ts'

export const welcomeRoutes = (services: Services): Handlers<typeof welcomeApi> => ({
  get: ({ params }, { request }) => openPackage(services, params.uid, request),
  save: ({ params, body }, { request }) => savePackage(services, params.uid, body, request),
  renew: async ({ params }, { address }) => {
    await renewInvitation(services, params.uid, address)
  },
})

export const managementWelcomeRoutes = (services: Services): Handlers<typeof managementWelcomeApi> => ({
  get: ({ params }, { db }) => findInvitation(services, db, params.id),
  send: ({ params, query }, context) => sendInvitation(services, context, params.id, query.feUrl),
  withdraw: ({ params }, { db }) => withdrawInvitation(services, db, params.id),
  retry: ({ params }, { db }) => retryPopulation(services, db, params.id),
})
