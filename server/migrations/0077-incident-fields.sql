-- Fields of incidents that an organisation defines, and their values (decision 121).
create table incident_fields (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  label text not null,
  type text not null check (type in ('TEXT', 'NUMBER', 'DATE', 'CHOICE', 'PERSON', 'LINK')),
  choices text[] not null default '{}',
  is_required boolean not null default false,
  position integer not null,
  -- Kinds for which it is asked; none for all incidents.
  kind_ids uuid[] not null default '{}',
  is_retired boolean not null default false,
  create_timestamp timestamptz not null,
  update_timestamp timestamptz not null,
  version integer not null default 1,
  sort_key text collate "C" not null generated always as (fold(label)) stored
);
create unique index on incident_fields (organisation_id, lower(label));
select protect_tenant_table('incident_fields');
select protect_incident_table('incident_fields', 'false');

-- A row for each value, because row-level security keeps an index of jsonb from being used.
create table incident_field_values (
  organisation_id uuid not null references organisations (id) on delete cascade,
  incident_id uuid not null references incidents (id) on delete cascade,
  field_id uuid not null references incident_fields (id),
  value text not null,
  primary key (incident_id, field_id)
);
create index on incident_field_values (field_id, value, incident_id);
select protect_tenant_table('incident_field_values');
select protect_incident_table('incident_field_values', 'false');
