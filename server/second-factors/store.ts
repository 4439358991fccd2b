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

/** The owner of a second factor: a person of the opened organisation, or a member of staff. */
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
  /** Time step of the last used code. */
  lastStep: number
  createTimestamp: string
}

/** The stored state of a sign-in or session that waits for a code. */
export interface Challenge {
  /** Hash of the emailed code; null when none was mailed or it was used. */
  codeHash: string | null
  codeExpiresTimestamp: string | null
  /** Time from which another code may be requested. */
  nextCodeTimestamp: string | null
  /** Encrypted secret of an authenticator app that is being enrolled. */
  secret: Buffer | null
}
/** Locked until the transaction ends, so that the second of two uses of one code finds it used. */
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

/** Stores an authenticator; false when another was enrolled meanwhile. */
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

/** Deletes an authenticator; false when there is none. */
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

/** True when a recovery code is unused; locks it until the transaction ends. */
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

/** Number of unused recovery codes. */
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
