import { type Kysely, sql } from 'kysely'

/** Uploads of files in parts, which can be resumed, and the bytes of their parts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table file_uploads (
      organisation_id uuid not null references organisations (id) on delete cascade,
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users (id),
      -- 0 is the root. The folder may be gone by the time the last part arrives.
      parent_id bigint not null,
      name text not null,
      extension text not null,
      last_modified bigint,
      length bigint not null check (length > 0),
      received bigint not null default 0 check (received between 0 and length),
      -- What it became, for an answer that was lost.
      item_id bigint,
      file_version integer,
      create_timestamp timestamptz not null,
      update_timestamp timestamptz not null,
      expires_timestamp timestamptz not null,
      -- The last part and the file come at once.
      check ((received = length) = (item_id is not null))
    );
    create index on file_uploads (organisation_id, user_id) where item_id is null;
    create index on file_uploads (expires_timestamp);
    select protect_tenant_table('file_uploads');
    -- External people have no files.
    select protect_incident_table('file_uploads', 'false');

    create table file_upload_parts (
      organisation_id uuid not null references organisations (id) on delete cascade,
      upload_id uuid not null references file_uploads (id) on delete cascade,
      -- Where it begins in the file.
      start bigint not null,
      blob_id uuid not null references blobs (id),
      primary key (upload_id, start)
    );
    create index on file_upload_parts (blob_id);
    select protect_tenant_table('file_upload_parts');
    select protect_incident_table('file_upload_parts', 'false');
  `.execute(db)
}
