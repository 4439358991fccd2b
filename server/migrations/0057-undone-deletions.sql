-- Deletions that their author can undo for some minutes (decision 112), with the deleted rows.
create table deletions (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  noun text not null,
  -- The id of the record, or the key of its name where calls name it so.
  record text not null,
  -- A person or an API key.
  deleted_by uuid not null,
  -- Bytes that belong to the deleted rows alone, to be deleted with them.
  blob_ids uuid[] not null default '{}',
  delete_timestamp timestamptz not null,
  undo_timestamp timestamptz,
  unique (organisation_id, noun, record, deleted_by)
);
create index on deletions (delete_timestamp);
create index on deletions using gin (blob_ids);
select protect_tenant_table('deletions');
select protect_incident_table('deletions', 'deleted_by = (select current_setting(''app.viewer'')::uuid)');

create table deleted_rows (
  organisation_id uuid not null references organisations (id) on delete cascade,
  deletion_id uuid not null references deletions (id) on delete cascade,
  table_name text not null,
  content jsonb not null
);
create index on deleted_rows (deletion_id, table_name);
create index on deleted_rows (organisation_id);
select protect_tenant_table('deleted_rows');
select protect_incident_table('deleted_rows', 'deletion_id in (select id from deletions)');
