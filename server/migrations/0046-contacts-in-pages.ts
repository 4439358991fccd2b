import { type Kysely, sql } from 'kysely'

/** Contacts come in pages: by name within an organisation, and in each of its lists. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index on contacts (organisation_id, sort_key, email);
    create index on contact_list_members (organisation_id, list_id, contact_id);
  `.execute(db)
}
