import * as z from 'zod/mini'

import { timestamp } from '#contract/kit/text.ts'
import { CodeExpiry, confirmationCode, RefreshedTokens, SecondFactorType } from '#contract/sessions/schema.ts'

export const CODE_INCORRECT = 'The code entered was incorrect.'
/** Minutes that a verification lasts (decisions §5). */
export const VERIFICATION_MINUTES = 15

/** How the signed-in person verifies the session, and whether they did so recently. */
export const Verification = z.extend(CodeExpiry, {
  /** An authenticator code where one is enrolled or has to be, otherwise an emailed code. */
  secondFactorType: SecondFactorType,
  /** Whether an authenticator app is enrolled; always true for emailed codes. */
  initialized: z.boolean(),
  /** Until when this session counts as verified; null when it does not. */
  verifiedUntil: z.nullable(timestamp),
})
export type Verification = z.infer<typeof Verification>

export const VerificationState = z.extend(Verification, {
  /** Recovery codes that were not used yet; 0 where no authenticator app is enrolled. */
  recoveryCodesLeft: z.int(),
})
export type VerificationState = z.infer<typeof VerificationState>

export const VerificationCode = z.object({
  confirmationCode,
  /** The session's own: its tokens are then replaced, and the ones before are refused. */
  refreshToken: z.optional(z.string().check(z.maxLength(500))),
})

export const Verified = z.object({
  verifiedUntil: timestamp,
  /** Only where an authenticator app was enrolled by this. */
  recoveryCodes: z.optional(z.array(z.string())),
  /** New tokens of the session, where its refresh token was sent. */
  tokens: z.optional(RefreshedTokens),
})
export type Verified = z.infer<typeof Verified>

/** Shown once; each is usable once instead of a code. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })
