-- Playbooks with their categories, versions, open editors, shares and exports, and the playbooks of incidents.

create table playbook_categories (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  name text not null,
  -- Lower case by the program, because the database's depends on its collation.
  name_key text not null,
  create_timestamp timestamptz not null,
  update_timestamp timestamptz not null,
  version integer not null default 1,
  sort_key text collate "C" not null generated always as (fold(name)) stored
);
create unique index on playbook_categories (organisation_id, name_key);
create index on playbook_categories (organisation_id, sort_key, id);
select protect_tenant_table('playbook_categories');
-- External people see no playbooks.
select protect_incident_table('playbook_categories', 'false');

create table playbooks (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  name text not null,
  category_id uuid references playbook_categories (id) on delete set null,
  description text not null,
  -- Headings and tasks in order, saved and read as a whole.
  activities jsonb not null,
  activities_count integer not null,
  created_by text not null,
  create_timestamp timestamptz not null,
  updated_by text not null,
  update_timestamp timestamptz not null,
  owner_id uuid references users (id) on delete set null,
  review_date date,
  -- Review date that the owner was reminded of.
  reminded_date date,
  shared_by text,
  version integer not null default 1,
  -- Words of name, brief, headings and tasks, with the organisation behind a colon, which no word begins with: the
  -- index excludes other organisations' rows.
  words tsvector not null,
  -- Share and parent's playbook of a copy: no share copies a playbook twice.
  share_id uuid,
  source_id uuid,
  sort_key text collate "C" not null generated always as (fold(name)) stored
);
create index on playbooks using gin (words);
create index on playbooks (organisation_id, sort_key, id);
create index on playbooks (organisation_id, update_timestamp, id);
create index on playbooks (organisation_id, review_date, id);
create index on playbooks (organisation_id, category_id);
create index on playbooks (category_id);
create index on playbooks (owner_id);
create unique index on playbooks (organisation_id, share_id, source_id) where share_id is not null;
select protect_tenant_table('playbooks');
select protect_incident_table('playbooks', 'false');

-- Each save with the whole content, so that any version can be read and restored alone.
create table playbook_versions (
  organisation_id uuid not null references organisations (id) on delete cascade,
  playbook_id uuid not null references playbooks (id) on delete cascade,
  version integer not null,
  content jsonb not null,
  file_names jsonb not null,
  saved_by text not null,
  saved_timestamp timestamptz not null,
  restored_from integer,
  primary key (playbook_id, version)
);
select protect_tenant_table('playbook_versions');
select protect_incident_table('playbook_versions', 'false');

create table playbook_editors (
  organisation_id uuid not null references organisations (id) on delete cascade,
  playbook_id uuid not null references playbooks (id) on delete cascade,
  -- Chosen by the browser, one per open editor.
  editor_id uuid not null,
  user_id uuid not null references users (id) on delete cascade,
  since_timestamp timestamptz not null,
  seen_timestamp timestamptz not null,
  primary key (playbook_id, editor_id)
);
create index on playbook_editors (user_id);
select protect_tenant_table('playbook_editors');
select protect_incident_table('playbook_editors', 'false');

create table playbook_shares (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  requested_by text not null,
  create_timestamp timestamptz not null,
  -- Set with the last copy.
  done_timestamp timestamptz
);
select protect_tenant_table('playbook_shares');
select protect_incident_table('playbook_shares', 'false');

-- One row per playbook and organisation. Names are copies, kept when the records are deleted.
create table playbook_share_copies (
  organisation_id uuid not null references organisations (id) on delete cascade,
  share_id uuid not null references playbook_shares (id) on delete cascade,
  playbook_id uuid not null,
  enterprise_id uuid not null,
  position integer not null,
  playbook_name text not null,
  enterprise_name text not null,
  outcome text not null,
  message text,
  primary key (share_id, playbook_id, enterprise_id)
);
create index on playbook_share_copies (share_id, "position");
select protect_tenant_table('playbook_share_copies');
select protect_incident_table('playbook_share_copies', 'false');

create table playbook_exports (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  requested_by uuid not null references users (id) on delete cascade,
  type text not null,
  -- In the archive's order. Playbooks deleted meanwhile are left out.
  playbook_ids uuid[] not null,
  state text not null check (state in ('MAKING', 'READY', 'FAILED')),
  progress integer not null,
  tries integer not null,
  file_name text,
  blob_id uuid references blobs (id),
  create_timestamp timestamptz not null,
  update_timestamp timestamptz not null,
  expire_timestamp timestamptz not null,
  check (state <> 'READY' or (file_name is not null and blob_id is not null))
);
create index on playbook_exports (requested_by);
create index on playbook_exports (expire_timestamp);
create index on playbook_exports (blob_id) where blob_id is not null;
select protect_tenant_table('playbook_exports');
select protect_incident_table('playbook_exports', 'false');

create table incident_playbooks (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key,
  incident_id uuid not null references incidents (id) on delete cascade,
  playbook_id uuid references playbooks (id) on delete set null,
  name text not null,
  version integer not null,
  tasks_count integer not null,
  added_by text not null,
  added_timestamp timestamptz not null,
  position bigint generated always as identity
);
create index on incident_playbooks (incident_id, "position");
create index on incident_playbooks (playbook_id);
select protect_tenant_table('incident_playbooks');
select protect_incident_table('incident_playbooks');
