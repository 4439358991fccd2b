import { VERIFICATION_REQUIRED } from '#contract/verifications/access.ts'
import { HttpProblem } from '#providers/problem.ts'

/** True if the session has to be verified first (decisions §5). */
export const needsVerification = (error: unknown): boolean =>
  error instanceof HttpProblem && error.body.code === VERIFICATION_REQUIRED
