// What every page of the browser needs before its first call, apart from the schemas, which weigh more.

/** The calls that keep a session, below the base. */
export const SESSION_PATHS = {
  me: '/me',
  refresh: '/authentication/refreshToken',
  signOut: '/authentication/logout',
} as const
/** Seconds before its expiry at which a token is refreshed (decisions §3). */
export const REFRESH_MARGIN_SECONDS = 60
