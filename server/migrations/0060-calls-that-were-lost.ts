import { type Kysely, sql } from 'kysely'

/** Whether a call ended because none of its pages could be heard any longer, so that one of them may resume it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table calls add column is_lost boolean not null default false`.execute(db)
}
