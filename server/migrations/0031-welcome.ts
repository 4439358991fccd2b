import { type Kysely, sql } from 'kysely'

/** Welcome packages of new organisations, and the rooms and folders that were wished for in them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table welcome_packages (
      organisation_id uuid primary key references organisations (id) on delete cascade,
      status text not null,
      -- Of the identifier in the link; null where the link was withdrawn.
      hash bytea,
      link_key uuid not null,
      sent_timestamp timestamptz,
      sent_to text,
      expires_timestamp timestamptz,
      -- Users, war rooms and folders as they were saved; null before the first save.
      contents jsonb,
      browser text,
      last_update_timestamp timestamptz not null,
      error_code text,
      failure text,
      tries integer not null default 0
    );
    select protect_tenant_table('welcome_packages');

    create table wished_rooms (
      organisation_id uuid not null references organisations (id) on delete cascade,
      position integer not null,
      name text not null,
      -- The first one administers the room.
      users_emails text[] not null,
      primary key (organisation_id, position)
    );
    select protect_tenant_table('wished_rooms');

    create table wished_folders (
      organisation_id uuid not null references organisations (id) on delete cascade,
      position integer not null,
      name text not null,
      admin_only boolean not null,
      primary key (organisation_id, position)
    );
    select protect_tenant_table('wished_folders');
  `.execute(db)
}
