import type { liveApi } from '#contract/kit/live.ts'
import type { sessionsApi } from '#contract/sessions/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { endSessions, findMe, refreshSession } from './flows.ts'

export const sessionsRoutes = (
  services: Services,
): Pick<Handlers<typeof sessionsApi>, 'refresh' | 'signOut' | 'me'> => ({
  refresh: ({ body }) => refreshSession(services, body.refreshToken),
  signOut: async (_, { db, caller }) => {
    if (caller.sessionId) await endSessions(db, { sessionId: caller.sessionId }, 'signed out')
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
