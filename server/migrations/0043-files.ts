import { type Kysely, sql } from 'kysely'

/** Secure file storage: folders and files, who may open them, the contents that files have had, and leave to see them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table file_items (
      organisation_id uuid not null references organisations (id) on delete cascade,
      -- From 1; 0 is the root, which has no row.
      id bigint primary key generated always as identity,
      parent_id bigint not null,
      -- The ids of the folders above it, the one in the root first.
      path bigint[] not null,
      -- What lies in the root above it, or itself: that decides who may open it.
      root_id bigint not null,
      is_folder boolean not null,
      name text not null,
      extension text not null default '',
      -- The whole name in lower case, made by the program, as with groups.
      name_key text not null,
      -- Of folders in the root only.
      folder_type text not null default 'PUBLIC' check (folder_type in ('PUBLIC', 'PRIVATE', 'ADMIN')),
      -- Those of a file's newest content.
      size bigint not null default 0,
      type text,
      sha256 text,
      file_version integer not null default 1,
      is_held boolean not null default false,
      -- Legal holds on itself and on the folders above it.
      holds integer not null default 0,
      created_by text not null,
      create_timestamp timestamptz not null,
      update_timestamp timestamptz not null,
      version integer not null default 1,
      -- What was deleted, it or a folder above it; null unless it lies in the trash.
      trash_id bigint,
      deleted_by text,
      delete_timestamp timestamptz,
      sort_key text collate "C" not null generated always as (fold(name)) stored,
      search_key text collate "C" not null
        generated always as (fold(name || case when extension = '' then '' else '.' || extension end)) stored,
      check (folder_type = 'PUBLIC' or (is_folder and parent_id = 0))
    );
    -- A restricted folder takes no name from those who may not know of it.
    create unique index on file_items (organisation_id, parent_id, name_key)
      where trash_id is null and folder_type = 'PUBLIC';
    create index on file_items (organisation_id, parent_id, name_key);
    create index on file_items (organisation_id, parent_id, is_folder desc, sort_key, id) where trash_id is null;
    create index on file_items (organisation_id, parent_id, is_folder desc, update_timestamp, id) where trash_id is null;
    create index on file_items (organisation_id, root_id);
    create index on file_items (organisation_id, id) where folder_type <> 'PUBLIC';
    create index on file_items (organisation_id, delete_timestamp, id) where trash_id = id;
    create index on file_items (delete_timestamp) where trash_id = id;
    select protect_tenant_table('file_items');
    -- External people have no files.
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
      -- Contents that were restored share their bytes.
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

    create table file_previews (
      organisation_id uuid not null references organisations (id) on delete cascade,
      hash bytea primary key,
      session_id uuid not null references sessions (id) on delete cascade,
      item_id bigint not null references file_items (id) on delete cascade,
      file_version integer not null,
      is_used boolean not null default false,
      expires_timestamp timestamptz not null
    );
    create index on file_previews (item_id);
    create index on file_previews (session_id);
    create index on file_previews (expires_timestamp);
    select protect_tenant_table('file_previews');
    select protect_incident_table('file_previews', 'false');
  `.execute(db)
}
