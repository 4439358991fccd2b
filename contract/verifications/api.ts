import * as z from 'zod/mini'

import { beforeNewPassword, signedIn } from '#contract/kit/access.ts'
import { defineApi } from '#contract/kit/endpoint.ts'
import { nothing } from '#contract/kit/text.ts'
import { Enrolment } from '#contract/sessions/schema.ts'

import { RecoveryCodes, Verification, VerificationCode, VerificationState, Verified } from './schema.ts'

/** Verification of a running session by second factor (foundation §4 "Two-factor verification", operations §7). */
export const verificationsApi = defineApi({
  state: {
    method: 'GET',
    path: '/sfs/2fa',
    access: beforeNewPassword,
    summary: 'How the signed-in person confirms that it is them, and whether they have done so lately.',
    reply: VerificationState,
  },
  begin: {
    method: 'POST',
    path: '/sfs/2fa',
    access: beforeNewPassword,
    summary: 'Asks for a verification. Where the method is an emailed code, one is sent.',
    reply: Verification,
    errors: { 429: 'Another code was asked for too soon, or there were too many wrong codes.' },
  },
  initQR: {
    method: 'POST',
    path: '/sfs/2fa/initQR',
    access: signedIn,
    summary: 'The secret for an authenticator app, for somebody who has none enrolled yet.',
    reply: Enrolment,
    errors: {
      403: 'An authenticator app is enrolled already, or the session has to be verified with an emailed code first: `verification_required`.',
    },
  },
  confirm: {
    method: 'POST',
    path: '/sfs/2fa/confirm',
    access: beforeNewPassword,
    summary:
      'Verifies this session for 15 minutes with a code. With the refresh token of the session all its tokens are replaced: those before are refused from then on.',
    query: z.object({ initConfirmation: z.optional(z.enum(['true', 'false'])) }),
    body: VerificationCode,
    reply: Verified,
    errors: { 400: 'The code is wrong or has expired.', 429: 'Too many wrong codes.' },
  },
  renewRecoveryCodes: {
    method: 'POST',
    path: '/me/recoveryCodes',
    access: signedIn,
    summary: 'Ten new recovery codes, told only now. Those that there were are no longer taken.',
    reply: RecoveryCodes,
    errors: {
      403: 'The session has to be verified: `verification_required`.',
      409: 'No authenticator app is enrolled.',
    },
  },
  removeAuthenticator: {
    method: 'DELETE',
    path: '/me/authenticator',
    access: signedIn,
    summary: 'Forgets the authenticator app and the recovery codes.',
    reply: nothing,
    status: 204,
    errors: {
      403: 'The session has to be verified: `verification_required`.',
      409: 'None is enrolled, or the organization demands one.',
    },
  },
})
