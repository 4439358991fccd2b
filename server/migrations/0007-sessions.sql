-- Sessions, passwords and second factors.

create table sessions (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  user_agent text not null,
  address text not null,
  create_timestamp timestamptz not null,
  ended_timestamp timestamptz,
  end_reason text,
  token_generation integer not null default 0
);
create index on sessions (user_id) where ended_timestamp is null;
select protect_tenant_table('sessions');

-- Separate from sessions, so that using one does not rewrite its row.
create table session_activity (
  organisation_id uuid not null references organisations (id) on delete cascade,
  session_id uuid primary key references sessions (id) on delete cascade,
  timestamp timestamptz not null
);
select protect_tenant_table('session_activity');

create table refresh_tokens (
  organisation_id uuid not null references organisations (id) on delete cascade,
  hash bytea primary key,
  session_id uuid not null references sessions (id) on delete cascade,
  expires_timestamp timestamptz not null,
  used_timestamp timestamptz,
  received_timestamp timestamptz
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

-- Sign-ins with a correct password that wait for a second factor.
create table pending_sign_ins (
  organisation_id uuid not null references organisations (id) on delete cascade,
  hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  type text not null,
  code_hash text,
  code_expires_timestamp timestamptz,
  next_code_timestamp timestamptz,
  secret bytea,
  expires_timestamp timestamptz not null
);
create index on pending_sign_ins (user_id);
select protect_tenant_table('pending_sign_ins');

create table verifications (
  organisation_id uuid not null references organisations (id) on delete cascade,
  session_id uuid primary key references sessions (id) on delete cascade,
  code_hash text,
  code_expires_timestamp timestamptz,
  next_code_timestamp timestamptz,
  secret bytea,
  verified_until timestamptz
);
select protect_tenant_table('verifications');

create table authenticators (
  organisation_id uuid not null references organisations (id) on delete cascade,
  user_id uuid primary key references users (id) on delete cascade,
  -- Encrypted with a key derived from the installation's secret.
  secret bytea not null,
  -- Time step of the last accepted code: neither it nor earlier ones are accepted again.
  last_step bigint not null,
  create_timestamp timestamptz not null
);
select protect_tenant_table('authenticators');

create table recovery_codes (
  organisation_id uuid not null references organisations (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  hash text not null,
  used_timestamp timestamptz,
  primary key (user_id, hash)
);
select protect_tenant_table('recovery_codes');

create table past_passwords (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id bigint primary key generated always as identity,
  user_id uuid not null references users (id) on delete cascade,
  password_hash text not null
);
create index on past_passwords (user_id, id);
select protect_tenant_table('past_passwords');
