import { type Kysely, sql } from 'kysely'

/** Whom a notification reached and whom not, and the level of the emails that it sends. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table mass_notifications
      -- Those who were chosen and could be reached by none of its types.
      add column unreached json not null default '[]',
      -- Null while messages wait, and where nobody has counted.
      add column reached_count integer,
      add column not_reached_count integer;
    alter table message_contents add column priority text;
  `.execute(db)
}
