import type { registryApi } from '#contract/organisations/api.ts'
import { Refusal } from '#server/kit/refusal.ts'
import type { Handlers } from '#server/kit/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { findOrganisation } from './store.ts'

export const registryRoutes = ({ database, publicUrl }: Services): Handlers<typeof registryApi> => ({
  find: async ({ params }) => {
    const organisation = await findOrganisation(database, params.code)
    if (!organisation) throw new Refusal(404, 'No organization has this code.')
    return { code: organisation.code, apiUrl: `${publicUrl()}/api` }
  },
})
