-- The fate of the open tasks of a resolved incident.
alter table incidents
  add column open_tasks text check (open_tasks in ('LEFT_OPEN', 'NOT_NEEDED')),
  add column open_tasks_reason text;

-- The last nudge of a person by each channel, which limits how often people are nudged.
create table nudges (
  organisation_id uuid not null references organisations (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  channel text not null check (channel in ('MESSAGE', 'SMS', 'CALL')),
  nudge_timestamp timestamptz not null,
  primary key (user_id, channel)
);
create index on nudges (organisation_id);
select protect_tenant_table('nudges');
-- External people nudge nobody.
select protect_incident_table('nudges', 'false');
