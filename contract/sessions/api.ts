import * as z from 'zod/mini'

import { everybody, signedIn } from '#contract/kit/access.ts'
import { defineApi } from '#contract/kit/endpoint.ts'
import { nothing } from '#contract/kit/text.ts'

import { Credentials, Me, NewPassword, RefreshedTokens, SessionData } from './schema.ts'

/** Sign-in and session (foundation §7). */
export const sessionsApi = defineApi({
  signIn: {
    method: 'POST',
    path: '/authentication/upass',
    access: everybody,
    summary: 'Signs a person in with email and password.',
    body: Credentials,
    reply: SessionData,
    errors: { 401: 'The same words for every reason.' },
  },
  refresh: {
    method: 'POST',
    path: '/authentication/refreshToken',
    access: everybody,
    summary: 'New tokens for a refresh token, which is used up. Using one twice ends the session.',
    body: z.object({ refreshToken: z.string().check(z.maxLength(500)) }),
    reply: RefreshedTokens,
  },
  signOut: {
    method: 'POST',
    path: '/authentication/logout',
    access: signedIn,
    summary: 'Ends the session: its tokens are refused from now on.',
    reply: nothing,
    status: 204,
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
    path: '/me',
    access: signedIn,
    summary: 'The signed-in person and what they may do.',
    reply: Me,
  },
})
