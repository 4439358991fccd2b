import { type Kysely, sql } from 'kysely'

/** The event stream can be read by who acted, by kind of record and by time, a page at a time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- A column, because row-level security looks up an expression of JSON in no index.
    alter table events add column actor_key text collate "C" not null
      generated always as ((actor ->> 'kind') || ':' || coalesce(actor ->> 'id', '')) stored;
    create index on events (organisation_id, actor_key, sequence);
    create index on events (organisation_id, noun, sequence);
    create index on events (organisation_id, at, sequence);
  `.execute(db)
}
