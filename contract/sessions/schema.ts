import * as z from 'zod/mini'

import { PERMISSIONS } from '#contract/kit/access.ts'
import { email, id, organisationCode, text, timestamp } from '#contract/kit/text.ts'
import { UserRole, UserType } from '#contract/users/schema.ts'

import { PASSWORD_MAX, PASSWORD_TOO_LONG, passwordProblem, passwordRules } from './rules.ts'

export const PASSWORD_REQUIRED = 'Please enter your password.'
/** One message for all causes of a failed sign-in, so that accounts cannot be probed. */
export const SIGN_IN_REFUSED = 'The email address or password is incorrect.'
/** For people of a suspended or deleted organisation, after a correct password. */
export const ORGANISATION_CLOSED =
  'Your organization cannot be used at the moment. Please ask your administrator.'
export const TOKEN_EXPIRED = 'Your authorization token has expired.'
/** Refusals of a well-formed new password (foundation §5, decisions §5). */
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
  phoneExtension: z.nullable(z.string()),
  secondPhoneNumber: z.nullable(z.string()),
  secondPhoneExtension: z.nullable(z.string()),
  role: UserRole,
  type: UserType,
  profileImageUrl: z.nullable(z.string()),
  lastUpdateTimestamp: timestamp,
  acceptedTerms: z.boolean(),
  /** The person has to choose a new password before anything else. */
  passwordChangeRequired: z.boolean(),
})
export type SessionUser = z.infer<typeof SessionUser>

export const Credentials = z.object({
  email,
  // Compared, never stored: the bound only limits the cost of hashing.
  password: z
    .string(PASSWORD_REQUIRED)
    .check(z.minLength(1, PASSWORD_REQUIRED), z.maxLength(1_000, PASSWORD_TOO_LONG)),
  enterpriseCode: organisationCode,
})
export type Credentials = z.infer<typeof Credentials>

/** A new password, refused with the message of the first broken rule. */
export const Password = z
  .string(passwordRules[0]!.message)
  .check(z.maxLength(PASSWORD_MAX, { error: PASSWORD_TOO_LONG, abort: true }), (context) => {
    const message = passwordProblem(context.value)
    if (message) context.issues.push({ code: 'custom', message, input: context.value })
  })

/** The content of a mailed link to set a password. */
export const PasswordToken = z.object({
  enterpriseCode: organisationCode,
  // Not validated further: all faults of a link get one message.
  userId: text(),
  oneTimePasscode: text(),
})
export type PasswordToken = z.infer<typeof PasswordToken>
/** A new password, authorised by the token of a mailed link (foundation §7). */
export const NewPassword = z.extend(PasswordToken, { newPassword: Password })
export type NewPassword = z.infer<typeof NewPassword>

/** The reply of a completed sign-in (decisions §6). */
export const SessionData = z.object({
  isSuccess: z.literal(true),
  authenticationToken: z.string(),
  authenticationTokenExpiry: timestamp,
  /** A refresh token, usable once. */
  cueRefreshToken: z.string(),
  uuid: id,
  userIdHash: z.string(),
  user: SessionUser,
  permissions: z.array(Permission),
  /** Present only when this sign-in enrolled an authenticator app. Shown once, each usable once instead of a code. */
  recoveryCodes: z.optional(z.array(z.string())),
})
export type SessionData = z.infer<typeof SessionData>

/** Second factor of a sign-in, by configuration of the organisation (`auth2fa`, `auth2faType`). */
export const SecondFactorType = z.enum(['TOTP', 'EMAIL'])
export type SecondFactorType = z.infer<typeof SecondFactorType>

/** Digits of a code (foundation §5). */
export const CODE_LENGTH: { readonly [T in SecondFactorType]: number } = { TOTP: 6, EMAIL: 4 }
/** Digits of a recovery code, shown in two halves and sent as one word. */
export const RECOVERY_CODE_LENGTH = 10
export const RECOVERY_CODE_COUNT = 10
export const INVALID_CODE = 'The confirmation code you entered is invalid or has expired.'
export const SIGN_IN_OVER = 'This sign-in has expired. Please start again.'
export const LOCKED_OUT = 'There were too many attempts. Please wait before trying again.'

/** Validity of emailed codes; both null for an authenticator app. */
export const CodeExpiry = z.object({
  /** Expiry of the emailed code. */
  confirmationCodeExpiryTimestamp: z.nullable(timestamp),
  /** Earliest time to request another code. */
  newConfirmationCodeExpiryTimestamp: z.nullable(timestamp),
})
export type CodeExpiry = z.infer<typeof CodeExpiry>

/** A sign-in pending its second factor (foundation §3 "Two-factor data"). */
export const SecondFactorData = z.extend(CodeExpiry, {
  isSuccess: z.literal(false),
  /** Proof of the correct password. Gives no access. */
  temporaryAuthenticationToken: z.string(),
  /** True when an authenticator app is enrolled; always true for emailed codes. */
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

/** Secret for enrolling an authenticator app. */
export const Enrolment = z.object({
  /** Base32, to type into an app that cannot scan the code. */
  secret: z.string(),
  /** The QR code's image as a data URI. */
  qrCode: z.string(),
})
export type Enrolment = z.infer<typeof Enrolment>

/** A refreshed session (decisions §5). `expiresAt` is the expiry of the refresh token. */
export const RefreshedTokens = z.object({
  authenticationToken: z.string(),
  authenticationTokenExpiry: timestamp,
  refreshToken: z.string(),
  expiresAt: timestamp,
})
export type RefreshedTokens = z.infer<typeof RefreshedTokens>

export const Me = z.object({ user: SessionUser, userPermissions: z.array(Permission) })
export type Me = z.infer<typeof Me>
