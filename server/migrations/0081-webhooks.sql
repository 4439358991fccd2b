-- Webhooks: endpoints that receive signed events of incidents, and what was sent to them.
create table webhooks (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  name text not null,
  url text not null,
  events text[] not null,
  is_on boolean not null,
  -- Sealed, because signing needs the secret itself.
  secret bytea not null,
  -- Last event of the organisation's stream that was taken up.
  event_sequence bigint not null,
  -- Attempts that have failed in a row.
  failures integer not null,
  -- Time at which failures switched it off.
  off_timestamp timestamptz,
  -- Earliest next attempt, later while the endpoint does not answer.
  next_timestamp timestamptz not null,
  -- A process sends until then; others leave the webhook alone.
  claim_timestamp timestamptz not null default to_timestamp(0),
  create_timestamp timestamptz not null,
  update_timestamp timestamptz not null,
  version integer not null
);
create unique index on webhooks (organisation_id, lower(name));
select protect_tenant_table('webhooks');
select protect_incident_table('webhooks', 'false');

create table webhook_deliveries (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  webhook_id uuid not null references webhooks (id) on delete cascade,
  -- The order in which deliveries are sent.
  position bigint generated always as identity,
  type text not null,
  -- The JSON as it is sent, the same at each attempt.
  body text not null,
  incident_id uuid references incidents (id) on delete set null,
  state text not null check (state in ('WAITING', 'DELIVERED', 'FAILED')),
  attempts integer not null default 0,
  -- HTTP status, reason of a failure and beginning of the answer of the last attempt.
  status integer,
  problem text,
  answer text,
  occurred_timestamp timestamptz not null,
  -- Time of the last attempt.
  attempt_timestamp timestamptz,
  due_timestamp timestamptz not null,
  -- Given up after that.
  expire_timestamp timestamptz not null
);
create index on webhook_deliveries (webhook_id, position desc);
create index on webhook_deliveries (webhook_id, due_timestamp) where state = 'WAITING';
create index on webhook_deliveries (incident_id);
create index on webhook_deliveries (organisation_id);
select protect_tenant_table('webhook_deliveries');
select protect_incident_table('webhook_deliveries', 'false');
