import { organisationCode } from '#contract/kit/text.ts'
import { sessionsApi } from '#contract/sessions/api.ts'
import { Credentials } from '#contract/sessions/schema.ts'
import { call } from '#providers/api.ts'
import { setPassword as passwordTexts } from '#providers/i18n/set-password.ts'
import { signIn as texts } from '#providers/i18n/sign-in.ts'
import { HttpProblem, messageOf, statusOf } from '#providers/problem.ts'
import { findOrganisation } from '#providers/readiness.ts'
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
    return `${status === undefined || status === 404 ? texts.notFound : texts.notRead} ${texts.tryAgain}`
  }
}

export interface SignInProblems {
  readonly email?: string | undefined
  readonly password?: string | undefined
  /** What the server said of both together. */
  readonly form?: string
}

/** Signs in. Answers what is wrong, if anything is. */
export async function signIn(credentials: {
  email: string
  password: string
  enterpriseCode: string
}): Promise<SignInProblems | undefined> {
  const body = Credentials.safeParse(credentials)
  if (!body.success) {
    const wrong = (name: string) => body.error.issues.find(({ path }) => path[0] === name)?.message
    return { email: wrong('email'), password: wrong('password') }
  }
  try {
    beginSession(await call(sessionsApi.signIn, { body: body.data }))
    return undefined
  } catch (error) {
    return { form: messageOf(error, texts.unexpected) }
  }
}

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
