import { type Kysely, sql } from 'kysely'

/** The provider: its own event stream, and its staff with their sessions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Stands for the provider: its events, messages and jobs are rows like those of any organisation. No list shows it.
    insert into organisations (id, code, display_name, max_users, create_timestamp)
      values ('00000000-0000-4000-8000-00000000c0de', '~provider', 'The provider', 0, now());
    alter policy provider on organisations using (id <> '00000000-0000-4000-8000-00000000c0de')
      with check (id <> '00000000-0000-4000-8000-00000000c0de');

    create table staff (
      id uuid primary key,
      email text not null unique check (email = lower(btrim(email))),
      -- Null for members whom the settings name: they are staff as long as those do.
      invited_by text,
      create_timestamp timestamptz not null,
      last_sign_in_timestamp timestamptz
    );
    create table staff_links (
      hash bytea primary key,
      staff_id uuid not null references staff (id) on delete cascade,
      expires_timestamp timestamptz not null,
      used_timestamp timestamptz
    );
    create index on staff_links (staff_id);
    create table staff_sessions (
      id uuid primary key,
      hash bytea not null unique,
      staff_id uuid not null references staff (id) on delete cascade,
      create_timestamp timestamptz not null,
      expires_timestamp timestamptz not null
    );
    create index on staff_sessions (staff_id);
    grant select, insert, update, delete on staff, staff_links, staff_sessions to muster_provider;
    grant execute on function locked_until, settle_attempt, take_turn, failures_of, count_failure to muster_provider;
  `.execute(db)
}
