import type { sessionsApi } from '#contract/sessions/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { beginEnrolment, confirmSignIn, resendCode, signIn } from './flows.ts'

export const signInsRoutes = (
  services: Services,
): Pick<Handlers<typeof sessionsApi>, 'signIn' | 'confirm' | 'resend' | 'initQR'> => ({
  signIn: ({ body }, from) => signIn(services, body, from),
  confirm: ({ body, query }, from) =>
    confirmSignIn(services, { ...body, enrols: query.initConfirmation === 'true' }, from),
  resend: ({ body }, from) => resendCode(services, body.temporaryAuthenticationToken, from),
  initQR: ({ body }) => beginEnrolment(services, body.temporaryAuthenticationToken),
})
