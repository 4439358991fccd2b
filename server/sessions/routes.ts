import type { liveApi } from '#contract/kit/live.ts'
import type { sessionsApi } from '#contract/sessions/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { endSessions, findMe, refreshSession } from './flows.ts'
import { changePassword, checkPasswordLink, forgotPassword, remindOrgCode } from './passwords.flows.ts'
import { beginEnrolment, confirmSignIn, resendCode, signIn } from './sign-in.flows.ts'

export const sessionsRoutes = (services: Services): Handlers<typeof sessionsApi> => ({
  signIn: ({ body }, from) => signIn(services, body, from),
  confirm: ({ body, query }, from) =>
    confirmSignIn(services, { ...body, enrols: query.initConfirmation === 'true' }, from),
  resend: ({ body }, from) => resendCode(services, body.temporaryAuthenticationToken, from),
  initQR: ({ body }) => beginEnrolment(services, body.temporaryAuthenticationToken),
  refresh: ({ body }) => refreshSession(services, body.refreshToken),
  signOut: async (_, { db, caller }) => {
    if (caller.sessionId) await endSessions(db, { sessionId: caller.sessionId }, 'signed out')
  },
  me: (_, { db, caller }) => findMe(db, caller),
  forgotPassword: async ({ body }, { address }) => {
    await forgotPassword(services, body, address)
  },
  remindOrgCode: async ({ query }, { address }) => {
    await remindOrgCode(services, query.email, address)
  },
  checkPasswordLink: async ({ body }, { address }) => {
    await checkPasswordLink(services, body, address)
  },
  changePassword: async ({ body }) => {
    await changePassword(services, body)
  },
})

export const liveRoutes = ({ tokens }: Services): Handlers<typeof liveApi> => ({
  ticket: (_, { caller }) =>
    tokens.issueTicket({
      userId: caller.id,
      organisationId: caller.organisation.id,
      sessionId: caller.sessionId ?? '',
    }),
})
