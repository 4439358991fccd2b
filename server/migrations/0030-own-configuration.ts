import { type Kysely, sql } from 'kysely'

/** Lets an organisation's transaction change the organisation's own configuration, and nothing else of its row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    grant update (config) on organisations to muster_member;
    create policy own_config on organisations for update to muster_member
      using (id = (select current_setting('app.organisation')::uuid))
      with check (id = (select current_setting('app.organisation')::uuid));
  `.execute(db)
}
