-- The life of playbooks: drafts and their approval, the archive, the bin, and the use in incidents.

alter table playbooks
  -- False until the first publication; the row then repeats its draft, so that lists and searches find it.
  add column is_published boolean not null default true,
  add column archive_timestamp timestamptz,
  add column archived_by text,
  -- Set while the playbook is in the bin.
  add column delete_timestamp timestamptz,
  add column deleted_by text,
  -- The newest row of incident_playbooks, kept here for sorting.
  add column last_used_timestamp timestamptz;
create index on playbooks (organisation_id, last_used_timestamp, id);
create index on playbooks (delete_timestamp) where delete_timestamp is not null;

-- Row-level security is forced on the owner of the tables, too.
set local role muster_provider;
update playbooks p
   set last_used_timestamp = (select max(i.added_timestamp) from incident_playbooks i where i.playbook_id = p.id);
reset role;

alter table playbook_versions add column approved_by text;

-- The unpublished changes of a playbook; at most one draft each.
create table playbook_drafts (
  organisation_id uuid not null references organisations (id) on delete cascade,
  playbook_id uuid primary key references playbooks (id) on delete cascade,
  -- New with each save: an act on the draft names the one that was seen.
  revision uuid not null,
  state text not null check (state in ('DRAFT', 'WAITING', 'RETURNED')),
  -- The published version that the draft was begun with; 0 before the first publication.
  base_version integer not null,
  content jsonb not null,
  owner_id uuid references users (id) on delete set null,
  review_date date,
  saved_by text not null,
  saved_timestamp timestamptz not null,
  -- Everybody who saved the draft. None of them can approve it.
  author_ids uuid[] not null,
  returned_by text,
  return_reason text
);
create index on playbook_drafts (organisation_id, state);
create index on playbook_drafts (owner_id);
select protect_tenant_table('playbook_drafts');
select protect_incident_table('playbook_drafts', 'false');

-- The tasks that an incident took from a playbook. The activity is null once somebody deleted the task.
create table incident_playbook_tasks (
  organisation_id uuid not null references organisations (id) on delete cascade,
  incident_playbook_id uuid not null references incident_playbooks (id) on delete cascade,
  incident_id uuid not null references incidents (id) on delete cascade,
  item_id uuid not null,
  activity_id uuid references activities (id) on delete set null,
  primary key (incident_playbook_id, item_id)
);
create index on incident_playbook_tasks (incident_id);
create index on incident_playbook_tasks (activity_id) where activity_id is not null;
select protect_tenant_table('incident_playbook_tasks');
select protect_incident_table('incident_playbook_tasks');
-- Covers the index on the playbook alone.
create index on incident_playbooks (playbook_id, added_timestamp);
drop index incident_playbooks_playbook_id_idx;
