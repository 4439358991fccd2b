import { isSignedIn, type Session } from '#providers/session.ts'
import type { EntryState } from '#src/kit/browser/location.ts'

/** The parameters of a mailed link (decisions §5). */
export interface PasswordLink {
  readonly userId: string
  readonly code: string
  readonly token: string
  /** The server's address in base64. */
  readonly address: string
  /** Address of the account; older links lack it. */
  readonly email: string
}

/** Reads the parameters of a mailed link; null if one is missing (foundation §2). */
export function passwordLink(search: string): PasswordLink | null {
  const query = new URLSearchParams(search)
  const [userId, code, token, address] = ['u', 'e', 't', 'a'].map((name) => query.get(name) ?? '')
  const email = query.get('m') ?? ''
  return userId && code && token && address ? { userId, code, token, address, email } : null
}

/** Page where staff request a link to the console. */
export const STAFF_SIGN_IN = '/management-login'
const CONSOLE = '/management'
/** True for pages of the provider's console, a separate application. */
export const isConsole = (path: string): boolean => path === CONSOLE || path.startsWith(`${CONSOLE}/`)

/** The id of a mailed link to the console; null for none (administration §2.2). */
export const staffLink = (path: string, search: string): string | null =>
  isConsole(path) ? new URLSearchParams(search).get('id') : null

const SET_PASSWORD = '/set-password'
/** The wizard of new organisations, opened by a mailed link. */
export const WELCOME = '/welcome'
/** The page of links to files, for people without an account. */
export const FILE_LINK = '/link'
const FORGOT_ORGANISATION = '/forgot-org-code'
const SIGNED_OUT_ONLY = ['/login', '/setup', '/forgot', FORGOT_ORGANISATION]

/** True for pages independent of the session: mailed links and legal texts. */
export const isForEverybody = (path: string): boolean =>
  [SET_PASSWORD, WELCOME, FILE_LINK, '/privacy', '/terms'].includes(path) ||
  staffLink(path, location.search) !== null

interface Redirect {
  readonly to: string
  readonly state?: EntryState
}
function consoleRedirect(path: string, session: Session): Redirect | undefined {
  if (isConsole(path)) return isSignedIn(session) ? undefined : { to: STAFF_SIGN_IN }
  return isSignedIn(session) ? { to: CONSOLE } : undefined
}

/** Redirect for this path and session; undefined if the path is right (foundation §2). */
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
