import type { managedUsersApi } from '#contract/managed-users/api.ts'
import { permissionCatalogue, roleCatalogue } from '#contract/users/rules.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { staffActs } from './flows.ts'

export const managedUsersRoutes = (services: Services): Handlers<typeof managedUsersApi> => ({
  ...staffActs(services),
  roles: async () => roleCatalogue(),
  userRoles: async () => roleCatalogue(),
  userPermissions: async () => permissionCatalogue(),
})
