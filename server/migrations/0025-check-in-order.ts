import { type Kysely, sql } from 'kysely'

/** Check-ins of an incident in their order, for the pages of the team status. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index on check_ins (incident_id, timestamp)`.execute(db)
}
