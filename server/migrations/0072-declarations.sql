-- Sources that declare incidents by signed webhooks, the incidents that they declared, and their last calls.
create table declaration_sources (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  name text not null,
  form text not null check (form in ('ALERTMANAGER', 'JSON')),
  -- Last part of the address that is called; names the organisation.
  address_id text not null unique,
  -- Sealed, because signatures are checked with the secret itself.
  secret bytea not null,
  is_tabletop boolean not null,
  -- Words of the source for each severity, separated by commas.
  critical_words text not null,
  high_words text not null,
  medium_words text not null,
  low_words text not null,
  default_severity text not null,
  create_timestamp timestamptz not null,
  update_timestamp timestamptz not null,
  version integer not null
);
create unique index on declaration_sources (organisation_id, lower(name));
select protect_tenant_table('declaration_sources');
select protect_incident_table('declaration_sources', 'false');

create table declarations (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  source_id uuid not null references declaration_sources (id) on delete cascade,
  -- Hash of the source's own key: the id of a JSON call, the group of alerts.
  key text not null,
  incident_id uuid not null references incidents (id) on delete cascade,
  -- Hashes of the states that were taken, newest last, so that a repeated call writes nothing.
  states text[] not null,
  create_timestamp timestamptz not null
);
create index on declarations (source_id, key, create_timestamp desc);
create index on declarations (incident_id);
select protect_tenant_table('declarations');
select protect_incident_table('declarations', 'false');

create table declaration_calls (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  source_id uuid not null references declaration_sources (id) on delete cascade,
  at timestamptz not null,
  result text not null check (result in ('DECLARED', 'UPDATED', 'UNCHANGED', 'REFUSED')),
  sentence text not null,
  incident_id uuid references incidents (id) on delete set null
);
create index on declaration_calls (source_id, at desc, id);
create index on declaration_calls (incident_id);
select protect_tenant_table('declaration_calls');
select protect_incident_table('declaration_calls', 'false');
