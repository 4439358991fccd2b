import { type Kysely, sql } from 'kysely'

/** Notifications of messages that are at the hosted chat service alone (decision 047). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table notifications
      -- Ids of the service are texts. The room is ours.
      add column hosted_message_id text,
      -- When the message was sent, in milliseconds: the service does not number messages.
      add column hosted_message_timestamp timestamptz,
      add check ((hosted_message_id is null) = (hosted_message_timestamp is null)),
      add check (hosted_message_id is null or (room_id is not null and message_id is null));
    create unique index on notifications (room_id, hosted_message_id, user_id) where hosted_message_id is not null;

    -- Messages of the service up to this time are read, so that a notification that is made later is read too.
    alter table room_members add column hosted_read_timestamp timestamptz;
  `.execute(db)
}
