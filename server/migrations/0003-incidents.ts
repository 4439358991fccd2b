import { type Kysely, sql } from 'kysely'

/** Incidents and exercises with their tasks, updates, check-ins and issued reports. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table incidents (
      organisation_id uuid not null references organisations (id) on delete cascade,
      id uuid primary key default gen_random_uuid(),
      title text not null,
      full_text text not null,
      plain_text text not null,
      preview_text text not null,
      severity text not null,
      is_tabletop boolean not null,
      is_active boolean not null default true,
      is_targeted boolean not null default false,
      estimated_time integer,
      estimated_time_unit text,
      created_by text not null,
      create_timestamp timestamptz not null,
      update_timestamp timestamptz not null,
      resolved_by text,
      resolve_timestamp timestamptz,
      postmortem_details text,
      version integer not null default 1,
      check ((estimated_time is null) = (estimated_time_unit is null))
    );
    create index on incidents (organisation_id, create_timestamp desc, id);
    create index on incidents (organisation_id, is_tabletop, create_timestamp) where is_active;
    create index on incidents (organisation_id, resolve_timestamp) where not is_active;
    select protect_tenant_table('incidents');

    create table incident_targets (
      organisation_id uuid not null references organisations (id) on delete cascade,
      incident_id uuid not null references incidents (id) on delete cascade,
      user_id uuid not null references users (id) on delete cascade,
      primary key (incident_id, user_id)
    );
    create index on incident_targets (user_id);
    select protect_tenant_table('incident_targets');

    create table check_ins (
      organisation_id uuid not null references organisations (id) on delete cascade,
      incident_id uuid not null references incidents (id) on delete cascade,
      user_id uuid not null references users (id) on delete cascade,
      timestamp timestamptz not null,
      primary key (incident_id, user_id)
    );
    select protect_tenant_table('check_ins');

    create table activities (
      organisation_id uuid not null references organisations (id) on delete cascade,
      id uuid primary key default gen_random_uuid(),
      incident_id uuid not null references incidents (id) on delete cascade,
      parent_id uuid references activities (id) on delete cascade,
      type text not null,
      title text not null,
      description text not null,
      status text not null,
      priority text not null,
      progress integer not null,
      assigned_to uuid references users (id) on delete set null,
      ideal_title text,
      expected_minutes integer,
      created_by text not null,
      create_timestamp timestamptz not null,
      update_timestamp timestamptz not null,
      -- Keeps the order in which they were added, where several share an instant.
      position bigint generated always as identity,
      version integer not null default 1
    );
    create index on activities (incident_id, position);
    create index on activities (parent_id) where parent_id is not null;
    select protect_tenant_table('activities');

    create table incident_reports (
      organisation_id uuid not null references organisations (id) on delete cascade,
      id uuid primary key default gen_random_uuid(),
      incident_id uuid not null references incidents (id) on delete cascade,
      blob_id uuid not null references blobs (id),
      sha256 text not null,
      created_by text not null,
      create_timestamp timestamptz not null
    );
    create index on incident_reports (incident_id);
    select protect_tenant_table('incident_reports');
  `.execute(db)
}
