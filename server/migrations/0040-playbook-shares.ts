import { type Kysely, sql } from 'kysely'

/** Shares of playbooks with child organisations, and what a parent may know of its children's playbooks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table playbook_shares (
      organisation_id uuid not null references organisations (id) on delete cascade,
      id uuid primary key default gen_random_uuid(),
      requested_by text not null,
      create_timestamp timestamptz not null,
      -- Set with the last copy.
      done_timestamp timestamptz
    );
    select protect_tenant_table('playbook_shares');
    select protect_incident_table('playbook_shares', 'false');

    -- One row for each playbook and organisation. Names stay as they were, also when what they name is deleted.
    create table playbook_share_copies (
      organisation_id uuid not null references organisations (id) on delete cascade,
      share_id uuid not null references playbook_shares (id) on delete cascade,
      playbook_id uuid not null,
      enterprise_id uuid not null,
      position integer not null,
      playbook_name text not null,
      enterprise_name text not null,
      outcome text not null,
      message text,
      primary key (share_id, playbook_id, enterprise_id)
    );
    create index on playbook_share_copies (share_id, position);
    select protect_tenant_table('playbook_share_copies');
    select protect_incident_table('playbook_share_copies', 'false');

    -- The share that a copy came with, and the playbook of the parent: no share brings a playbook twice.
    alter table playbooks add column share_id uuid, add column source_id uuid;
    create unique index on playbooks (organisation_id, share_id, source_id) where share_id is not null;

    -- How many playbooks the children of the opened organisation have, and nothing else of them.
    grant usage on schema visibility to muster_member;
    set local role muster_provider;
    create function visibility.child_playbooks() returns table (child_id uuid, playbooks bigint)
      language sql stable security definer set search_path = public, pg_temp as $$
        select o.id, count(p.id) from organisations o left join playbooks p on p.organisation_id = o.id
         where o.parent_id = current_setting('app.organisation')::uuid and o.deleted_timestamp is null
         group by o.id
      $$;
    revoke execute on function visibility.child_playbooks from public;
    grant execute on function visibility.child_playbooks to muster_member;
    reset role;
  `.execute(db)
}
