-- Secure file storage: folders and files, their readers, versions and uploads.

create table file_items (
  organisation_id uuid not null references organisations (id) on delete cascade,
  -- From 1; 0 is the root, which has no row.
  id bigint primary key generated always as identity,
  parent_id bigint not null,
  -- Ids of the folders above the item, root folder first.
  path bigint[] not null,
  -- The item's root folder, or itself. It decides who may open the item.
  root_id bigint not null,
  is_folder boolean not null,
  name text not null,
  extension text not null default '',
  -- The whole name in lower case by the program, as in groups.
  name_key text not null,
  -- Only root folders have restricted types.
  folder_type text not null default 'PUBLIC' check (folder_type in ('PUBLIC', 'PRIVATE', 'ADMIN')),
  -- Size, type and hash of a file's newest content.
  size bigint not null default 0,
  type text,
  sha256 text,
  file_version integer not null default 1,
  is_held boolean not null default false,
  -- Number of legal holds on the item and the folders above it.
  holds integer not null default 0,
  created_by text not null,
  create_timestamp timestamptz not null,
  update_timestamp timestamptz not null,
  version integer not null default 1,
  -- The deleted item: this one or a folder above it. Null outside the trash.
  trash_id bigint,
  deleted_by text,
  delete_timestamp timestamptz,
  sort_key text collate "C" not null generated always as (fold(name)) stored,
  search_key text collate "C" not null
    generated always as (fold(name || case when extension = '' then '' else '.' || extension end)) stored,
  check (folder_type = 'PUBLIC' or (is_folder and parent_id = 0))
);
-- Excludes restricted folders, so that a name conflict does not reveal them.
create unique index on file_items (organisation_id, parent_id, name_key)
  where trash_id is null and folder_type = 'PUBLIC';
create index on file_items (organisation_id, parent_id, name_key);
create index on file_items (organisation_id, parent_id, is_folder desc, sort_key, id) where trash_id is null;
create index on file_items (organisation_id, parent_id, is_folder desc, update_timestamp, id) where trash_id is null;
create index on file_items (organisation_id, root_id);
create index on file_items (organisation_id, id) where folder_type <> 'PUBLIC';
create index on file_items (organisation_id, delete_timestamp, id) where trash_id = id;
create index on file_items (delete_timestamp) where trash_id = id;
create index file_items_grams on file_items using gin (search_grams(search_key, organisation_id))
  with (gin_pending_list_limit = 256);
alter index file_items_grams alter column 1 set statistics 0;
create index on file_items (organisation_id, is_folder desc, sort_key, id) where trash_id is null;
select protect_tenant_table('file_items');
-- External people see no files.
select protect_incident_table('file_items', 'false');

create table file_groups (
  organisation_id uuid not null references organisations (id) on delete cascade,
  folder_id bigint not null references file_items (id) on delete cascade,
  group_id uuid not null references user_groups (id) on delete cascade,
  primary key (folder_id, group_id)
);
create index on file_groups (group_id);
select protect_tenant_table('file_groups');
select protect_incident_table('file_groups', 'false');

create table file_versions (
  organisation_id uuid not null references organisations (id) on delete cascade,
  item_id bigint not null references file_items (id) on delete cascade,
  file_version integer not null,
  -- Restored versions share their bytes.
  blob_id uuid not null references blobs (id),
  type text not null,
  extension text not null,
  created_by text not null,
  create_timestamp timestamptz not null,
  primary key (item_id, file_version)
);
create index on file_versions (blob_id);
select protect_tenant_table('file_versions');
select protect_incident_table('file_versions', 'false');

-- One-time access for previews, and for downloads of a file, a version, an archive of several items, an attachment of an
-- incident or a playbook, or a file of a message.
create table file_tickets (
  organisation_id uuid not null references organisations (id) on delete cascade,
  hash bytea primary key,
  session_id uuid not null references sessions (id) on delete cascade,
  item_id bigint references file_items (id) on delete cascade,
  file_version integer,
  expires_timestamp timestamptz not null,
  purpose text not null check (purpose in ('preview', 'download', 'version', 'archive', 'attachment', 'message')),
  -- Files and folders of the archive.
  item_ids bigint[],
  attachment_id uuid references attachments (id) on delete cascade,
  room_file_id uuid references room_files (id) on delete cascade,
  openings integer not null default 0,
  sent bigint not null default 0,
  is_complete boolean not null default false,
  check ((purpose = 'archive') = (item_ids is not null)),
  check ((purpose = 'attachment') = (attachment_id is not null)),
  check ((item_id is null) = (file_version is null)),
  check ((purpose = 'message') = (room_file_id is not null)),
  check ((purpose in ('preview', 'download', 'version')) = (item_id is not null))
);
create index on file_tickets (item_id);
create index on file_tickets (session_id);
create index on file_tickets (expires_timestamp);
create index on file_tickets (attachment_id) where attachment_id is not null;
create index on file_tickets (room_file_id) where room_file_id is not null;
select protect_tenant_table('file_tickets');
-- External people have no secure files, but incidents and rooms; they see the tickets of their own sessions.
select protect_incident_table('file_tickets', $$
  purpose in ('attachment', 'message')
  and session_id in (select id from sessions where user_id = (select current_setting('app.viewer')::uuid))$$);

create table file_uploads (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id),
  -- 0 is the root. No reference, because the folder may be gone when the last part arrives.
  parent_id bigint not null,
  name text not null,
  extension text not null,
  last_modified bigint,
  length bigint not null check (length > 0),
  received bigint not null default 0,
  -- The resulting file, for a repetition after a lost response.
  item_id bigint,
  file_version integer,
  create_timestamp timestamptz not null,
  update_timestamp timestamptz not null,
  expires_timestamp timestamptz not null,
  check (received between 0 and length),
  -- The last part and the file are stored together.
  check ((received = length) = (item_id is not null))
);
create index on file_uploads (organisation_id, user_id) where item_id is null;
create index on file_uploads (expires_timestamp);
select protect_tenant_table('file_uploads');
select protect_incident_table('file_uploads', 'false');

create table file_upload_parts (
  organisation_id uuid not null references organisations (id) on delete cascade,
  upload_id uuid not null references file_uploads (id) on delete cascade,
  -- Offset of the part in the file.
  start bigint not null,
  blob_id uuid not null references blobs (id),
  primary key (upload_id, start)
);
create index on file_upload_parts (blob_id);
select protect_tenant_table('file_upload_parts');
select protect_incident_table('file_upload_parts', 'false');
