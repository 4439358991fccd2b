-- Assigned columns of imports (decision 085), by a key of the headings of their files.

create table import_columns (
  organisation_id uuid not null references organisations (id) on delete cascade,
  kind text not null check (kind in ('USERS', 'CONTACTS')),
  headings text not null,
  -- Column index by field.
  columns jsonb not null,
  update_timestamp timestamptz not null,
  primary key (organisation_id, kind, headings)
);
select protect_tenant_table('import_columns');
