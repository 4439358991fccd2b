import { cleanEmail, email, INVALID_EMAIL } from '#contract/kit/text.ts'
import { lockedUntil } from '#providers/lockout.ts'
import { statusOf } from '#providers/problem.ts'

export type MailResult =
  | { readonly kind: 'sent'; readonly email: string }
  /** The address was refused. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'locked'; readonly until: number }
  | { readonly kind: 'failed' }

/** Requests a mail to a valid address. The result does not reveal whether the address has an account. */
export async function requestMail(
  typed: string,
  request: (email: string) => Promise<unknown>,
): Promise<MailResult> {
  try {
    const address = email.parse(cleanEmail(typed))
    await request(address)
    return { kind: 'sent', email: address }
  } catch (error) {
    const until = lockedUntil(error)
    if (until !== undefined) return { kind: 'locked', until }
    return statusOf(error) === 400 ? { kind: 'refused', message: INVALID_EMAIL } : { kind: 'failed' }
  }
}
