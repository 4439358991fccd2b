import { cleanEmail, email, INVALID_EMAIL, organisationCode } from '#contract/kit/text.ts'
import { registryApi } from '#contract/organisations/api.ts'
import { sessionsApi } from '#contract/sessions/api.ts'
import {
  type CodeExpiry,
  Credentials,
  type Enrolment,
  type SecondFactorData,
  type SessionData,
  SIGN_IN_OVER,
} from '#contract/sessions/schema.ts'
import { call } from '#providers/api.ts'
import { forgot } from '#providers/i18n/forgot.ts'
import { secondFactor } from '#providers/i18n/second-factor.ts'
import { setPassword as passwordTexts } from '#providers/i18n/set-password.ts'
import { setup } from '#providers/i18n/setup.ts'
import { signIn as texts } from '#providers/i18n/sign-in.ts'
import { HttpProblem, messageOf, statusOf } from '#providers/problem.ts'
import { findOrganisation } from '#providers/readiness.ts'
import { serverNow } from '#providers/serverClock.ts'
import { beginSession, chooseOrganisation, endSession } from '#providers/session.ts'

// The pages load without this file and ask for it at the first keystroke: checks and calls are not needed to look at.

/** Finds and chooses an organisation by its code. Answers what is wrong, if anything is (foundation §8). */
export async function setUp(typed: string): Promise<string | undefined> {
  const code = organisationCode.safeParse(typed)
  if (!code.success) return code.error.issues[0]?.message
  try {
    chooseOrganisation(await findOrganisation(code.data))
    return undefined
  } catch (error) {
    const status = statusOf(error)
    return `${status === undefined || status === 404 ? setup.notFound : setup.notRead} ${setup.tryAgain}`
  }
}

/** Until when nothing more can be tried, by the server's clock in milliseconds; undefined for any other failure. */
function lockedUntil(error: unknown): number | undefined {
  if (!(error instanceof HttpProblem) || error.status !== 429) return undefined
  return serverNow() + (error.body.msUntilNextAttempt ?? UNKNOWN_LOCKOUT_MS)
}
/** Waited where a server in between refuses and does not say for how long. */
const UNKNOWN_LOCKOUT_MS = 60_000

export interface SignInProblems {
  readonly email?: string | undefined
  readonly password?: string | undefined
  /** What the server said of both together. */
  readonly form?: string
  readonly lockedUntil?: number
}
export type SignInResult =
  | { kind: 'in' }
  /** Email and password are right; a second factor is asked for. */
  | { kind: 'pending'; pending: SecondFactorData }
  | { kind: 'refused'; problems: SignInProblems }

/** The first step of sign-in. */
export async function signIn(credentials: {
  email: string
  password: string
  enterpriseCode: string
}): Promise<SignInResult> {
  const body = Credentials.safeParse({ ...credentials, email: cleanEmail(credentials.email) })
  if (!body.success) {
    const wrong = (name: string) => body.error.issues.find(({ path }) => path[0] === name)?.message
    return { kind: 'refused', problems: { email: wrong('email'), password: wrong('password') } }
  }
  try {
    const answer = await call(sessionsApi.signIn, { body: body.data })
    if (!answer.isSuccess) return { kind: 'pending', pending: answer }
    beginSession(answer)
    return { kind: 'in' }
  } catch (error) {
    const until = lockedUntil(error)
    const problems = until ? { lockedUntil: until } : { form: messageOf(error, texts.unexpected) }
    return { kind: 'refused', problems }
  }
}

/** Whether a call failed because the sign-in took too long: only its beginning helps. */
const isOver = (error: unknown) =>
  error instanceof HttpProblem && error.status === 401 && error.message === SIGN_IN_OVER

export type CodeResult =
  | { kind: 'done'; data: SessionData }
  | { kind: 'refused'; message: string }
  | { kind: 'locked'; until: number }
  | { kind: 'over' }

/** Completes a sign-in with a code (foundation §8 "Sign-in"). The session has not begun when it answers. */
export async function confirmCode(
  { temporaryAuthenticationToken, initialized }: SecondFactorData,
  confirmationCode: string,
): Promise<CodeResult> {
  try {
    const data = await call(sessionsApi.confirm, {
      body: { confirmationCode, temporaryAuthenticationToken },
      query: initialized ? {} : { initConfirmation: 'true' },
    })
    return { kind: 'done', data }
  } catch (error) {
    const until = lockedUntil(error)
    if (until) return { kind: 'locked', until }
    if (isOver(error)) return { kind: 'over' }
    return { kind: 'refused', message: statusOf(error) === 401 ? secondFactor.refused : secondFactor.failed }
  }
}

export type ResendResult =
  | { kind: 'sent'; expiry: CodeExpiry }
  | { kind: 'locked'; until: number }
  | { kind: 'failed' | 'over' }

/** Asks for another emailed code. */
export async function resendCode(pending: SecondFactorData): Promise<ResendResult> {
  const { temporaryAuthenticationToken } = pending
  try {
    return {
      kind: 'sent',
      expiry: await call(sessionsApi.resend, { body: { temporaryAuthenticationToken } }),
    }
  } catch (error) {
    const until = lockedUntil(error)
    if (until) return { kind: 'locked', until }
    return { kind: isOver(error) ? 'over' : 'failed' }
  }
}

export type EnrolmentResult =
  | { kind: 'ready'; enrolment: Enrolment }
  /** Another tab or device was quicker. */
  | { kind: 'enrolled' }
  | { kind: 'failed' | 'over' }

/** Asks for the secret that an authenticator app is set up with. */
export async function beginEnrolment(pending: SecondFactorData): Promise<EnrolmentResult> {
  const { temporaryAuthenticationToken } = pending
  try {
    return {
      kind: 'ready',
      enrolment: await call(sessionsApi.initQR, { body: { temporaryAuthenticationToken } }),
    }
  } catch (error) {
    if (statusOf(error) === 409) return { kind: 'enrolled' }
    return { kind: isOver(error) ? 'over' : 'failed' }
  }
}

export type ReminderResult =
  | { kind: 'sent'; email: string }
  | { kind: 'refused'; problem?: string | undefined; message?: string }
  | { kind: 'locked'; until: number }

/** Asks for a mail. What the server answers tells nothing of accounts, and neither does what is answered here. */
async function remind(typed: string, ask: (email: string) => Promise<unknown>): Promise<ReminderResult> {
  const address = email.safeParse(cleanEmail(typed))
  if (!address.success) return { kind: 'refused', problem: address.error.issues[0]?.message }
  try {
    await ask(address.data)
    return { kind: 'sent', email: address.data }
  } catch (error) {
    const until = lockedUntil(error)
    if (until) return { kind: 'locked', until }
    return statusOf(error) === 400
      ? { kind: 'refused', problem: INVALID_EMAIL }
      : { kind: 'refused', message: forgot.unexpected }
  }
}

/** Asks for a mail with a link to set a new password. */
export const remindOfPassword = (typed: string, enterpriseCode: string): Promise<ReminderResult> =>
  remind(typed, (userId) => call(sessionsApi.forgotPassword, { body: { enterpriseCode, userId } }))

/** Asks for a mail with the codes of a person's organisations, at the address that the registry names. */
export const remindOfOrganisation = (typed: string): Promise<ReminderResult> =>
  remind(typed, async (address) => {
    const { apiUrl } = await call(registryApi.base, { base: '' })
    if (!apiUrl) throw new Error('The registry names no address.')
    await call(sessionsApi.remindOrgCode, { query: { email: address }, base: apiUrl })
  })

/** What a mailed link carries (decisions §5). */
export interface PasswordLink {
  readonly userId: string
  readonly code: string
  readonly token: string
  /** The service's address in base64. */
  readonly address: string
}
export type SetPasswordResult = { kind: 'done' } | { kind: 'expired' } | { kind: 'refused'; message: string }

/** Sets a password with a mailed link. The link's address is believed only where the registry says the same. */
export async function setPassword(link: PasswordLink, newPassword: string): Promise<SetPasswordResult> {
  try {
    const organisation = await findOrganisation(link.code)
    if (decoded(link.address) !== organisation.apiUrl) return { kind: 'expired' }
    const { userId, token } = link
    const body = { newPassword, userId, oneTimePasscode: token, enterpriseCode: organisation.code }
    await call(sessionsApi.changePassword, { body, base: organisation.apiUrl })
    endSession('left')
    chooseOrganisation(organisation)
    return { kind: 'done' }
  } catch (error) {
    const isExpired =
      statusOf(error) === 404 || (error instanceof HttpProblem && error.body.code === 'token_expired')
    return isExpired
      ? { kind: 'expired' }
      : { kind: 'refused', message: messageOf(error, passwordTexts.unexpected) }
  }
}

function decoded(address: string): string {
  try {
    return atob(address)
  } catch {
    return ''
  }
}
