import type { OrgDb } from '#server/kit/database/db.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    verifications: VerificationRow & { session_id: string }
  }
}

export interface VerificationRow {
  code_hash: string | null
  code_expires_timestamp: string | null
  next_code_timestamp: string | null
  secret: Buffer | null
  /** Null when the session was never verified. */
  verified_until: string | null
}

const COLUMNS = [
  'code_hash',
  'code_expires_timestamp',
  'next_code_timestamp',
  'secret',
  'verified_until',
] as const satisfies readonly (keyof VerificationRow)[]
const NOTHING_YET: VerificationRow = {
  code_hash: null,
  code_expires_timestamp: null,
  next_code_timestamp: null,
  secret: null,
  verified_until: null,
}

/** What a session has of a verification; nothing where it never asked for one, or is over. */
export async function findVerification(db: OrgDb, sessionId: string): Promise<VerificationRow> {
  const row = await db
    .selectFrom('verifications as v')
    .innerJoin('sessions as s', 's.id', 'v.session_id')
    .select(COLUMNS)
    .where('v.session_id', '=', sessionId)
    .where('s.ended_timestamp', 'is', null)
    .executeTakeFirst()
  return row ?? NOTHING_YET
}

/**
 * The session's verification, locked until the transaction ends, so that a second concurrent use of a code finds it
 * used.
 */
export async function holdVerification(db: OrgDb, sessionId: string): Promise<VerificationRow> {
  return db
    .insertInto('verifications')
    .values({ session_id: sessionId, ...NOTHING_YET })
    .onConflict((conflict) =>
      conflict.column('session_id').doUpdateSet((eb) => ({ session_id: eb.ref('excluded.session_id') })),
    )
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export async function updateVerification(
  db: OrgDb,
  sessionId: string,
  changes: Partial<VerificationRow>,
): Promise<void> {
  await db.updateTable('verifications').set(changes).where('session_id', '=', sessionId).execute()
}
