import { type Kysely, sql } from 'kysely'

/** How rows of a table are told apart when they are counted; `row` is how a row is called. */
const COUNTED: { readonly [table: string]: (row: string) => string } = {
  users: (row) => `array[${row}.active::text, ${row}.role, ${row}.type]`,
  incidents: (row) => `array[${row}.is_active::text, ${row}.severity, ${row}.is_tabletop::text]`,
  contacts: () => `'{}'::text[]`,
  contact_list_members: (row) => `array[${row}.list_id::text]`,
  group_members: (row) => `array[${row}.group_id::text]`,
  room_members: (row) => `array[case when not ${row}.has_left then ${row}.room_id::text end]`,
  mass_notifications: () => `'{}'::text[]`,
  // What lies in the trash is in no folder.
  file_items: (row) => `array[case when ${row}.trash_id is null then ${row}.parent_id::text end]`,
}

/**
 * Numbers of rows that are kept, because counting takes as long as there are rows (decision 053). Every change adds what it
 * changes, so that no two wait for each other; housekeeping adds them up.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table row_counts (
      organisation_id uuid not null references organisations (id) on delete cascade,
      counted text not null,
      facet text[] not null,
      amount bigint not null
    );
    create index on row_counts (organisation_id, counted, facet) include (amount);
    select protect_tenant_table('row_counts');
    -- External people see fewer rows than there are.
    create policy viewer on row_counts as restrictive for select to muster_external using (false);
    revoke insert, update, delete on row_counts from muster_member;
  `.execute(db)
  // How far others have read a room, which everybody may be in.
  await sql`create index on room_members (room_id, read_sequence desc) where not has_left`.execute(db)
  for (const [table, facet] of Object.entries(COUNTED)) await countRows(db, table, facet)
}

async function countRows(db: Kysely<unknown>, table: string, facet: (typeof COUNTED)[string]): Promise<void> {
  await sql
    .raw(
      `set local role muster_provider;
      create function visibility.count_${table}() returns trigger
        language plpgsql security definer set search_path = public, pg_temp as $$
        begin
          if tg_op = 'UPDATE' then
            insert into row_counts values
              (old.organisation_id, '${table}', ${facet('old')}, -1), (new.organisation_id, '${table}', ${facet('new')}, 1);
            return null;
          end if;
          -- Rows that go with their organisation are counted no more.
          insert into row_counts
            select c.organisation_id, '${table}', ${facet('c')}, case tg_op when 'INSERT' then count(*) else -count(*) end
              from changed c where exists (select from organisations o where o.id = c.organisation_id)
             group by 1, 3;
          return null;
        end $$;
      insert into row_counts
        select c.organisation_id, '${table}', ${facet('c')}, count(*) from ${table} c group by 1, 3;
      reset role;

      create trigger count_inserted after insert on ${table} referencing new table as changed
        for each statement execute function visibility.count_${table}();
      create trigger count_deleted after delete on ${table} referencing old table as changed
        for each statement execute function visibility.count_${table}();
      create trigger count_changed after update on ${table} for each row
        when (${facet('old')} is distinct from ${facet('new')}) execute function visibility.count_${table}();`,
    )
    .execute(db)
}
