-- Entries that people write by hand into the timeline of an incident (decision 113).
create table timeline_entries (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key,
  incident_id uuid not null references incidents (id) on delete cascade,
  text text not null,
  happened_timestamp timestamptz not null,
  is_after_resolution boolean not null,
  created_by text not null,
  create_timestamp timestamptz not null,
  update_timestamp timestamptz not null,
  removed_by text,
  removed_timestamp timestamptz,
  message_id uuid references room_messages (id) on delete set null,
  version integer not null default 1,
  -- Order of addition, where several happened at the same time.
  position bigint generated always as identity
);
create index on timeline_entries (incident_id, happened_timestamp, "position");
create unique index on timeline_entries (message_id, incident_id) 
  where message_id is not null and removed_timestamp is null;
select protect_tenant_table('timeline_entries');
-- External people have no timeline.
select protect_incident_table('timeline_entries', 'false');

-- Pages of a timeline in the order of their time.
create index on events (organisation_id, parent, at, sequence) where parent is not null;
