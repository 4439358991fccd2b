import { hash, verify } from '@node-rs/argon2'

import { takeTurns } from './turns.ts'

/** Argon2id with OWASP's first recommendation: 19 MiB, two passes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** Hashing at once: more would only take turns on the processor, and each holds its memory. */
const AT_ONCE = 2

const inTurn = takeTurns({ atOnce: AT_ONCE })

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, COST))

let decoy: Promise<string> | undefined
/** Whether the password is right. Takes as long for an account without a password, or for none at all. */
export async function passwordMatches(password: string, stored: string | null): Promise<boolean> {
  decoy ??= hashPassword('a password that nobody has')
  const against = stored ?? (await decoy)
  const matches = await inTurn(() => verify(against, password))
  return matches && stored !== null
}
