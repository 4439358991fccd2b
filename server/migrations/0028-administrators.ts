import { type Kysely, sql } from 'kysely'

/** Finds the first administrator of every organisation in one pass, for lists of the console. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index users_administrators on users (organisation_id, create_timestamp, id)
      where active and role = 'ADMIN' and type = 'INTERNAL';
  `.execute(db)
}
