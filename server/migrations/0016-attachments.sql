-- Files of incidents, of their tasks and updates, and of playbooks.

create table attachments (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  incident_id uuid references incidents (id) on delete cascade,
  -- The task or update that the file was added to, if any. Its files are deleted before it, so that their bytes go too.
  activity_id uuid references activities (id),
  -- Copies share their bytes, which the last copy deletes.
  blob_id uuid not null references blobs (id),
  name text not null,
  extension text not null,
  type text not null,
  created_by text not null,
  create_timestamp timestamptz not null,
  -- Order of addition, where several share a timestamp.
  position bigint generated always as identity,
  -- A file belongs to an incident or to a playbook. Deferred, because files are inserted before their playbook.
  playbook_id uuid references playbooks (id) deferrable initially deferred,
  check (activity_id is null or incident_id is not null),
  check ((incident_id is null) <> (playbook_id is null))
);
create index on attachments (incident_id, position);
create index on attachments (activity_id) where activity_id is not null;
create index on attachments (blob_id);
create index on attachments (playbook_id, position) where playbook_id is not null;
select protect_tenant_table('attachments');
-- Files of playbooks belong to no incident, so external people see none.
select protect_incident_table('attachments');

-- Tasks and updates that carry a file: its own, and others of the incident that refer to it.
create table activity_attachments (
  organisation_id uuid not null references organisations (id) on delete cascade,
  attachment_id uuid not null references attachments (id) on delete cascade,
  activity_id uuid not null references activities (id) on delete cascade,
  primary key (attachment_id, activity_id)
);
create index on activity_attachments (activity_id);
select protect_tenant_table('activity_attachments');
select protect_incident_table('activity_attachments', 'exists (select from activities a where a.id = activity_id)');
