import { cleanEmail, email } from '#contract/kit/text.ts'
import { staffApi } from '#contract/staff/api.ts'
import { call } from '#providers/api.ts'
import { statusOf } from '#providers/problem.ts'
import { beginStaffSession } from '#providers/session.ts'
import { type MailResult, requestMail } from '#src/shared/requestMail.ts'

// The pages render without this file, which brings the schemas of the contract: they load it right after.

/** The console's calls are those of the installation that serves the page. */
const base = '/management-api'

export const emailProblem = (typed: string): string | undefined =>
  email.safeParse(cleanEmail(typed)).error?.issues[0]?.message

/** The installations of the provider, of which this one is Local. */
export const findEnvironments = () => call(staffApi.environments, { base })

/** Requests a mail with a link to the console. */
export const requestLink = (typed: string): Promise<MailResult> =>
  requestMail(typed, (address) =>
    call(staffApi.login, { body: { email: address, feUrl: location.origin }, base }),
  )

/** Begins the session of a mailed link. `over` stands for a link that is used, too old or unknown. */
export async function beginWithLink(id: string): Promise<'in' | 'over' | 'failed'> {
  try {
    const { token, email: address, expiresAt } = await call(staffApi.session, { body: { id }, base })
    beginStaffSession({ email: address, baseUrl: base }, token, expiresAt)
    return 'in'
  } catch (error) {
    const status = statusOf(error)
    return status !== undefined && status >= 400 && status < 500 ? 'over' : 'failed'
  }
}
