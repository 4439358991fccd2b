import { type Kysely, sql } from 'kysely'

/** What the dashboard asks of somebody: their open tasks, and when the organisation last practised. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index on activities (assigned_to) where type = 'TASK' and progress < 100;
    create index on incidents (organisation_id, create_timestamp desc) where is_tabletop;
  `.execute(db)
}
