-- An incident that was resolved as something else than a handled one, and the incident that it was merged into.
alter table incidents
  add column outcome text check (outcome in ('FALSE_ALARM', 'MERGED')),
  add column outcome_reason text,
  add column merged_into_id uuid references incidents (id) on delete set null,
  add constraint incidents_outcome_ends check (outcome is null or not is_active),
  add constraint incidents_merged_elsewhere check (merged_into_id <> id);
create index on incidents (merged_into_id) where merged_into_id is not null;
