-- Kinds of incidents that an organisation defines (decision 121).
create table incident_kinds (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  name text not null,
  icon text not null,
  severity text check (severity in ('LOW', 'MEDIUM', 'HIGH', 'CRITICAL')),
  playbook_id uuid references playbooks (id) on delete set null,
  -- Kept, so that a kind can name the playbook that was deleted.
  playbook_name text,
  role_ids uuid[] not null default '{}',
  is_retired boolean not null default false,
  create_timestamp timestamptz not null,
  update_timestamp timestamptz not null,
  version integer not null default 1,
  sort_key text collate "C" not null generated always as (fold(name)) stored
);
create unique index on incident_kinds (organisation_id, lower(name));
create index on incident_kinds (playbook_id) where playbook_id is not null;
select protect_tenant_table('incident_kinds');
-- External people see no kinds: neither by name nor as a filter.
select protect_incident_table('incident_kinds', 'false');

alter table incidents add column kind_id uuid references incident_kinds (id);
create index on incidents (kind_id, is_active desc, create_timestamp desc, id) where kind_id is not null;
