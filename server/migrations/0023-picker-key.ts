import { type Kysely, sql } from 'kysely'

/**
 * What pickers find a person by: name, department and the address without its domain, which most people share. Each word
 * begins after a space, the first of a field too, so that one pattern finds the words that begin with a text.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users add column picker_key text collate "C" not null generated always as (fold(
      ' ' || first_name || ' ' || last_name || e'\n ' || coalesce(department, '') || e'\n ' || split_part(email, '@', 1)
    )) stored;
    -- Whether there is anybody from outside.
    create index on users (organisation_id) where type = 'EXTERNAL';
  `.execute(db)
}
