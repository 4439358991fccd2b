import * as z from 'zod/mini'

import { timestamp } from '#contract/kit/text.ts'
import { CodeExpiry, confirmationCode, RefreshedTokens, SecondFactorType } from '#contract/sessions/schema.ts'

export const CODE_INCORRECT = 'The code entered was incorrect.'
/** Minutes that a verification lasts (decisions §5). */
export const VERIFICATION_MINUTES = 15

/** The session's second factor, and its state of verification. */
export const Verification = z.extend(CodeExpiry, {
  /** An authenticator code where an app is enrolled or required, otherwise an emailed code. */
  secondFactorType: SecondFactorType,
  /** True when an authenticator app is enrolled; always true for emailed codes. */
  initialized: z.boolean(),
  /** End of the session's verification; null for an unverified session. */
  verifiedUntil: z.nullable(timestamp),
})
export type Verification = z.infer<typeof Verification>

export const VerificationState = z.extend(Verification, {
  /** Unused recovery codes; 0 without an authenticator app. */
  recoveryCodesLeft: z.int(),
})
export type VerificationState = z.infer<typeof VerificationState>

export const VerificationCode = z.object({
  confirmationCode,
  /** The session's refresh token. With it the session gets new tokens, and the old ones are refused. */
  refreshToken: z.optional(z.string().check(z.maxLength(500))),
})

export const Verified = z.object({
  verifiedUntil: timestamp,
  /** Present only when this call enrolled an authenticator app. */
  recoveryCodes: z.optional(z.array(z.string())),
  /** New tokens of the session, if its refresh token was sent. */
  tokens: z.optional(RefreshedTokens),
})
export type Verified = z.infer<typeof Verified>

/** Shown once; each is usable once instead of a code. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })
