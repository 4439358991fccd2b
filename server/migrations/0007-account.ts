import { type Kysely, sql } from 'kysely'

/** People's pictures, and when each of their sessions was last used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table pictures (
      organisation_id uuid not null references organisations (id) on delete cascade,
      user_id uuid primary key references users (id) on delete cascade,
      -- Of the token in the address that shows it.
      token_hash bytea not null unique,
      blob_id uuid not null references blobs (id),
      create_timestamp timestamptz not null
    );
    create index on pictures (blob_id);
    select protect_tenant_table('pictures');

    -- Apart from the sessions, so that using one does not rewrite its row.
    create table session_activity (
      organisation_id uuid not null references organisations (id) on delete cascade,
      session_id uuid primary key references sessions (id) on delete cascade,
      timestamp timestamptz not null
    );
    select protect_tenant_table('session_activity');
  `.execute(db)
}
