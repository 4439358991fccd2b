-- Pages with the published situation reports of an incident, for people without an account (decision 120).

create table stakeholder_links (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key,
  incident_id uuid not null references incidents (id) on delete cascade,
  label text not null,
  -- Of the token in the address.
  hash bytea not null unique,
  passcode_hash text not null,
  created_by text not null,
  create_timestamp timestamptz not null,
  expire_timestamp timestamptz not null,
  withdrawn_by text,
  withdrawn_timestamp timestamptz,
  visits_count integer not null default 0,
  last_visit_timestamp timestamptz
);
create index on stakeholder_links (incident_id, create_timestamp desc, id);
select protect_tenant_table('stakeholder_links');
-- External people make no pages.
select protect_incident_table('stakeholder_links', 'false');
