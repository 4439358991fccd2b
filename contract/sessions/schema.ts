import * as z from 'zod/mini'

import { PERMISSIONS } from '#contract/kit/access.ts'
import { email, id, organisationCode, text, timestamp } from '#contract/kit/text.ts'
import { UserRole, UserType } from '#contract/users/schema.ts'

import { PASSWORD_MAX, PASSWORD_TOO_LONG, passwordProblem, passwordRules } from './rules.ts'

export const PASSWORD_REQUIRED = 'Please enter your password.'
/** One message for every reason that a sign-in fails, so that it does not reveal accounts. */
export const SIGN_IN_REFUSED = 'The email address or password is incorrect.'
/** Said to people of a suspended or deleted organisation once their password was right. */
export const ORGANISATION_CLOSED =
  'Your organization cannot be used at the moment. Please ask your administrator.'
export const TOKEN_EXPIRED = 'Your authorization token has expired.'
/** Refusals of a new password beside its composition (foundation §5, decisions §5). */
export const PASSWORD_USED_BEFORE = "Please choose a password you haven't used before."
export const PASSWORD_TOO_COMMON = 'Please choose a password that is harder to guess.'
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
  /** This session has to choose a new password before anything else. */
  passwordChangeRequired: z.boolean(),
})
export type SessionUser = z.infer<typeof SessionUser>

export const Credentials = z.object({
  email,
  // A password is compared, never stored from here: no rule but presence, and a bound against abuse of the hash.
  password: z
    .string(PASSWORD_REQUIRED)
    .check(z.minLength(1, PASSWORD_REQUIRED), z.maxLength(1_000, PASSWORD_TOO_LONG)),
  enterpriseCode: organisationCode,
})
export type Credentials = z.infer<typeof Credentials>

/** A new password, refused with the message of the first rule that it breaks. */
export const Password = z
  .string(passwordRules[0]!.message)
  .check(z.maxLength(PASSWORD_MAX, { error: PASSWORD_TOO_LONG, abort: true }), (context) => {
    const message = passwordProblem(context.value)
    if (message) context.issues.push({ code: 'custom', message, input: context.value })
  })

/** What a mailed link to set a password names. */
export const PasswordToken = z.object({
  enterpriseCode: organisationCode,
  // Not validated further: every fault of a link gets one message.
  userId: text(),
  oneTimePasscode: text(),
})
export type PasswordToken = z.infer<typeof PasswordToken>
/** A new password, proven by the token of a mailed link (foundation §7). */
export const NewPassword = z.extend(PasswordToken, { newPassword: Password })
export type NewPassword = z.infer<typeof NewPassword>

/** The reply of a completed sign-in (decisions §6). */
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
  /** Only where this sign-in enrolled an authenticator app: shown once, each usable once instead of a code. */
  recoveryCodes: z.optional(z.array(z.string())),
})
export type SessionData = z.infer<typeof SessionData>

/** How a sign-in is confirmed; the organisation decides (`auth2fa`, `auth2faType`). */
export const SecondFactorType = z.enum(['TOTP', 'EMAIL'])
export type SecondFactorType = z.infer<typeof SecondFactorType>

/** Digits of a code (foundation §5). */
export const CODE_LENGTH: { readonly [T in SecondFactorType]: number } = { TOTP: 6, EMAIL: 4 }
/** Digits of a recovery code, shown in two halves; on the wire they are one word. */
export const RECOVERY_CODE_LENGTH = 10
export const RECOVERY_CODE_COUNT = 10
export const INVALID_CODE = 'The confirmation code you entered is invalid or has expired.'
export const SIGN_IN_OVER = 'This sign-in has expired. Please start again.'
export const LOCKED_OUT = 'There were too many attempts. Please wait before trying again.'

/** When codes end and begin again; both null for an authenticator app, whose codes come from the app. */
export const CodeExpiry = z.object({
  /** Until when the emailed code is taken. */
  confirmationCodeExpiryTimestamp: z.nullable(timestamp),
  /** From when another code may be asked for. */
  newConfirmationCodeExpiryTimestamp: z.nullable(timestamp),
})
export type CodeExpiry = z.infer<typeof CodeExpiry>

/** A sign-in that waits for its second factor (foundation §3 "Two-factor data"). */
export const SecondFactorData = z.extend(CodeExpiry, {
  isSuccess: z.literal(false),
  /** Stands for the password that was right; opens nothing by itself. */
  temporaryAuthenticationToken: z.string(),
  /** Whether an authenticator app is enrolled; always true for emailed codes. */
  initialized: z.boolean(),
  secondFactorType: SecondFactorType,
})
export type SecondFactorData = z.infer<typeof SecondFactorData>

export const SignInAnswer = z.discriminatedUnion('isSuccess', [SessionData, SecondFactorData])
export type SignInAnswer = z.infer<typeof SignInAnswer>

const temporaryAuthenticationToken = z.string(SIGN_IN_OVER).check(z.maxLength(500, SIGN_IN_OVER))
export const Pending = z.object({ temporaryAuthenticationToken })

/** A code as typed: digits, optionally in groups. The server checks its length. */
export const confirmationCode = z.string(INVALID_CODE).check(
  z.maxLength(40, INVALID_CODE),
  z.overwrite((value) => value.replace(/[\s-]/g, '')),
  z.regex(/^\d{4,10}$/, INVALID_CODE),
)
export const Confirmation = z.object({ confirmationCode, temporaryAuthenticationToken })

/** What an authenticator app is enrolled with. */
export const Enrolment = z.object({
  /** Base32, to be typed into an app that cannot see the code. */
  secret: z.string(),
  /** An image of the QR code as a data URI. */
  qrCode: z.string(),
})
export type Enrolment = z.infer<typeof Enrolment>

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
