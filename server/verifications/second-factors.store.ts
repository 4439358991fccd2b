import { type ColumnsOf, selectionOf, valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    authenticators: ColumnsOf<Authenticator>
    recovery_codes: { user_id: string; hash: string; used_timestamp: string | null }
  }
}

/** An authenticator app that is enrolled. */
interface Authenticator {
  userId: string
  /** Encrypted. */
  secret: Buffer
  /** The time step of the last code that was used. */
  lastStep: number
  createTimestamp: string
}

/** The stored state of a sign-in or session that waits for a code. */
export interface Challenge {
  /** Of the emailed code; null when none was mailed or it was used. */
  codeHash: string | null
  codeExpiresTimestamp: string | null
  /** From when another code may be asked for. */
  nextCodeTimestamp: string | null
  /** Of an authenticator app that is being enrolled, encrypted. */
  secret: Buffer | null
}
/** Held until the transaction ends, so that of two uses of one code the second finds it used. */
export const holdAuthenticator = (db: OrgDb, userId: string) =>
  db
    .selectFrom('authenticators')
    .select(selectionOf(['secret', 'lastStep']))
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()

export async function hasAuthenticator(db: OrgDb, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('authenticators')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/** Keeps an authenticator; false when another was enrolled meanwhile. */
export async function insertAuthenticator(db: OrgDb, row: Authenticator): Promise<boolean> {
  const kept = await db
    .insertInto('authenticators')
    .values(valuesOf(row))
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return kept !== undefined
}

export async function updateLastStep(db: OrgDb, userId: string, step: number): Promise<void> {
  await db.updateTable('authenticators').set({ last_step: step }).where('user_id', '=', userId).execute()
}

/** Forgets an authenticator; false when there is none. */
export async function deleteAuthenticator(db: OrgDb, userId: string): Promise<boolean> {
  const gone = await db
    .deleteFrom('authenticators')
    .where('user_id', '=', userId)
    .returning('user_id')
    .executeTakeFirst()
  return gone !== undefined
}

export async function insertRecoveryCodes(
  db: OrgDb,
  userId: string,
  hashes: readonly string[],
): Promise<void> {
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, hash, used_timestamp: null })))
    .execute()
}

/** Whether a recovery code can still be used; it is held until the transaction ends. */
export async function holdRecoveryCode(db: OrgDb, userId: string, hash: string): Promise<boolean> {
  const row = await db
    .selectFrom('recovery_codes')
    .select('hash')
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .where('used_timestamp', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

export async function updateRecoveryCodeUsed(
  db: OrgDb,
  userId: string,
  hash: string,
  at: string,
): Promise<void> {
  await db
    .updateTable('recovery_codes')
    .set({ used_timestamp: at })
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .execute()
}

/** Recovery codes that were not used yet. */
export async function countRecoveryCodes(db: OrgDb, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('used_timestamp', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

export async function deleteRecoveryCodes(db: OrgDb, userId: string): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}
