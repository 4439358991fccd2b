import { type ColumnsOf, selectionOf, valuesOf } from '#server/kit/database/columns.ts'
import type { TransactionDb } from '#server/kit/database/db.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    authenticators: ColumnsOf<Authenticator>
    recovery_codes: StoredRecoveryCode
    staff_authenticators: ColumnsOf<Authenticator>
    staff_recovery_codes: StoredRecoveryCode
  }
}
interface StoredRecoveryCode {
  user_id: string
  hash: string
  used_timestamp: string | null
}

/** Whose second factor it is: somebody of the opened organisation, or a member of the provider's staff. */
export interface Owner {
  readonly kind: 'person' | 'staff'
  readonly id: string
}
const authenticatorsOf = ({ kind }: Owner) => (kind === 'staff' ? 'staff_authenticators' : 'authenticators')
const recoveryCodesOf = ({ kind }: Owner) => (kind === 'staff' ? 'staff_recovery_codes' : 'recovery_codes')

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
export const holdAuthenticator = (db: TransactionDb, owner: Owner) =>
  db
    .selectFrom(authenticatorsOf(owner))
    .select(selectionOf(['secret', 'lastStep']))
    .where('user_id', '=', owner.id)
    .forUpdate()
    .executeTakeFirst()

export async function hasAuthenticator(db: TransactionDb, owner: Owner): Promise<boolean> {
  const row = await db
    .selectFrom(authenticatorsOf(owner))
    .select('user_id')
    .where('user_id', '=', owner.id)
    .executeTakeFirst()
  return row !== undefined
}

/** Keeps an authenticator; false when another was enrolled meanwhile. */
export async function insertAuthenticator(
  db: TransactionDb,
  owner: Owner,
  row: Omit<Authenticator, 'userId'>,
): Promise<boolean> {
  const kept = await db
    .insertInto(authenticatorsOf(owner))
    .values(valuesOf({ ...row, userId: owner.id }))
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return kept !== undefined
}

export async function updateLastStep(db: TransactionDb, owner: Owner, step: number): Promise<void> {
  await db
    .updateTable(authenticatorsOf(owner))
    .set({ last_step: step })
    .where('user_id', '=', owner.id)
    .execute()
}

/** Forgets an authenticator; false when there is none. */
export async function deleteAuthenticator(db: TransactionDb, owner: Owner): Promise<boolean> {
  const gone = await db
    .deleteFrom(authenticatorsOf(owner))
    .where('user_id', '=', owner.id)
    .returning('user_id')
    .executeTakeFirst()
  return gone !== undefined
}

export async function insertRecoveryCodes(
  db: TransactionDb,
  owner: Owner,
  hashes: readonly string[],
): Promise<void> {
  await db
    .insertInto(recoveryCodesOf(owner))
    .values(hashes.map((hash) => ({ user_id: owner.id, hash, used_timestamp: null })))
    .execute()
}

/** Whether a recovery code can still be used; it is held until the transaction ends. */
export async function holdRecoveryCode(db: TransactionDb, owner: Owner, hash: string): Promise<boolean> {
  const row = await db
    .selectFrom(recoveryCodesOf(owner))
    .select('hash')
    .where('user_id', '=', owner.id)
    .where('hash', '=', hash)
    .where('used_timestamp', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

export async function updateRecoveryCodeUsed(
  db: TransactionDb,
  owner: Owner,
  hash: string,
  at: string,
): Promise<void> {
  await db
    .updateTable(recoveryCodesOf(owner))
    .set({ used_timestamp: at })
    .where('user_id', '=', owner.id)
    .where('hash', '=', hash)
    .execute()
}

/** Recovery codes that were not used yet. */
export async function countRecoveryCodes(db: TransactionDb, owner: Owner): Promise<number> {
  const { count } = await db
    .selectFrom(recoveryCodesOf(owner))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', owner.id)
    .where('used_timestamp', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

export async function deleteRecoveryCodes(db: TransactionDb, owner: Owner): Promise<void> {
  await db.deleteFrom(recoveryCodesOf(owner)).where('user_id', '=', owner.id).execute()
}
