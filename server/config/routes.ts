import type { configApi } from '#contract/config/api.ts'
import { Refusal } from '#server/kit/core/refusal.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { organisationWithConfig } from './flows.ts'

export const configRoutes = ({ database, settings }: Services): Handlers<typeof configApi> => ({
  forEverybody: async ({ params }) => {
    const found = await organisationWithConfig(database, params.code)
    if (!found || found.organisation.isDeleted) throw new Refusal(404, 'No organization has this code.')
    return { ...found.config, displayName: found.organisation.displayName }
  },
  forPeople: async (_, { caller }) => ({
    ...caller.config,
    displayName: caller.organisation.displayName,
    offersSms: settings.offersSms,
    convertsOffice: settings.officeConverter !== null,
  }),
})
