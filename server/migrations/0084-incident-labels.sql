-- Labels of incidents (decision 127): a row for each, because row-level security keeps an index of jsonb from being used.
create table incident_labels (
  organisation_id uuid not null references organisations (id) on delete cascade,
  incident_id uuid not null references incidents (id) on delete cascade,
  position smallint not null,
  label text not null,
  folded text collate "C" not null generated always as (fold(label)) stored,
  primary key (incident_id, folded)
);
create index on incident_labels (organisation_id, folded, incident_id);
select protect_tenant_table('incident_labels');
-- External people see no labels: neither on incidents nor as a filter.
select protect_incident_table('incident_labels', 'false');
