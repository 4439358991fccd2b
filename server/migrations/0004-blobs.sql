-- Contents of files, encrypted with a key of their organisation.

-- An organisation's file key, wrapped by the installation's secret.
create table blob_keys (
  organisation_id uuid primary key references organisations (id) on delete cascade,
  wrapped bytea not null
);
select protect_tenant_table('blob_keys');

create table blobs (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key,
  size bigint not null,
  sha256 text not null,
  create_timestamp timestamptz not null
);
-- Every upload sums the sizes of all stored files.
create index on blobs (organisation_id) include (size);
select protect_tenant_table('blobs');
