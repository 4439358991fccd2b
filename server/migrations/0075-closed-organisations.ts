import { type Kysely, sql } from 'kysely'

/** Organisations that are suspended, or deleted and not removed yet, are closed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table organisations
      add column suspended_timestamp timestamptz,
      -- When a job began to remove its rows and files. Until then its deletion can be undone.
      add column removal_timestamp timestamptz,
      add column is_closed boolean not null
        generated always as (suspended_timestamp is not null or deleted_timestamp is not null) stored;
    update organisations set removal_timestamp = deleted_timestamp where deleted_timestamp is not null;

    -- A closed organisation is hidden from its own transactions, which ends sessions and keys, but not from staff who
    -- work in it.
    alter policy own on organisations
      using ((id = (select current_setting('app.organisation')::uuid)
        or parent_id = (select current_setting('app.organisation')::uuid))
        and (not is_closed or (select coalesce(current_setting('app.entered', true), '') = 'on')));
  `.execute(db)
}
