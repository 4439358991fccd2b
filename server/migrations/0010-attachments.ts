import { type Kysely, sql } from 'kysely'

/** Files that are attached to incidents and to their tasks and updates. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- What an organisation keeps is added up with every upload.
    create index on blobs (organisation_id) include (size);

    create table attachments (
      organisation_id uuid not null references organisations (id) on delete cascade,
      id uuid primary key default gen_random_uuid(),
      incident_id uuid references incidents (id) on delete cascade,
      -- Set where a task or an update is what it was added to. Whoever deletes that one deletes its files first, so
      -- that their bytes go too.
      activity_id uuid references activities (id),
      -- Copies share their bytes, which therefore cannot go before the last of them.
      blob_id uuid not null references blobs (id),
      name text not null,
      extension text not null,
      type text not null,
      created_by text not null,
      create_timestamp timestamptz not null,
      -- Keeps the order in which they were added, where several share an instant.
      position bigint generated always as identity,
      check (activity_id is null or incident_id is not null)
    );
    create index on attachments (incident_id, position);
    create index on attachments (activity_id) where activity_id is not null;
    create index on attachments (blob_id);
    select protect_tenant_table('attachments');

    -- The tasks and updates that carry a file: its own, and others of the incident that refer to it.
    create table activity_attachments (
      organisation_id uuid not null references organisations (id) on delete cascade,
      attachment_id uuid not null references attachments (id) on delete cascade,
      activity_id uuid not null references activities (id) on delete cascade,
      primary key (attachment_id, activity_id)
    );
    create index on activity_attachments (activity_id);
    select protect_tenant_table('activity_attachments');
  `.execute(db)
}
