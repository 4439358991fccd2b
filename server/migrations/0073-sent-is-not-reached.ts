import { type Kysely, sql } from 'kysely'

/** What went out was sent; whom it reached nobody knows until a carrier confirms it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mass_notifications rename column reached_count to sent_count`.execute(db)
}
