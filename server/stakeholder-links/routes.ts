import type { stakeholderLinksApi } from '#contract/stakeholder-links/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { linksOf, makeLink, withdrawLink } from './flows.ts'

export const stakeholderLinksRoutes = (services: Services): Handlers<typeof stakeholderLinksApi> => ({
  list: ({ params, query }, { db, caller }) => linksOf(db, caller, params.id, query),
  create: {
    outsideTransaction: ({ params, body }, context) => makeLink(services, params.id, body, context),
  },
  withdraw: ({ params }, { db, caller }) => withdrawLink(db, caller, params.id),
})
