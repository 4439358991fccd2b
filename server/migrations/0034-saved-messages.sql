-- Messages that a person has saved, with the time of a reminder that waits.
create table saved_messages (
  organisation_id uuid not null references organisations (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  message_id uuid not null references room_messages (id) on delete cascade,
  room_id uuid not null references rooms (id) on delete cascade,
  create_timestamp timestamptz not null,
  -- Null without a reminder, and once it was sent.
  remind_timestamp timestamptz,
  primary key (user_id, message_id)
);
create index on saved_messages (user_id, create_timestamp desc, message_id desc);
create index on saved_messages (message_id);
create index on saved_messages (room_id);
create index on saved_messages (organisation_id);
select protect_tenant_table('saved_messages');
create policy viewer on saved_messages as restrictive for select to muster_external
  using (room_id = any ((select visibility.visible_rooms())::uuid[]));

-- A reminder is a notification of its own beside the one of a mention in the message.
alter table notifications add column reminder_timestamp timestamptz;
drop index notifications_message_id_user_id_idx;
create unique index on notifications (message_id, user_id)
  where message_id is not null and reminder_timestamp is null;
create unique index on notifications (message_id, user_id, reminder_timestamp)
  where reminder_timestamp is not null;
