import type { Schema } from '#contract/kit/endpoint.ts'
import { cleanEmail, email, organisationCode } from '#contract/kit/text.ts'
import { registryApi } from '#contract/organisations/api.ts'
import { sessionsApi } from '#contract/sessions/api.ts'
import {
  type CodeExpiry,
  type Credentials,
  PASSWORD_REQUIRED,
  type SecondFactorData,
  type SessionData,
} from '#contract/sessions/schema.ts'
import { call } from '#providers/api.ts'
import { setPassword as passwordTexts } from '#providers/i18n/set-password.ts'
import { setup } from '#providers/i18n/setup.ts'
import { signIn as texts } from '#providers/i18n/sign-in.ts'
import { lockedUntil } from '#providers/lockout.ts'
import { HttpProblem, messageOf, statusOf } from '#providers/problem.ts'
import { findOrganisation } from '#providers/organisation.ts'
import { beginSession, chooseOrganisation, endSession, type Organisation } from '#providers/session.ts'
import type { PasswordLink } from './publicRoutes.ts'
import { type MailResult, requestMail } from './requestMail.ts'
import {
  type CodeResult,
  codeResult,
  type EnrolmentResult,
  enrolmentResult,
  isOver,
} from '#src/verifications/second-factor/results.ts'

// Loaded after the public pages have rendered, because this file imports the contract's schemas and the API client.

/** Message of the first violated rule; undefined for a valid value. */
const problemOf = (schema: Schema, value: unknown): string | undefined =>
  schema.safeParse(value).error?.issues[0]?.message
export const emailProblem = (typed: string) => problemOf(email, cleanEmail(typed))
export const organisationProblem = (typed: string) => problemOf(organisationCode, typed)
export const passwordProblem = (typed: string) => (typed === '' ? PASSWORD_REQUIRED : undefined)

/** Finds an organisation by its valid code and selects it. Resolves to an error message, if any (foundation §8). */
export async function setUp(typed: string): Promise<string | undefined> {
  try {
    chooseOrganisation(await findOrganisation(organisationCode.parse(typed)))
    return undefined
  } catch (error) {
    const status = statusOf(error)
    return `${status === undefined || status === 404 ? setup.notFound : setup.notRead} ${setup.tryAgain}`
  }
}

export type SignInResult =
  | { readonly kind: 'in' }
  /** Email and password are right, and a second factor is required. */
  | { readonly kind: 'pending'; readonly pending: SecondFactorData }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'locked'; readonly until: number }

/** Step 1 of sign-in, with a valid address. */
export async function signIn(credentials: Credentials): Promise<SignInResult> {
  try {
    const body = { ...credentials, email: email.parse(cleanEmail(credentials.email)) }
    const answer = await call(sessionsApi.signIn, { body })
    if (!answer.isSuccess) return { kind: 'pending', pending: answer }
    beginSession(answer)
    return { kind: 'in' }
  } catch (error) {
    const until = lockedUntil(error)
    if (until !== undefined) return { kind: 'locked', until }
    return { kind: 'refused', message: messageOf(error, texts.unexpected) }
  }
}

/** Completes a sign-in with a code. The session has not begun when it resolves. */
export const confirmCode = (
  { temporaryAuthenticationToken }: SecondFactorData,
  confirmationCode: string,
  enrols: boolean,
): Promise<CodeResult<SessionData>> =>
  codeResult(
    call(sessionsApi.confirm, {
      body: { confirmationCode, temporaryAuthenticationToken },
      query: enrols ? { initConfirmation: 'true' } : {},
    }),
  )

export type ResendResult =
  | { kind: 'sent'; expiry: CodeExpiry }
  | { kind: 'locked'; until: number }
  | { kind: 'failed' | 'over' }

/** Requests another emailed code. */
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

/** Requests the secret for the setup of an authenticator app. */
export const beginEnrolment = ({
  temporaryAuthenticationToken,
}: SecondFactorData): Promise<EnrolmentResult> =>
  enrolmentResult(call(sessionsApi.initQR, { body: { temporaryAuthenticationToken } }))

/** Requests a mail with a link to set a new password. */
export const remindOfPassword = (typed: string, enterpriseCode: string): Promise<MailResult> =>
  requestMail(typed, (userId) => call(sessionsApi.forgotPassword, { body: { enterpriseCode, userId } }))

/** Requests a mail with the codes of a person's organisations, from the server that the registry names. */
export const remindOfOrganisation = (typed: string): Promise<MailResult> =>
  requestMail(typed, async (address) => {
    const { apiUrl } = await call(registryApi.base, { base: '' })
    if (!apiUrl) throw new Error('The registry names no address.')
    await call(sessionsApi.remindOrgCode, { query: { email: address }, base: apiUrl })
  })

export type SetPasswordResult =
  | { kind: 'done' }
  /** Result of setting the password, or of the check on opening. */
  | { kind: 'expired' | 'over' }
  | { kind: 'refused'; message: string }

/** The organisation of a link; null if its server address is not the registry's. */
async function organisationOf(link: PasswordLink): Promise<Organisation | null> {
  const organisation = await findOrganisation(link.code)
  return decoded(link.address) === organisation.apiUrl ? organisation : null
}
/** Name of a link's organisation; undefined if it cannot be found. */
export const organisationName = (link: PasswordLink): Promise<string | undefined> =>
  organisationOf(link).then(
    (organisation) => organisation?.config.displayName,
    () => undefined,
  )

const isLinkExpired = (error: unknown): boolean =>
  statusOf(error) === 404 || (error instanceof HttpProblem && error.body.code === 'token_expired')

/** True if a mailed link has expired; false if the server cannot be reached. */
export async function isExpired(link: PasswordLink): Promise<boolean> {
  try {
    const organisation = await organisationOf(link)
    if (!organisation) return true
    const { userId, token } = link
    const body = { userId, oneTimePasscode: token, enterpriseCode: organisation.code }
    await call(sessionsApi.checkPasswordLink, { body, base: organisation.apiUrl })
    return false
  } catch (error) {
    return isLinkExpired(error)
  }
}

/**
 * Sets a password with a mailed link. The link's server address is accepted only if the registry returns it
 * for the organisation.
 */
export async function setPassword(link: PasswordLink, newPassword: string): Promise<SetPasswordResult> {
  try {
    const organisation = await organisationOf(link)
    if (!organisation) return { kind: 'expired' }
    const { userId, token } = link
    const body = { newPassword, userId, oneTimePasscode: token, enterpriseCode: organisation.code }
    await call(sessionsApi.changePassword, { body, base: organisation.apiUrl })
    endSession('left')
    chooseOrganisation(organisation)
    return { kind: 'done' }
  } catch (error) {
    return isLinkExpired(error)
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
