-- Notifications in the application.

create table notifications (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  title text not null,
  details text not null,
  incident_id uuid references incidents (id) on delete cascade,
  activity_id uuid references activities (id) on delete set null,
  create_timestamp timestamptz not null,
  read_timestamp timestamptz,
  room_id uuid references rooms (id) on delete cascade,
  message_id uuid references room_messages (id) on delete cascade,
  playbook_id uuid references playbooks (id) on delete cascade,
  -- The service's ids are texts; the room is a local one.
  hosted_message_id text,
  -- Time of the message in milliseconds: the service does not number messages.
  hosted_message_timestamp timestamptz,
  check ((hosted_message_id is null) = (hosted_message_timestamp is null)),
  check (hosted_message_id is null or (room_id is not null and message_id is null))
);
create index on notifications (user_id, create_timestamp desc, id);
create index on notifications (user_id) where read_timestamp is null;
create index on notifications (incident_id);
create index on notifications (activity_id);
create unique index on notifications (message_id, user_id) where message_id is not null;
create index on notifications (room_id, user_id) where room_id is not null;
create index on notifications (playbook_id) where playbook_id is not null;
create unique index on notifications (room_id, hosted_message_id, user_id)
  where hosted_message_id is not null;
select protect_tenant_table('notifications');
select protect_incident_table(
  'notifications', 'incident_id is null or incident_id in (select unnest(visibility.visible_incidents()))');
