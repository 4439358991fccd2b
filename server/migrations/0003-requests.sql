-- Requests that may be repeated, and counters of attempts.

-- Requests that carry an idempotency key, with the answers that a repetition gets again.
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

-- Counters of wrong attempts and of mails asked for, of people and of addresses, which belong to no organisation.
-- Their keys are keyed hashes. Organisations reach them through the functions below and not otherwise.
create table attempts (
  key text primary key,
  tries integer not null,
  lockouts integer not null,
  locked_until timestamptz,
  forget_timestamp timestamptz not null
);
create index on attempts (forget_timestamp);
grant select, delete on attempts to muster_provider;

-- Tickets last a minute: after a crash none of them is missed.
create unlogged table used_socket_tickets (
  id uuid primary key,
  used_timestamp timestamptz not null
);
