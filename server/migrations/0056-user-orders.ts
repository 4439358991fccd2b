import { type Kysely, sql } from 'kysely'

/**
 * Orders of the list of users that have few values: their pages are read in the order of an index, those behind the middle
 * from its end.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index on users (organisation_id, (location is null), lower(location), family_key, id);
    create index on users (organisation_id, (location is null), lower(location) desc, family_key, id);
    create index on users (organisation_id, (department is null), lower(department), family_key, id);
    create index on users (organisation_id, (department is null), lower(department) desc, family_key, id);
    create index on users (organisation_id, role, family_key, id);
    create index on users (organisation_id, role desc, family_key, id);
    create index on users (organisation_id, coalesce(last_login_timestamp, '-infinity'), family_key, id);
    create index on users (organisation_id, create_timestamp);
    create index on users (organisation_id, (case when not active then 4 when last_login_timestamp is not null then 0
      when password_hash is not null then 1 when was_sent_activation_email then 2 else 3 end), family_key, id);
    create index on users (organisation_id, (case when not active then 4 when last_login_timestamp is not null then 0
      when password_hash is not null then 1 when was_sent_activation_email then 2 else 3 end) desc, family_key, id);
  `.execute(db)
}
