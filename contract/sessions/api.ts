import * as z from 'zod/mini'

import { beforeNewPassword, everybody } from '#contract/kit/access.ts'
import { defineApi } from '#contract/kit/endpoint.ts'
import { email, nothing, organisationCode } from '#contract/kit/text.ts'

import { SESSION_PATHS } from './access.ts'
import {
  CodeExpiry,
  Confirmation,
  Credentials,
  Enrolment,
  Me,
  NewPassword,
  PasswordToken,
  Pending,
  RefreshedTokens,
  SessionData,
  SignInAnswer,
} from './schema.ts'

/** Sign-in and session (foundation §7). */
export const sessionsApi = defineApi({
  signIn: {
    method: 'POST',
    path: '/authentication/upass',
    access: everybody,
    summary: 'Signs a person in with email and password, or asks for their second factor.',
    body: Credentials,
    reply: SignInAnswer,
    errors: {
      401: 'The same words for every reason.',
      403: 'The password is right, but the organization is suspended: `organization_closed`.',
      429: 'Too many wrong passwords or codes.',
    },
  },
  confirm: {
    method: 'POST',
    path: '/authentication/confirm',
    access: everybody,
    summary: 'Completes a sign-in with a code: of the authenticator app, emailed, or a recovery code.',
    query: z.object({ initConfirmation: z.optional(z.enum(['true', 'false'])) }),
    body: Confirmation,
    reply: SessionData,
    errors: {
      401: 'The code is wrong or has expired, was used before, or the sign-in is over.',
      429: 'Too many wrong codes, of this person or from this address.',
    },
  },
  resend: {
    method: 'POST',
    path: '/authentication/resend',
    access: everybody,
    summary: 'Emails another code. The one before is no longer taken.',
    body: Pending,
    reply: CodeExpiry,
    errors: {
      400: 'The second factor is not an emailed code.',
      401: 'The sign-in is over.',
      429: 'Another code was asked for too soon, or there were too many wrong codes.',
    },
  },
  initQR: {
    method: 'POST',
    path: '/authentication/initQR',
    access: everybody,
    summary: 'The secret for an authenticator app, for somebody who has none enrolled yet.',
    body: Pending,
    reply: Enrolment,
    errors: { 401: 'The sign-in is over.', 409: 'An authenticator app is enrolled already.' },
  },
  refresh: {
    method: 'POST',
    path: SESSION_PATHS.refresh,
    access: everybody,
    repeatable: true,
    summary:
      'New tokens for a refresh token, which is used up. Repeated within 30 seconds it gets the same refresh token again, unless that was used; otherwise using one twice ends the session. A session lasts 30 days at most.',
    body: z.object({ refreshToken: z.string().check(z.maxLength(500)) }),
    reply: RefreshedTokens,
  },
  signOut: {
    method: 'POST',
    path: SESSION_PATHS.signOut,
    access: beforeNewPassword,
    repeatable: true,
    summary: 'Ends the session: its tokens are refused from now on.',
    reply: nothing,
    status: 204,
  },
  forgotPassword: {
    method: 'POST',
    path: '/authentication/forgotPassword',
    access: everybody,
    summary: 'Emails a link to set a new password. Answers the same whether or not there is such an account.',
    body: z.object({ enterpriseCode: organisationCode, userId: email }),
    reply: nothing,
    status: 204,
    errors: { 429: 'Asked for too often.' },
  },
  remindOrgCode: {
    method: 'POST',
    path: '/authentication/remindOrgCode',
    access: everybody,
    summary:
      'Emails the codes of the organizations that an address has an account in. Answers the same when there is none.',
    query: z.object({ email }),
    reply: nothing,
    status: 204,
    errors: { 429: 'Asked for too often.' },
  },
  checkPasswordLink: {
    method: 'POST',
    path: '/authentication/checkPasswordLink',
    access: everybody,
    repeatable: true,
    summary:
      'Whether the token of a mailed link can still set a password. Every fault of a link is refused alike.',
    body: PasswordToken,
    reply: nothing,
    status: 204,
    errors: { 400: 'The code is `token_expired`.', 429: 'Asked for too often.' },
  },
  changePassword: {
    method: 'POST',
    path: '/authentication/changePassword',
    access: everybody,
    summary:
      'Sets a password with the token of a mailed link, which is used up. Ends the sessions of the user.',
    body: NewPassword,
    reply: nothing,
    status: 204,
    errors: { 400: 'The password breaks a rule, or the code is `token_expired`.' },
  },
  me: {
    method: 'GET',
    path: SESSION_PATHS.me,
    access: beforeNewPassword,
    summary: 'The signed-in person and what they may do.',
    reply: Me,
  },
})
