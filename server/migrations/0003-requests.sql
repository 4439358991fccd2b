-- Idempotent requests, and counters of attempts.

-- Requests with an idempotency key, and their stored replies.
create table idempotent_requests (
  organisation_id uuid not null references organisations (id) on delete cascade,
  -- Id of a person or an API key; the hash of the idempotency key includes it.
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

-- Counters of wrong attempts and of requested mails, by person and address, which belong to no organisation. Keys are
-- keyed hashes. Organisations access them only through functions.
create table attempts (
  key text primary key,
  tries integer not null,
  lockouts integer not null,
  locked_until timestamptz,
  forget_timestamp timestamptz not null
);
create index on attempts (forget_timestamp);
grant select, delete on attempts to muster_provider;

-- Unlogged: tickets last a minute, and none is missed after a crash.
create unlogged table used_socket_tickets (
  id uuid primary key,
  used_timestamp timestamptz not null
);
