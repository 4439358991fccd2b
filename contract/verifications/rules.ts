import type { Config } from '#contract/config/catalogue.ts'

type Demands = Pick<Config, 'auth2fa' | 'auth2faType' | 'sfs2fa'>

/**
 * Whether the organisation asks for an authenticator app somewhere: at sign-in, or before secure files, which must open
 * on the day when no mail arrives.
 */
export const demandsAuthenticator = ({ auth2fa, auth2faType, sfs2fa }: Demands): boolean =>
  auth2faType === 'TOTP' && (auth2fa || sfs2fa)
