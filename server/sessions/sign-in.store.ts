import type { Config } from '#contract/config/catalogue.ts'
import type { SecondFactorType } from '#contract/sessions/schema.ts'
import type { OrgDb, Tables } from '#server/kit/database/db.ts'
import type { Lookup } from '#server/kit/database/lookup.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    pending_sign_ins: {
      hash: Buffer
      user_id: string
      type: SecondFactorType
      code_hash: string | null
      code_expires_timestamp: string | null
      next_code_timestamp: string | null
      secret: Buffer | null
      expires_timestamp: string
    }
  }
}

/** Whose a sign-in is that waits for its second factor, and where. */
export interface PendingRow {
  readonly user_id: string
  readonly email: string
  readonly first_name: string
  readonly code: string
  readonly display_name: string
  readonly config: Partial<Config>
  readonly global_config: Partial<Config> | null
  readonly has_children: boolean
}

/** Finds a sign-in that is not over, as a statement for the opening of a transaction. */
export const pendingLookup = (hash: Buffer, at: string, organisationColumns: string): Lookup => ({
  name: 'pending_sign_in',
  sql: `select p.user_id, u.email, u.first_name, ${organisationColumns}
   from pending_sign_ins p join users u on u.id = p.user_id join organisations o on o.id = p.organisation_id
   where p.hash = decode($1, 'hex') and p.expires_timestamp > $2::timestamptz
     and u.active and not u.banned`,
  values: [hash.toString('hex'), at],
})

/**
 * Locks a pending sign-in until the transaction ends, so that a concurrent call waits for the result. Returns its
 * current row; undefined when it is over.
 */
export const holdPending = (db: OrgDb, hash: Buffer) =>
  db.selectFrom('pending_sign_ins').selectAll().where('hash', '=', hash).forUpdate().executeTakeFirst()

export async function insertPending(db: OrgDb, row: Tables['pending_sign_ins']): Promise<void> {
  await db.insertInto('pending_sign_ins').values(row).execute()
}

export async function updatePending(
  db: OrgDb,
  hash: Buffer,
  changes: Partial<Omit<Tables['pending_sign_ins'], 'hash' | 'user_id'>>,
): Promise<void> {
  await db.updateTable('pending_sign_ins').set(changes).where('hash', '=', hash).execute()
}

/** Forgets one sign-in that waits, or all of a user's. */
export async function deletePending(db: OrgDb, which: { hash: Buffer } | { userId: string }): Promise<void> {
  const query = db.deleteFrom('pending_sign_ins')
  await (
    'hash' in which ? query.where('hash', '=', which.hash) : query.where('user_id', '=', which.userId)
  ).execute()
}
