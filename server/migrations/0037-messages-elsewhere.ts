import { type Kysely, sql } from 'kysely'

/** Notifications of messages that mention somebody, and messages that became tasks and updates of incidents. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table notifications
      add column room_id uuid references rooms (id) on delete cascade,
      add column message_id uuid references room_messages (id) on delete cascade;
    create unique index on notifications (message_id, user_id) where message_id is not null;
    create index on notifications (room_id, user_id) where room_id is not null;

    alter table activities add column message_id uuid references room_messages (id) on delete set null;
    create unique index on activities (message_id, incident_id) where message_id is not null;
  `.execute(db)
}
