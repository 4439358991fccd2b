import { type Kysely, sql } from 'kysely'

/** Requests for long reports, kept for a while after they are made. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table report_requests (
      organisation_id uuid not null references organisations (id) on delete cascade,
      id uuid primary key,
      incident_id uuid not null references incidents (id) on delete cascade,
      state text not null check (state in ('MAKING', 'READY', 'FAILED')),
      progress integer not null,
      tries integer not null,
      -- The last event of the incident that it tells of.
      sequence bigint not null,
      file_name text,
      blob_id uuid references blobs (id),
      create_timestamp timestamptz not null,
      update_timestamp timestamptz not null,
      expire_timestamp timestamptz not null,
      check (state <> 'READY' or (file_name is not null and blob_id is not null))
    );
    -- Whoever asks while one is being made joins it.
    create unique index on report_requests (incident_id) where state = 'MAKING';
    create index on report_requests (expire_timestamp);
    create index on report_requests (blob_id) where blob_id is not null;
    create index on incident_reports (blob_id);
    select protect_tenant_table('report_requests');
  `.execute(db)
}
