import type { Config } from '#contract/config/catalogue.ts'

type Demands = Pick<Config, 'auth2fa' | 'auth2faType' | 'sfs2fa'>

/**
 * True when the organisation requires an authenticator app, at sign-in or for secure files, which have to
 * open also while no mail arrives.
 */
export const demandsAuthenticator = ({ auth2fa, auth2faType, sfs2fa }: Demands): boolean =>
  auth2faType === 'TOTP' && (auth2fa || sfs2fa)
