import type { staffApi } from '#contract/staff/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { changeStaff, findAllStaff, inviteStaff, removeStaff, resetStaffAuthenticator } from './flows.ts'
import {
  beginOwnEnrolment,
  beginSignInEnrolment,
  beginStaffSession,
  confirmOwnEnrolment,
  confirmStaffSignIn,
  currentStaff,
  endStaffSession,
  environmentsOf,
  requestLink,
} from './sign-in.flows.ts'

export const staffRoutes = (services: Services): Handlers<typeof staffApi> => ({
  environments: async (_, { request }) => environmentsOf(services, request),
  login: async ({ body }, context) => {
    await requestLink(services, body, context)
    return {}
  },
  session: ({ body }, { address }) => beginStaffSession(services, body.id, address),
  confirm: ({ body, query }, { address }) =>
    confirmStaffSignIn(services, { ...body, enrols: query.initConfirmation === 'true' }, address),
  initQR: ({ body }, { address }) =>
    beginSignInEnrolment(services, body.temporaryAuthenticationToken, address),
  logout: async (_, { db, caller }) => {
    await endStaffSession(db, caller)
  },
  me: (_, { db, caller }) => currentStaff(services, db, caller),
  beginEnrolment: (_, { db, caller }) => beginOwnEnrolment(services, db, caller),
  confirmEnrolment: ({ body }, { db, caller, address }) =>
    confirmOwnEnrolment(services, db, caller, { code: body.confirmationCode, address }),
  ticket: (_, { caller }) =>
    services.tokens.issueConsoleTicket({ staffId: caller.id, sessionId: caller.sessionId }),
  list: (_, { db }) => findAllStaff(services, db),
  invite: ({ body }, { db, caller }) => inviteStaff(services, db, caller, body),
  update: ({ params, body }, { db, caller }) => changeStaff(services, db, caller, params.id, body.role),
  resetAuthenticator: async ({ params }, { db, caller }) => {
    await resetStaffAuthenticator(services, db, caller, params.id)
  },
  remove: async ({ params }, { db, caller }) => {
    await removeStaff(services, db, caller, params.id)
  },
})
