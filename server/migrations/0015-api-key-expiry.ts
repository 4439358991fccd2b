import { type Kysely, sql } from 'kysely'

/** API keys can end by themselves. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table api_keys add column expires_timestamp timestamptz`.execute(db)
}
