import { type Kysely, sql } from 'kysely'

/** The feed with what is active on top, page by page. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index on incidents (organisation_id, is_active desc, create_timestamp desc, id)`.execute(
    db,
  )
}
