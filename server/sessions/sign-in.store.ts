import type { SecondFactorType } from '#contract/sessions/schema.ts'
import { type ColumnsOf, selectionOf, selectionText, valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Lookup } from '#server/kit/database/lookup.ts'

import { type CredentialOrganisation, ORGANISATION_COLUMNS } from './store.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    pending_sign_ins: ColumnsOf<PendingSignIn>
  }
}

/** A sign-in that waits for its second factor. */
interface PendingSignIn {
  hash: Buffer
  userId: string
  type: SecondFactorType
  codeHash: string | null
  codeExpiresTimestamp: string | null
  nextCodeTimestamp: string | null
  secret: Buffer | null
  expiresTimestamp: string
}
const CHALLENGE = ['type', 'codeHash', 'codeExpiresTimestamp', 'nextCodeTimestamp', 'secret'] as const

/** The person and organisation of a pending sign-in. */
export interface PendingRow extends CredentialOrganisation {
  readonly userId: string
  readonly email: string
  readonly firstName: string
}

/** Finds a pending sign-in that has not expired, as a statement for the opening of a transaction. */
export const pendingLookup = (hash: Buffer, at: string): Lookup => ({
  name: 'pending_sign_in',
  sql: `select p.user_id as "userId", ${selectionText(['email', 'firstName'], 'u.')}, ${ORGANISATION_COLUMNS}
   from pending_sign_ins p join users u on u.id = p.user_id join organisations o on o.id = p.organisation_id
   where p.hash = decode($1, 'hex') and p.expires_timestamp > $2::timestamptz
     and u.active and not u.banned`,
  values: [hash.toString('hex'), at],
})

/**
 * Locks a pending sign-in until the transaction ends, so that a concurrent call waits for the result. Returns the
 * stored challenge; undefined when it has expired.
 */
export const holdPending = (db: OrgDb, hash: Buffer) =>
  db
    .selectFrom('pending_sign_ins')
    .select(selectionOf(CHALLENGE))
    .where('hash', '=', hash)
    .forUpdate()
    .executeTakeFirst()

export async function insertPending(db: OrgDb, row: PendingSignIn): Promise<void> {
  await db.insertInto('pending_sign_ins').values(valuesOf(row)).execute()
}

export async function updatePending(
  db: OrgDb,
  hash: Buffer,
  changes: Partial<Omit<PendingSignIn, 'hash' | 'userId'>>,
): Promise<void> {
  await db.updateTable('pending_sign_ins').set(valuesOf(changes)).where('hash', '=', hash).execute()
}

/** Deletes one pending sign-in, or all of a user's. */
export async function deletePending(db: OrgDb, which: { hash: Buffer } | { userId: string }): Promise<void> {
  const query = db.deleteFrom('pending_sign_ins')
  await (
    'hash' in which ? query.where('hash', '=', which.hash) : query.where('user_id', '=', which.userId)
  ).execute()
}

/** Deletes all pending sign-ins of the organisation. */
export async function deleteAllPending(db: OrgDb): Promise<void> {
  await db.deleteFrom('pending_sign_ins').execute()
}
