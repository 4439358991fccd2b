import { configOf } from '#contract/config/catalogue.ts'
import type { organisationsApi, registryApi } from '#contract/organisations/api.ts'
import { Refusal } from '#server/kit/core/refusal.ts'
import type { Handlers, PublicContext } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { findOrganisation, listChildren } from './store.ts'

export const registryRoutes = ({ database, origins }: Services): Handlers<typeof registryApi> => {
  const apiUrl = (request: PublicContext['request']) => `${origins.of(request)}/api`
  return {
    base: async (_, { request }) => ({ apiUrl: apiUrl(request) }),
    find: async ({ params }, { request }) => {
      const organisation = await findOrganisation(database, params.code)
      if (!organisation || organisation.isDeleted) throw new Refusal(404, 'No organization has this code.')
      return { code: organisation.code, apiUrl: apiUrl(request) }
    },
  }
}

export const organisationsRoutes: Handlers<typeof organisationsApi> = {
  children: async (_, { db }) => {
    const children = await listChildren(db)
    return children.map(({ id, code, displayName, config, globalConfig, playbooks }) => {
      const { playbookMaxTemplates, playbookEnabled } = configOf(config, globalConfig ?? {})
      return {
        enterpriseId: id,
        enterpriseCode: code,
        displayName,
        maxTemplates: playbookMaxTemplates,
        currentTemplates: playbooks,
        playbookEnabled,
      }
    })
  },
}
