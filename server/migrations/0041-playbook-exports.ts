import { type Kysely, sql } from 'kysely'

/** Exports of playbooks that jobs make. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table playbook_exports (
      organisation_id uuid not null references organisations (id) on delete cascade,
      id uuid primary key default gen_random_uuid(),
      requested_by uuid not null references users (id) on delete cascade,
      type text not null,
      -- In the order of the archive. Those that are deleted meanwhile are left out.
      playbook_ids uuid[] not null,
      state text not null check (state in ('MAKING', 'READY', 'FAILED')),
      progress integer not null,
      tries integer not null,
      file_name text,
      blob_id uuid references blobs (id),
      create_timestamp timestamptz not null,
      update_timestamp timestamptz not null,
      expire_timestamp timestamptz not null,
      check (state <> 'READY' or (file_name is not null and blob_id is not null))
    );
    create index on playbook_exports (requested_by);
    create index on playbook_exports (expire_timestamp);
    create index on playbook_exports (blob_id) where blob_id is not null;
    select protect_tenant_table('playbook_exports');
    -- External people have no playbooks.
    select protect_incident_table('playbook_exports', 'false');
  `.execute(db)
}
