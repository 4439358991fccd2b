import { type ColumnsOf, selectionOf, valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

import type { Challenge } from '#server/second-factors/store.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    verifications: ColumnsOf<VerificationRow> & { session_id: string }
  }
}

export interface VerificationRow extends Challenge {
  /** Null when the session was never verified. */
  verifiedUntil: string | null
}

const NOTHING_YET: VerificationRow = {
  codeHash: null,
  codeExpiresTimestamp: null,
  nextCodeTimestamp: null,
  secret: null,
  verifiedUntil: null,
}
const ROW = selectionOf(Object.keys(NOTHING_YET) as (keyof VerificationRow)[])

/** The verification of a session; undefined where it never began one, or has ended. */
export async function findVerification(db: OrgDb, sessionId: string): Promise<VerificationRow> {
  const row = await db
    .selectFrom('verifications as v')
    .innerJoin('sessions as s', 's.id', 'v.session_id')
    .select(ROW)
    .where('v.session_id', '=', sessionId)
    .where('s.ended_timestamp', 'is', null)
    .executeTakeFirst()
  return row ?? NOTHING_YET
}

/**
 * The session's verification, locked until the transaction ends, so that the second of two uses of a code finds it
 * used.
 */
export async function holdVerification(db: OrgDb, sessionId: string): Promise<VerificationRow> {
  return db
    .insertInto('verifications')
    .values({ session_id: sessionId, ...valuesOf(NOTHING_YET) })
    .onConflict((conflict) =>
      conflict.column('session_id').doUpdateSet((eb) => ({ session_id: eb.ref('excluded.session_id') })),
    )
    .returning(ROW)
    .executeTakeFirstOrThrow()
}

export async function updateVerification(
  db: OrgDb,
  sessionId: string,
  changes: Partial<VerificationRow>,
): Promise<void> {
  await db.updateTable('verifications').set(valuesOf(changes)).where('session_id', '=', sessionId).execute()
}
