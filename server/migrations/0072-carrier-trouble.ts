import { type Kysely, sql } from 'kysely'

/** Waiting messages know whether they wait for their carrier. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table messages add column carrier_trouble boolean not null default false`.execute(db)
}
