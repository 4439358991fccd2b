-- Decisions of an incident, each confirmed by the person who decides (decision 113).
create table incident_decisions (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key,
  incident_id uuid not null references incidents (id) on delete cascade,
  number integer not null,
  state text not null check (state in ('PROPOSED', 'DECIDED', 'SUPERSEDED')),
  title text not null,
  context text not null,
  options text[] not null,
  decision text not null,
  decider_id uuid references users (id) on delete set null,
  -- Address of the decider, who may be deleted later.
  decider text not null,
  reason text not null,
  accepted_risk text not null,
  created_by text not null,
  create_timestamp timestamptz not null,
  update_timestamp timestamptz not null,
  decided_by text,
  on_behalf_reason text,
  -- Time at which it was decided, and at which that was recorded.
  decided_timestamp timestamptz,
  recorded_timestamp timestamptz,
  supersedes_id uuid references incident_decisions (id) on delete set null,
  message_id uuid references room_messages (id) on delete set null,
  version integer not null default 1,
  unique (incident_id, number),
  check ((state = 'PROPOSED') = (decided_timestamp is null))
);
create index on incident_decisions (decider_id);
create index on incident_decisions (supersedes_id) where supersedes_id is not null;
create unique index on incident_decisions (message_id, incident_id) where message_id is not null;
select protect_tenant_table('incident_decisions');
-- External people have no decisions.
select protect_incident_table('incident_decisions', 'false');
