import { type Kysely, sql } from 'kysely'

/** When the first request came that used what was issued with a refresh token; null until then. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table refresh_tokens add column received_timestamp timestamptz`.execute(db)
}
