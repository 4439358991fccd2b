import { type Kysely, sql } from 'kysely'

/** Columns are named after their fields, so that no store translates one name into another. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table incidents rename column estimated_time to estimated_time_to_recovery;
    alter table incidents rename column estimated_time_unit to estimated_time_to_recovery_time_unit;
    alter table activities rename column parent_id to parent_activity_id;
    alter table activities rename column ideal_title to ideal_title_to_execute;
    alter table activities rename column expected_minutes to expected_time_to_complete;
    alter table mass_notifications rename column contact_lists to contact_list_ids;
    alter table mass_notifications rename column contact_emails to contact_ids;
    alter table mass_notifications rename column notified to notified_user_history_data;
  `.execute(db)
}
