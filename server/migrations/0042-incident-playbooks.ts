import { type Kysely, sql } from 'kysely'

/** The playbooks of incidents, and the heading that a task stood under. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table activities add column section text;

    create table incident_playbooks (
      organisation_id uuid not null references organisations (id) on delete cascade,
      id uuid primary key,
      incident_id uuid not null references incidents (id) on delete cascade,
      playbook_id uuid references playbooks (id) on delete set null,
      name text not null,
      version integer not null,
      tasks_count integer not null,
      added_by text not null,
      added_timestamp timestamptz not null,
      position bigint generated always as identity
    );
    create index on incident_playbooks (incident_id, position);
    create index on incident_playbooks (playbook_id);
    select protect_tenant_table('incident_playbooks');
    select protect_incident_table('incident_playbooks');
  `.execute(db)
}
