import { isSignedIn, type Session } from '#providers/session.ts'
import type { EntryState } from '#src/kit/browser/location.ts'

/** The parameters of a mailed link (decisions §5). */
export interface PasswordLink {
  readonly userId: string
  readonly code: string
  readonly token: string
  /** The service's address in base64. */
  readonly address: string
  /** Of the account; links that were mailed earlier lack it. */
  readonly email: string
}

/** Reads the parameters of a mailed link; null where one is missing (foundation §2). */
export function passwordLink(search: string): PasswordLink | null {
  const query = new URLSearchParams(search)
  const [userId, code, token, address] = ['u', 'e', 't', 'a'].map((name) => query.get(name) ?? '')
  const email = query.get('m') ?? ''
  return userId && code && token && address ? { userId, code, token, address, email } : null
}

/** Where staff ask for a link to the console. */
export const STAFF_SIGN_IN = '/management-login'
const CONSOLE = '/management'
/** Whether a page belongs to the provider's console, which is an application of its own. */
export const isConsole = (path: string): boolean => path === CONSOLE || path.startsWith(`${CONSOLE}/`)

/** The id of a mailed link to the console; null where there is none (administration §2.2). */
export const staffLink = (path: string, search: string): string | null =>
  isConsole(path) ? new URLSearchParams(search).get('id') : null

const SET_PASSWORD = '/set-password'
/** The wizard of new organisations, by a mailed link. */
export const WELCOME = '/welcome'
const FORGOT_ORGANISATION = '/forgot-org-code'
const SIGNED_OUT_ONLY = ['/login', '/setup', '/forgot', FORGOT_ORGANISATION]

/** Whether a page does not depend on the session: mailed links and legal texts. */
export const isForEverybody = (path: string): boolean =>
  [SET_PASSWORD, WELCOME, '/privacy', '/terms'].includes(path) || staffLink(path, location.search) !== null

interface Redirect {
  readonly to: string
  readonly state?: EntryState
}
function consoleRedirect(path: string, session: Session): Redirect | undefined {
  if (isConsole(path)) return isSignedIn(session) ? undefined : { to: STAFF_SIGN_IN }
  return isSignedIn(session) ? { to: CONSOLE } : undefined
}

/** Where the session sends a visitor of this path; undefined where the path is right (foundation §2). */
export function redirectOf(path: string, session: Session, state: EntryState): Redirect | undefined {
  if (path === SET_PASSWORD && !passwordLink(location.search)) return { to: '/' }
  if (isForEverybody(path)) return undefined
  if (isConsole(path) || path === STAFF_SIGN_IN) return consoleRedirect(path, session)
  if (isSignedIn(session)) return SIGNED_OUT_ONLY.includes(path) ? { to: '/' } : undefined
  if (path === FORGOT_ORGANISATION) return undefined
  if (!session.organisation) return path === '/setup' ? undefined : { to: '/setup' }
  if (path === '/setup') return state.change ? undefined : { to: '/login' }
  if (SIGNED_OUT_ONLY.includes(path)) return undefined
  return { to: '/login', ...(session.ending !== 'left' && { state: { next: path + location.search } }) }
}
