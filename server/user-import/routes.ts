import type { usersApi } from '#contract/users/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { importUsers } from './flows.ts'

export const userImportRoutes = (services: Services): Pick<Handlers<typeof usersApi>, 'import'> => ({
  import: ({ body }, { db, caller }) => importUsers(services, db, caller, body),
})
