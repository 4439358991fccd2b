import { type Kysely, sql } from 'kysely'

/** People, their sessions and their one-time links. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table users (
      organisation_id uuid not null references organisations (id) on delete cascade,
      id uuid primary key default gen_random_uuid(),
      email text not null,
      first_name text not null,
      last_name text not null,
      phone_number text,
      location text,
      department text,
      role text not null,
      type text not null,
      active boolean not null default true,
      banned boolean not null default false,
      dashboard_user boolean not null default false,
      profile_image_url text,
      password_hash text,
      accepted_terms boolean not null default false,
      was_sent_activation_email boolean not null default false,
      last_login_timestamp timestamptz,
      create_timestamp timestamptz not null,
      update_timestamp timestamptz not null,
      version integer not null default 1,
      unique (organisation_id, email)
    );
    create index on users (organisation_id, active, last_name, first_name, id);
    select protect_tenant_table('users');

    -- Apart from the users, so that being active does not rewrite their rows.
    create table user_activity (
      organisation_id uuid not null references organisations (id) on delete cascade,
      user_id uuid primary key references users (id) on delete cascade,
      timestamp timestamptz not null
    );
    select protect_tenant_table('user_activity');

    create table sessions (
      organisation_id uuid not null references organisations (id) on delete cascade,
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users (id) on delete cascade,
      user_agent text not null,
      address text not null,
      create_timestamp timestamptz not null,
      ended_timestamp timestamptz,
      end_reason text
    );
    create index on sessions (user_id) where ended_timestamp is null;
    select protect_tenant_table('sessions');

    create table refresh_tokens (
      organisation_id uuid not null references organisations (id) on delete cascade,
      hash bytea primary key,
      session_id uuid not null references sessions (id) on delete cascade,
      expires_timestamp timestamptz not null,
      used_timestamp timestamptz
    );
    create index on refresh_tokens (session_id);
    select protect_tenant_table('refresh_tokens');

    create table one_time_tokens (
      organisation_id uuid not null references organisations (id) on delete cascade,
      hash bytea primary key,
      user_id uuid not null references users (id) on delete cascade,
      purpose text not null,
      expires_timestamp timestamptz not null,
      used_timestamp timestamptz
    );
    create index on one_time_tokens (user_id);
    select protect_tenant_table('one_time_tokens');
  `.execute(db)
}
