import { type Kysely, sql } from 'kysely'

/** What people are told in the application, and which features organisations asked for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table notifications (
      organisation_id uuid not null references organisations (id) on delete cascade,
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users (id) on delete cascade,
      title text not null,
      details text not null,
      incident_id uuid references incidents (id) on delete cascade,
      activity_id uuid references activities (id) on delete set null,
      create_timestamp timestamptz not null,
      read_timestamp timestamptz
    );
    create index on notifications (user_id, create_timestamp desc, id);
    create index on notifications (user_id) where read_timestamp is null;
    create index on notifications (incident_id);
    create index on notifications (activity_id);
    select protect_tenant_table('notifications');

    create table feature_requests (
      organisation_id uuid not null references organisations (id) on delete cascade,
      name text not null,
      requested_by text not null,
      request_timestamp timestamptz not null,
      primary key (organisation_id, name)
    );
    select protect_tenant_table('feature_requests');
  `.execute(db)
}
