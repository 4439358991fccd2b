-- Follow-ups of incidents: what their analysis found, until it is done (decision 122).
create table follow_ups (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key,
  incident_id uuid not null references incidents (id) on delete cascade,
  title text not null,
  details text,
  owner_id uuid references users (id) on delete set null,
  due_timestamp timestamptz not null,
  created_by text not null,
  create_timestamp timestamptz not null,
  update_timestamp timestamptz not null,
  done_by text,
  done_timestamp timestamptz,
  -- The due times for which the owner was reminded, and was told that it has passed.
  soon_for timestamptz,
  due_for timestamptz,
  version integer not null default 1,
  check ((done_timestamp is null) = (done_by is null))
);
create index on follow_ups (incident_id);
create index on follow_ups (owner_id);
create index on follow_ups (organisation_id, due_timestamp) where done_timestamp is null;
create index on follow_ups (organisation_id, done_timestamp desc) where done_timestamp is not null;
select protect_tenant_table('follow_ups');
-- External people have no follow-ups.
select protect_incident_table('follow_ups', 'false');
