-- Files and folders that a person has starred, and files that they used last.
create table file_marks (
  organisation_id uuid not null references organisations (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  item_id bigint not null references file_items (id) on delete cascade,
  starred_timestamp timestamptz,
  -- The last time that the person added, viewed or downloaded the file.
  used_timestamp timestamptz,
  primary key (user_id, item_id),
  check (starred_timestamp is not null or used_timestamp is not null)
);
create index on file_marks (user_id, starred_timestamp desc, item_id desc) where starred_timestamp is not null;
create index on file_marks (user_id, used_timestamp desc, item_id desc) where used_timestamp is not null;
create index on file_marks (item_id);
create index on file_marks (organisation_id);
select protect_tenant_table('file_marks');
select protect_incident_table('file_marks', 'false');

-- Bytes of stored files so far; triggers keep them from now on (`functions/row-counts.sql`).
set local role muster_provider;
insert into row_counts (organisation_id, counted, facet, amount)
  select organisation_id, 'blob_bytes', '{}', sum(size) from blobs group by 1;
reset role;
