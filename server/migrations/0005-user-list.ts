import { type Kysely, sql } from 'kysely'

/**
 * Sort and search keys for lists of thousands of users. The keys are folded (lower case, no accents) and compared by
 * byte, so that both kinds of database return one order under every collation.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function fold(words text) returns text language sql immutable strict parallel safe
      as $$ select lower(regexp_replace(normalize(words, NFD), '[\u0300-\u036f]', '', 'g')) $$;

    alter table users
      add column family_key text collate "C" not null
        generated always as (fold(last_name || ' ' || first_name)) stored,
      add column given_key text collate "C" not null
        generated always as (fold(first_name || ' ' || last_name)) stored,
      -- One line for each field, so that words of two fields are not taken for one phrase.
      add column search_key text collate "C" not null generated always as (fold(
        first_name || ' ' || last_name || e'\n' || email || e'\n' || coalesce(location, '') || e'\n' || coalesce(department, '')
      )) stored;
    create index on users (organisation_id, family_key, id);
    create index on users (organisation_id, given_key, id);
  `.execute(db)
}
