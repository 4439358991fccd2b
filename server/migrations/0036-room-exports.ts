import { type Kysely, sql } from 'kysely'

/** Exports of rooms that jobs make. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table room_exports (
      organisation_id uuid not null references organisations (id) on delete cascade,
      id uuid primary key default gen_random_uuid(),
      room_id uuid not null references rooms (id) on delete cascade,
      requested_by uuid not null references users (id) on delete cascade,
      since_timestamp timestamptz not null,
      until_timestamp timestamptz not null,
      state text not null,
      progress integer not null,
      tries integer not null,
      file_name text,
      blob_id uuid references blobs (id),
      create_timestamp timestamptz not null,
      update_timestamp timestamptz not null,
      expire_timestamp timestamptz not null
    );
    create index on room_exports (room_id);
    create index on room_exports (expire_timestamp);
    create index on room_exports (blob_id);
    select protect_tenant_table('room_exports');
    create policy viewer on room_exports as restrictive for select to muster_external
      using (requested_by = (select current_setting('app.viewer')::uuid));
  `.execute(db)
}
