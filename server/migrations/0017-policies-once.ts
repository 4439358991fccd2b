import { type Kysely, sql } from 'kysely'

/**
 * Policies that PostgreSQL evaluates once per statement. A function call in a policy is made for each row; a sub-select
 * that refers to no column becomes an InitPlan, and the comparison can use an index.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function protect_tenant_table(tenant_table regclass) returns void language plpgsql as $$
    begin
      execute format('alter table %s enable row level security', tenant_table);
      execute format('alter table %s force row level security', tenant_table);
      execute format('alter table %s alter organisation_id set default current_organisation()', tenant_table);
      execute format('create policy tenant on %s to muster_member using (organisation_id = (select current_setting(''app.organisation'')::uuid)) with check (organisation_id = (select current_setting(''app.organisation'')::uuid))', tenant_table);
      execute format('create policy provider on %s to muster_provider using (true) with check (true)', tenant_table);
      execute format('grant select, insert, update, delete on %s to muster_member, muster_provider', tenant_table);
    end $$;

    do $$
    declare
      protected regclass;
    begin
      for protected in select polrelid::regclass from pg_policy where polname = 'tenant' loop
        execute format('alter policy tenant on %s using (organisation_id = (select current_setting(''app.organisation'')::uuid)) with check (organisation_id = (select current_setting(''app.organisation'')::uuid))', protected);
      end loop;
    end $$;

    alter policy own on organisations
      using (id = (select current_setting('app.organisation')::uuid)
        or parent_id = (select current_setting('app.organisation')::uuid));

    -- Counts and filters the list of users without reading their rows.
    create index on users (organisation_id, active, role);
  `.execute(db)
}
