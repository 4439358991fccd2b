import type { sessionsApi } from '#contract/sessions/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { changePassword, forgotPassword, remindOrgCode } from './flows.ts'

export const passwordsRoutes = (
  services: Services,
): Pick<Handlers<typeof sessionsApi>, 'forgotPassword' | 'remindOrgCode' | 'changePassword'> => ({
  forgotPassword: async ({ body }, { address }) => {
    await forgotPassword(services, body, address)
  },
  remindOrgCode: async ({ query }, { address }) => {
    await remindOrgCode(services, query.email, address)
  },
  changePassword: async ({ body }) => {
    await changePassword(services, body)
  },
})
