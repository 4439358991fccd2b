import { type Enrolment, SIGN_IN_OVER } from '#contract/sessions/schema.ts'
import { secondFactor } from '#providers/i18n/second-factor.ts'
import { lockedUntil } from '#providers/lockout.ts'
import { HttpProblem, statusOf } from '#providers/problem.ts'

/** True if a call failed because the sign-in has expired and must start again. */
export const isOver = (error: unknown) =>
  error instanceof HttpProblem && error.status === 401 && error.message === SIGN_IN_OVER

/** Result of a code with the response of the completed sign-in. The session has not begun. */
export type CodeResult<Session> =
  | { readonly kind: 'done'; readonly data: Session }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'locked'; readonly until: number }
  | { readonly kind: 'over' }

/** Maps the response to a sign-in's code (foundation §8 "Sign-in"). */
export async function codeResult<Session>(confirmed: Promise<Session>): Promise<CodeResult<Session>> {
  try {
    return { kind: 'done', data: await confirmed }
  } catch (error) {
    const until = lockedUntil(error)
    if (until) return { kind: 'locked', until }
    if (isOver(error)) return { kind: 'over' }
    return { kind: 'refused', message: statusOf(error) === 401 ? secondFactor.refused : secondFactor.failed }
  }
}

export type EnrolmentResult =
  | { readonly kind: 'ready'; readonly enrolment: Enrolment }
  /** Another tab or device has enrolled an app meanwhile. */
  | { readonly kind: 'enrolled' }
  | { readonly kind: 'failed' | 'over' }

/** The secret for the setup of an authenticator app, or the reason why there is none. */
export async function enrolmentResult(begun: Promise<Enrolment>): Promise<EnrolmentResult> {
  try {
    return { kind: 'ready', enrolment: await begun }
  } catch (error) {
    if (statusOf(error) === 409) return { kind: 'enrolled' }
    return { kind: isOver(error) ? 'over' : 'failed' }
  }
}
