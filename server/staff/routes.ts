import type { staffApi } from '#contract/staff/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import {
  beginStaffSession,
  endStaffSession,
  environmentsOf,
  findAllStaff,
  inviteStaff,
  removeStaff,
  requestLink,
} from './flows.ts'
import { findSessionEnd } from './store.ts'

export const staffRoutes = (services: Services): Handlers<typeof staffApi> => ({
  environments: async (_, { request }) => environmentsOf(services, request),
  login: async ({ body }, context) => {
    await requestLink(services, body, context)
    return {}
  },
  session: ({ body }) => beginStaffSession(services, body.id),
  logout: async (_, { db, caller }) => {
    await endStaffSession(db, caller)
  },
  me: async (_, { db, caller }) => ({
    id: caller.id,
    email: caller.name,
    expiresAt: await findSessionEnd(db, caller.sessionId),
  }),
  ticket: (_, { caller }) =>
    services.tokens.issueConsoleTicket({ staffId: caller.id, sessionId: caller.sessionId }),
  list: (_, { db }) => findAllStaff(services, db),
  invite: ({ body }, { db, caller }) => inviteStaff(services, db, caller, body.email),
  remove: async ({ params }, { db, caller }) => {
    await removeStaff(services, db, caller, params.id)
  },
})
