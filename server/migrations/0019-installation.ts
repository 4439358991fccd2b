import { type Kysely, sql } from 'kysely'

/** What the installation has to remember about itself, in one row. Only the role that owns the tables reads it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table installation (
      is_only boolean primary key default true check (is_only),
      -- Derived from the installation's secret, which cannot be found from it: shows at the start that the secret fits.
      secret_check text not null
    );
    revoke all on installation from public;
  `.execute(db)
}
