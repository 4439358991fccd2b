import { hash, verify } from '@node-rs/argon2'

import { limitConcurrency } from '../core/concurrency.ts'

/** Argon2id with OWASP's first recommendation: 19 MiB, two passes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** Concurrent hashes: more would only share the processor, and each holds 19 MiB. */
const CONCURRENCY = 2

const limited = limitConcurrency({ concurrency: CONCURRENCY })

export const hashPassword = (password: string): Promise<string> => limited(() => hash(password, COST))

let decoy: Promise<string> | undefined
/** True for the correct password. Takes as long for an account without a password, or for none at all. */
export async function passwordMatches(password: string, stored: string | null): Promise<boolean> {
  decoy ??= hashPassword('a password that nobody has')
  const against = stored ?? (await decoy)
  const matches = await limited(() => verify(against, password))
  return matches && stored !== null
}
