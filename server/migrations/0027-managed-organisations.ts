import { type Kysely, sql } from 'kysely'

/** What the console keeps of organisations: their contract, chat credentials, deletion, and who looked into them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table organisations
      add column contract_number text,
      -- From then on it is gone for everybody, and a job removes its rows and files.
      add column deleted_timestamp timestamptz,
      -- Percent of the rows that are removed.
      add column deletion_progress integer not null default 0,
      add column sort_key text collate "C" not null generated always as (fold(display_name)) stored,
      add column search_key text collate "C" not null
        generated always as (fold(display_name || e'\n' || coalesce(enterprise_domain, '') || e'\n' || code)) stored;
    create index on organisations (sort_key);

    alter policy own on organisations
      using ((id = (select current_setting('app.organisation')::uuid)
        or parent_id = (select current_setting('app.organisation')::uuid)) and deleted_timestamp is null);

    -- Of the hosted chat service. Secrets are encrypted with a key derived from the installation's secret.
    create table chat_credentials (
      organisation_id uuid primary key references organisations (id) on delete cascade,
      public_key text not null,
      secret bytea not null
    );
    select protect_tenant_table('chat_credentials');
    -- Given to organisations that are created without any.
    create table chat_credential_pool (
      public_key text primary key,
      secret bytea not null,
      position bigint generated always as identity
    );
    grant select, insert, update, delete on chat_credential_pool to muster_provider;

    create table staff_access (
      organisation_id uuid not null references organisations (id) on delete cascade,
      id uuid primary key,
      staff_id uuid not null,
      reason text not null,
      create_timestamp timestamptz not null,
      expires_timestamp timestamptz not null
    );
    create index on staff_access (organisation_id, staff_id, expires_timestamp);
    select protect_tenant_table('staff_access');
  `.execute(db)
}
