import type { liveApi } from '#contract/kit/live.ts'
import type { sessionsApi } from '#contract/sessions/api.ts'
import type { Handlers } from '#server/kit/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { changePassword, endSessions, findMe, refreshSession, signIn } from './flows.ts'

export const sessionsRoutes = (services: Services): Handlers<typeof sessionsApi> => ({
  signIn: ({ body }, from) => signIn(services, body, from),
  refresh: ({ body }) => refreshSession(services, body.refreshToken),
  signOut: async (_, { db, caller }) => {
    if (caller.sessionId) await endSessions(db, { sessionId: caller.sessionId }, 'signed out')
  },
  changePassword: async ({ body }) => {
    await changePassword(services, body)
  },
  me: (_, { db, caller }) => findMe(db, caller),
})

export const liveRoutes = ({ tokens }: Services): Handlers<typeof liveApi> => ({
  ticket: (_, { caller }) =>
    tokens.issueTicket({
      userId: caller.id,
      organisationId: caller.organisation.id,
      sessionId: caller.sessionId ?? '',
    }),
})
