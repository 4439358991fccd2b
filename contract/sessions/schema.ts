import * as z from 'zod/mini'

import { PERMISSIONS } from '#contract/kit/access.ts'
import { email, id, organisationCode, text, timestamp } from '#contract/kit/text.ts'
import { UserRole, UserType } from '#contract/users/schema.ts'

import { passwordProblem, passwordRules } from './rules.ts'

export const PASSWORD_REQUIRED = 'Please enter your password.'
/** One answer for every reason that a sign-in fails, so that it tells nothing of accounts. */
export const SIGN_IN_REFUSED = 'The email address or password is incorrect.'
export const TOKEN_EXPIRED = 'Your authorization token has expired.'
export const UNEXPECTED_RETRY = 'An unexpected error occurred, please try again.'

export const Permission = z.enum(PERMISSIONS)

/** The signed-in person (foundation §3 "Session"). */
export const SessionUser = z.object({
  uuid: id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phoneNumber: z.nullable(z.string()),
  role: UserRole,
  type: UserType,
  profileImageUrl: z.nullable(z.string()),
  lastUpdateTimestamp: timestamp,
  acceptedTerms: z.boolean(),
})
export type SessionUser = z.infer<typeof SessionUser>

export const Credentials = z.object({
  email,
  // A password is compared, never stored from here: no rule but presence, and a bound against abuse of the hash.
  password: z
    .string(PASSWORD_REQUIRED)
    .check(z.minLength(1, PASSWORD_REQUIRED), z.maxLength(1_000, PASSWORD_REQUIRED)),
  enterpriseCode: organisationCode,
})
export type Credentials = z.infer<typeof Credentials>

/** A password to be set: refused with the message of the first rule that it breaks. */
export const Password = z.string(passwordRules[0]!.message).check((context) => {
  const message = passwordProblem(context.value)
  if (message) context.issues.push({ code: 'custom', message, input: context.value })
})

/** A new password, proven by the token of a mailed link (foundation §7). */
export const NewPassword = z.object({
  newPassword: Password,
  enterpriseCode: organisationCode,
  // Not checked further: whatever is wrong with a link, it is told in the same words.
  userId: text(),
  oneTimePasscode: text(),
})
export type NewPassword = z.infer<typeof NewPassword>

/** What a completed sign-in answers (decisions §6). */
export const SessionData = z.object({
  isSuccess: z.literal(true),
  authenticationToken: z.string(),
  authenticationTokenExpiry: timestamp,
  /** The refresh token: usable once. */
  cueRefreshToken: z.string(),
  uuid: id,
  userIdHash: z.string(),
  user: SessionUser,
  permissions: z.array(Permission),
})
export type SessionData = z.infer<typeof SessionData>

/** A refreshed session (decisions §5). `expiresAt` is the refresh token's own end. */
export const RefreshedTokens = z.object({
  authenticationToken: z.string(),
  authenticationTokenExpiry: timestamp,
  refreshToken: z.string(),
  expiresAt: timestamp,
})
export type RefreshedTokens = z.infer<typeof RefreshedTokens>

export const Me = z.object({ user: SessionUser, userPermissions: z.array(Permission) })
export type Me = z.infer<typeof Me>

/** Seconds before its expiry at which a token is refreshed (decisions §3). */
export const REFRESH_MARGIN_SECONDS = 60
