import { configOf } from '#contract/config/catalogue.ts'
import type { organisationsApi, registryApi } from '#contract/organisations/api.ts'
import { Refusal } from '#server/kit/refusal.ts'
import type { Handlers } from '#server/kit/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { findOrganisation, listChildren } from './store.ts'

export const registryRoutes = ({
  database,
  settings,
  publicUrl,
}: Services): Handlers<typeof registryApi> => ({
  find: async ({ params }, { request }) => {
    const organisation = await findOrganisation(database, params.code)
    if (!organisation) throw new Refusal(404, 'No organization has this code.')
    // Without PUBLIC_URL the product is wherever the caller found it: localhost and 127.0.0.1 are two origins.
    const origin =
      settings.publicUrl ?? (request.host ? `${request.protocol}://${request.host}` : publicUrl())
    return { code: organisation.code, apiUrl: `${origin}/api` }
  },
})

/** An organisation's playbooks. There is no noun yet that could hold any. */
const NO_PLAYBOOKS = 0

export const organisationsRoutes: Handlers<typeof organisationsApi> = {
  children: async (_, { db }) => {
    const children = await listChildren(db)
    return children.map(({ id, code, display_name, config, global_config }) => {
      const { playbookMaxTemplates, playbookEnabled } = configOf(config, global_config ?? {})
      return {
        enterpriseId: id,
        enterpriseCode: code,
        displayName: display_name,
        maxTemplates: playbookMaxTemplates,
        currentTemplates: NO_PLAYBOOKS,
        playbookEnabled,
      }
    })
  },
}
