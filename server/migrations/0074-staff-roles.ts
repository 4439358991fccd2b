import { type Kysely, sql } from 'kysely'

/** Roles and second factors of staff. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Members of before keep what they could do.
    alter table staff add column role text not null default 'ADMINISTER'
      check (role in ('LOOK', 'SUPPORT', 'ADMINISTER'));
    alter table staff alter column role drop default;

    -- The columns are those of the tables of people, so that one store works with both.
    create table staff_authenticators (
      user_id uuid primary key references staff (id) on delete cascade,
      secret bytea not null,
      last_step bigint not null,
      create_timestamp timestamptz not null
    );
    create table staff_recovery_codes (
      user_id uuid not null references staff (id) on delete cascade,
      hash text not null,
      used_timestamp timestamptz,
      primary key (user_id, hash)
    );
    -- Sign-ins whose link was opened and whose second factor is awaited.
    create table staff_sign_ins (
      hash bytea primary key,
      staff_id uuid not null references staff (id) on delete cascade,
      -- Of an authenticator app that is being enrolled, encrypted.
      secret bytea,
      expires_timestamp timestamptz not null
    );
    create index on staff_sign_ins (staff_id);
    alter table staff_sessions
      add column has_second_factor boolean not null default false,
      add column secret bytea;
    grant select, insert, update, delete on staff_authenticators, staff_recovery_codes, staff_sign_ins
      to muster_provider;
  `.execute(db)
}
