-- Situation reports of incidents (decision 115).

create table situation_reports (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  incident_id uuid not null references incidents (id) on delete cascade,
  -- Given by the publication, so that the numbers of an incident have no gaps.
  number integer,
  -- The report that this one corrects.
  corrects_number integer,
  state text not null check (state in ('DRAFT', 'WAITING', 'PUBLISHED')),
  content text not null,
  created_by text not null,
  create_timestamp timestamptz not null,
  updated_by text not null,
  update_timestamp timestamptz not null,
  submitted_by text,
  -- Said by the second person who sent it back.
  return_reason text,
  returned_by text,
  approved_by text,
  published_by text,
  published_timestamp timestamptz,
  version integer not null default 1,
  check ((state = 'PUBLISHED') = (number is not null and published_timestamp is not null))
);
create unique index on situation_reports (incident_id, number);
-- One report at a time is written.
create unique index on situation_reports (incident_id) where state <> 'PUBLISHED';
create index on situation_reports (organisation_id);
select protect_tenant_table('situation_reports');
select protect_incident_table('situation_reports', 'false');
