// The schemas are in another file, because every page loads this one before its first call.

/** Paths of the session endpoints below the base. */
export const SESSION_PATHS = {
  me: '/me',
  refresh: '/authentication/refreshToken',
  signOut: '/authentication/logout',
} as const
/** Seconds before its expiry at which a token is refreshed (decisions §3). */
export const REFRESH_MARGIN_SECONDS = 60
