import type { Enrolment } from '#contract/sessions/schema.ts'
import { verificationsApi } from '#contract/verifications/api.ts'
import type { Verification, Verified } from '#contract/verifications/schema.ts'
import { call } from '#providers/api.ts'
import { lockedUntil } from '#providers/lockout.ts'
import { statusOf } from '#providers/problem.ts'
import { serverNow } from '#providers/serverClock.ts'
import { getSession, renewTokens } from '#providers/session.ts'

import { needsVerification } from './needsVerification.ts'

export type Begun =
  | {
      readonly kind: 'code'
      readonly verification: Verification
      /** Time before which no code can be requested, if none could be mailed. */
      readonly requestAfter?: number
    }
  /** The organisation requires an authenticator app, and none is enrolled. */
  | { readonly kind: 'enrolment'; readonly enrolment: Enrolment }

const isOver = (timestamp: string | null) => timestamp === null || Date.parse(timestamp) <= serverNow()

/** Begins a verification: mails a code, unless a recent one is still valid. */
export async function beginVerification(): Promise<Begun> {
  let verification: Verification
  try {
    verification = await call(verificationsApi.begin)
  } catch (error) {
    const requestAfter = lockedUntil(error)
    if (requestAfter === undefined) throw error
    verification = await call(verificationsApi.state)
    if (isOver(verification.confirmationCodeExpiryTimestamp))
      return { kind: 'code', verification, requestAfter }
  }
  if (verification.initialized) return { kind: 'code', verification }
  try {
    return { kind: 'enrolment', enrolment: await beginEnrolment() }
  } catch (error) {
    // An app is already enrolled elsewhere, so no secret is given out: asks for its code (operations §3).
    if (statusOf(error) === 403) return { kind: 'code', verification }
    throw error
  }
}

/** Requests another emailed code. */
export const requestCode = (): Promise<Verification> => call(verificationsApi.begin)

/** Requests the secret for the setup of an authenticator app. */
export const beginEnrolment = (): Promise<Enrolment> => call(verificationsApi.initQR)

export type Verdict =
  | { readonly kind: 'verified'; readonly verified: Verified }
  | { readonly kind: 'wrong' | 'failed' }
  | { readonly kind: 'locked'; readonly until: number }
  /** The verification for an optional enrolment has expired. */
  | { readonly kind: 'overdue' }

/** Verifies the session with a code; with `enrols`, the code also enrols its authenticator app. */
export async function verifyCode(confirmationCode: string, enrols: boolean): Promise<Verdict> {
  const refreshToken = getSession().tokens?.refreshToken
  try {
    const verified = await call(verificationsApi.confirm, {
      body: { confirmationCode, ...(refreshToken && { refreshToken }) },
      query: enrols ? { initConfirmation: 'true' } : {},
    })
    if (refreshToken && verified.tokens) renewTokens(refreshToken, verified.tokens)
    return { kind: 'verified', verified }
  } catch (error) {
    const until = lockedUntil(error)
    if (until !== undefined) return { kind: 'locked', until }
    if (needsVerification(error)) return { kind: 'overdue' }
    return { kind: statusOf(error) === 400 ? 'wrong' : 'failed' }
  }
}
