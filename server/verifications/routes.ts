import type { verificationsApi } from '#contract/verifications/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import {
  beginEnrolment,
  beginVerification,
  confirmVerification,
  forgetAuthenticator,
  renewCodes,
  stateOf,
} from './flows.ts'

export const verificationsRoutes = (services: Services): Handlers<typeof verificationsApi> => ({
  state: (_, { db, caller }) => stateOf(db, caller),
  begin: (_, { db, caller, address }) => beginVerification(services, db, caller, address),
  initQR: (_, { db, caller }) => beginEnrolment(services, db, caller),
  confirm: ({ body, query }, { db, caller, address }) =>
    confirmVerification(services, db, caller, {
      code: body.confirmationCode,
      enrols: query.initConfirmation === 'true',
      address,
      refreshToken: body.refreshToken,
    }),
  renewRecoveryCodes: async (_, { db, caller }) => ({
    recoveryCodes: await renewCodes(services, db, caller),
  }),
  removeAuthenticator: async (_, { db, caller }) => {
    await forgetAuthenticator(services, db, caller)
  },
})
