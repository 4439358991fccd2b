import { type Kysely, sql } from 'kysely'

/** Requests that carry an idempotency key, with the answers that a repetition gets again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table idempotent_requests (
      organisation_id uuid not null references organisations (id) on delete cascade,
      -- A person or an API key; it is part of what the key's hash covers.
      caller_id uuid not null,
      key_hash bytea not null,
      request_hash bytea not null,
      status integer,
      answer bytea,
      create_timestamp timestamptz not null,
      primary key (organisation_id, key_hash)
    );
    create index on idempotent_requests (create_timestamp);
    select protect_tenant_table('idempotent_requests');

    create table public_requests (
      key_hash bytea primary key,
      request_hash bytea not null,
      status integer,
      answer bytea,
      create_timestamp timestamptz not null
    );
    create index on public_requests (create_timestamp);
    grant select, delete on public_requests to muster_provider;

    -- Notifications were the only call that could be repeated, by an identifier of their own.
    alter table mass_notifications drop column request_id;
  `.execute(db)
}
