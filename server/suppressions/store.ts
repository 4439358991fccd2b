import { sql } from 'kysely'

import type { FoundSuppression, Suppression } from '#contract/suppressions/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { SUPPRESSION_COLUMNS } from '#server/kit/messages/suppressions.ts'

/** A page of suppressions, newest first, and their number. */
export async function listSuppressions(
  db: OrgDb,
  { active, offset, size }: { readonly active: boolean; readonly offset: number; readonly size: number },
): Promise<{ data: Suppression[]; total: number }> {
  const found = db
    .selectFrom('suppressions')
    .$if(active, (query) => query.where('lift_timestamp', 'is', null))
  const data = await found
    .select(SUPPRESSION_COLUMNS)
    .orderBy('create_timestamp', 'desc')
    .orderBy('id')
    .limit(size)
    .offset(offset)
    .execute()
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { data, total }
}

/** Suppressions of the numbers of users with these email addresses. */
export const listOfUsers = (db: OrgDb, emails: readonly string[]): Promise<FoundSuppression[]> =>
  db
    .selectFrom('users as u')
    .innerJoin('suppressions as s', (join) =>
      join.on(sql<boolean>`s.address in (u.phone_number, u.second_phone_number)`),
    )
    .select(SUPPRESSION_COLUMNS.map((column) => `s.${column}` as const))
    .select('u.email as owner')
    .where('s.lift_timestamp', 'is', null)
    .where('u.email', '=', sql<string>`any(${emails.map((one) => one.toLowerCase())}::text[])`)
    .orderBy('s.create_timestamp')
    .execute()

/** Finds a suppression and locks it until the transaction ends. */
export const holdSuppression = (db: OrgDb, id: string): Promise<Suppression | undefined> =>
  db
    .selectFrom('suppressions')
    .select(SUPPRESSION_COLUMNS)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** Stores that an address is tried again. */
export async function updateLifted(
  db: OrgDb,
  id: string,
  { at, by, reason }: { readonly at: string; readonly by: string; readonly reason: string },
): Promise<void> {
  await db
    .updateTable('suppressions')
    .set({ lift_timestamp: at, lifted_by: by, lift_reason: reason })
    .where('id', '=', id)
    .execute()
}
