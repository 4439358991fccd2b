import type { webhooksApi } from '#contract/webhooks/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { changeWebhook, createWebhook, resend, sendTest } from './endpoints.flows.ts'
import { listDeliveries, webhooks } from './store.ts'

export const webhooksRoutes = ({ secrets, settings }: Services): Handlers<typeof webhooksApi> => ({
  list: ({ query }, { db }) => webhooks.list(db, query),
  create: ({ body }, { db, caller }) => createWebhook({ secrets, settings }, db, caller, body),
  update: ({ params, body }, { db }) => changeWebhook({ settings }, db, params.id, body),
  remove: ({ params }, { db }) => webhooks.remove(db, params.id),
  deliveries: async ({ params, query }, { db }) => {
    await webhooks.open(db, params.id)
    return listDeliveries(db, params.id, query)
  },
  test: ({ params }, { db, caller }) => sendTest(db, caller, params.id),
  resend: ({ params }, { db }) => resend(db, params.id, params.deliveryId),
})
