import { cleanEmail, email } from '#contract/kit/text.ts'
import { staffApi } from '#contract/staff/api.ts'
import type { PendingStaff, StaffSession } from '#contract/staff/schema.ts'
import { call } from '#providers/api.ts'
import { lockedUntil } from '#providers/lockout.ts'
import { statusOf } from '#providers/problem.ts'
import { beginStaffSession } from '#providers/session.ts'
import { type MailResult, requestMail } from '#src/sign-in/requestMail.ts'
import {
  type CodeResult,
  codeResult,
  type EnrolmentResult,
  enrolmentResult,
} from '#src/verifications/second-factor/results.ts'

// Loaded after the pages have rendered, because this file imports the contract's schemas.

/** The console calls the installation that serves the page. */
const base = '/management-api'

export const emailProblem = (typed: string): string | undefined =>
  email.safeParse(cleanEmail(typed)).error?.issues[0]?.message

/** The provider's installations, of which this one is Local. */
export const findEnvironments = () => call(staffApi.environments, { base })

export const requestLink = (typed: string): Promise<MailResult> =>
  requestMail(typed, (address) =>
    call(staffApi.login, { body: { email: address, feUrl: location.origin }, base }),
  )

export type LinkResult =
  | { readonly kind: 'in'; readonly session: StaffSession }
  /** The link is valid, and a second factor is required. */
  | { readonly kind: 'pending'; readonly pending: PendingStaff }
  | { readonly kind: 'locked'; readonly until: number }
  /** `over` means a used, expired or unknown link. */
  | { readonly kind: 'over' | 'failed' }

/** Uses a mailed link. Without a second factor, the session can begin. */
export async function openLink(id: string): Promise<LinkResult> {
  try {
    const answer = await call(staffApi.session, { body: { id }, base })
    return 'token' in answer ? { kind: 'in', session: answer } : { kind: 'pending', pending: answer }
  } catch (error) {
    const until = lockedUntil(error)
    if (until !== undefined) return { kind: 'locked', until }
    const status = statusOf(error)
    return { kind: status !== undefined && status >= 400 && status < 500 ? 'over' : 'failed' }
  }
}

export const enter = ({ token, email: address, role, expiresAt }: StaffSession): void =>
  beginStaffSession({ email: address, role, baseUrl: base }, token, expiresAt)

/** Completes a sign-in with a code. The session has not begun when it resolves. */
export const confirmCode = (
  { temporaryAuthenticationToken }: PendingStaff,
  confirmationCode: string,
  enrols: boolean,
): Promise<CodeResult<StaffSession>> =>
  codeResult(
    call(staffApi.confirm, {
      body: { confirmationCode, temporaryAuthenticationToken },
      query: enrols ? { initConfirmation: 'true' } : {},
      base,
    }),
  )

/** Requests the secret for the setup of an authenticator app. */
export const beginEnrolment = ({ temporaryAuthenticationToken }: PendingStaff): Promise<EnrolmentResult> =>
  enrolmentResult(call(staffApi.initQR, { body: { temporaryAuthenticationToken }, base }))
