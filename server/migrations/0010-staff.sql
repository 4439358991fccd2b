-- The provider's staff, their sessions and second factors, and their access to organisations.

create table staff (
  id uuid primary key,
  email text not null unique check (email = lower(btrim(email))),
  -- Null for members named in the settings, who are staff as long as the settings name them.
  invited_by text,
  create_timestamp timestamptz not null,
  last_sign_in_timestamp timestamptz,
  -- Earlier members keep their rights.
  role text not null check (role in ('LOOK', 'SUPPORT', 'ADMINISTER'))
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
  expires_timestamp timestamptz not null,
  has_second_factor boolean not null default false,
  secret bytea
);
create index on staff_sessions (staff_id);

-- Sign-ins with an opened link that wait for a second factor.
create table staff_sign_ins (
  hash bytea primary key,
  staff_id uuid not null references staff (id) on delete cascade,
  -- Encrypted secret of an authenticator app that is being enrolled.
  secret bytea,
  expires_timestamp timestamptz not null
);
create index on staff_sign_ins (staff_id);

-- Columns as in the tables of people, so that one store works with both.
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
grant select, insert, update, delete
  on staff, staff_links, staff_sessions, staff_sign_ins, staff_authenticators, staff_recovery_codes to muster_provider;

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
