-- Incidents and exercises with their targets, check-ins, tasks, updates and reports.

create table incidents (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  title text not null,
  full_text text not null,
  plain_text text not null,
  preview_text text not null,
  severity text not null,
  is_tabletop boolean not null,
  is_active boolean not null default true,
  is_targeted boolean not null default false,
  estimated_time_to_recovery integer,
  estimated_time_to_recovery_time_unit text,
  created_by text not null,
  create_timestamp timestamptz not null,
  update_timestamp timestamptz not null,
  resolved_by text,
  resolve_timestamp timestamptz,
  postmortem_details text,
  version integer not null default 1,
  -- Id of the requested room; the chat creates it under this id.
  breakout_room_id uuid unique,
  search_key text collate "C" not null generated always as (fold(title || e'\n' || plain_text)) stored,
  check ((estimated_time_to_recovery is null) = (estimated_time_to_recovery_time_unit is null))
);
create index on incidents (organisation_id, create_timestamp desc, id);
create index on incidents (organisation_id, is_tabletop, create_timestamp) where is_active;
create index on incidents (organisation_id, resolve_timestamp) where not is_active;
create index on incidents (organisation_id, create_timestamp desc) where is_tabletop;
create index on incidents (organisation_id, is_active desc, create_timestamp desc, id);
create index incidents_grams on incidents using gin (search_grams(search_key, organisation_id))
  with (gin_pending_list_limit = 256);
alter index incidents_grams alter column 1 set statistics 0;
select protect_tenant_table('incidents');
-- Uses the index: a list of a few of many incidents begins with those few.
select protect_incident_table('incidents', 'id = any ((select visibility.visible_incidents())::uuid[])');

create table incident_target_users (
  organisation_id uuid not null references organisations (id) on delete cascade,
  incident_id uuid not null references incidents (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  primary key (incident_id, user_id)
);
create index on incident_target_users (user_id);
select protect_tenant_table('incident_target_users');
select protect_incident_table('incident_target_users');

create table incident_target_groups (
  organisation_id uuid not null references organisations (id) on delete cascade,
  incident_id uuid not null references incidents (id) on delete cascade,
  group_id uuid not null references user_groups (id) on delete cascade,
  primary key (incident_id, group_id)
);
create index on incident_target_groups (group_id);
select protect_tenant_table('incident_target_groups');
select protect_incident_table('incident_target_groups');

-- People whom an incident targets by name or through a group, including people who join a group of an active incident.
create view incident_targets with (security_invoker = true) as
  select organisation_id, incident_id, user_id from incident_target_users
  union
  select t.organisation_id, t.incident_id, m.user_id
    from incident_target_groups t
    join group_members m on m.group_id = t.group_id
    join users u on u.id = m.user_id
   where u.active and not u.banned and not u.dashboard_user and u.role <> 'BUSINESS_USER';
grant select on incident_targets to muster_member, muster_provider;

create table check_ins (
  organisation_id uuid not null references organisations (id) on delete cascade,
  incident_id uuid not null references incidents (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  timestamp timestamptz not null,
  primary key (incident_id, user_id)
);
create index on check_ins (incident_id, "timestamp");
select protect_tenant_table('check_ins');
select protect_incident_table('check_ins');

create table activities (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  incident_id uuid not null references incidents (id) on delete cascade,
  parent_activity_id uuid references activities (id) on delete cascade,
  type text not null,
  title text not null,
  description text not null,
  status text not null,
  priority text not null,
  progress integer not null,
  assigned_to uuid references users (id) on delete set null,
  ideal_title_to_execute text,
  expected_time_to_complete integer,
  created_by text not null,
  create_timestamp timestamptz not null,
  update_timestamp timestamptz not null,
  -- Order of addition, where several share a timestamp.
  position bigint generated always as identity,
  version integer not null default 1,
  message_id uuid references room_messages (id) on delete set null,
  section text
);
create index on activities (incident_id, "position");
create index on activities (parent_activity_id) where parent_activity_id is not null;
create unique index on activities (message_id, incident_id) where message_id is not null;
create index on activities (assigned_to) where type = 'TASK' and progress < 100;
select protect_tenant_table('activities');
select protect_incident_table('activities');

create table incident_reports (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  incident_id uuid not null references incidents (id) on delete cascade,
  blob_id uuid not null references blobs (id),
  sha256 text not null,
  created_by text not null,
  create_timestamp timestamptz not null
);
create index on incident_reports (incident_id);
create index on incident_reports (blob_id);
select protect_tenant_table('incident_reports');
select protect_incident_table('incident_reports');

create table report_requests (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key,
  incident_id uuid not null references incidents (id) on delete cascade,
  state text not null check (state in ('MAKING', 'READY', 'FAILED')),
  progress integer not null,
  tries integer not null,
  -- Last event of the incident that the report covers.
  sequence bigint not null,
  file_name text,
  blob_id uuid references blobs (id),
  create_timestamp timestamptz not null,
  update_timestamp timestamptz not null,
  expire_timestamp timestamptz not null,
  check (state <> 'READY' or (file_name is not null and blob_id is not null))
);
-- Further requests join the report in progress.
create unique index on report_requests (incident_id) where state = 'MAKING';
create index on report_requests (expire_timestamp);
create index on report_requests (blob_id) where blob_id is not null;
select protect_tenant_table('report_requests');
select protect_incident_table('report_requests');
