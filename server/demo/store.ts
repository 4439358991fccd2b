import { sql } from 'kysely'

import type { Config } from '#contract/config/catalogue.ts'
import type { ColumnsOf } from '#server/kit/database/columns.ts'
import type { ProviderDb } from '#server/kit/database/db.ts'
import type { OrganisationRow } from '#server/organisations/store.ts'

/**
 * Adds the first organisations. Returns whether it did: of two concurrent processes, one does. First deletes the
 * remains of an interrupted start.
 */
export async function insertFirstOrganisations(
  db: ProviderDb,
  organisations: readonly ColumnsOf<OrganisationRow>[],
): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended('first organisations', 0))`.execute(db)
  const known = await db.selectFrom('organisations').select('code').execute()
  if (known.length > 0) {
    const ours = organisations.map(({ code }) => code)
    const complete = await db
      .selectFrom('events')
      .select('id')
      .where('noun', '=', 'demonstration')
      .limit(1)
      .executeTakeFirst()
    if (complete || known.some(({ code }) => !ours.includes(code))) return false
    await db.deleteFrom('organisations').where('code', 'in', ours).execute()
  }
  await db
    .insertInto('organisations')
    .values(
      organisations.map((one) => ({ ...one, config: sql<Partial<Config>>`${JSON.stringify(one.config)}` })),
    )
    .execute()
  return true
}
