import { type Kysely, sql } from 'kysely'

/** Why the last attempt at removing a deleted organisation failed; null while one runs or is to come. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table organisations add column deletion_failure text`.execute(db)
}
