-- Messages that wait for their time (decision 103).
create table scheduled_messages (
  organisation_id uuid not null references organisations (id) on delete cascade,
  -- The client id of the message that it becomes.
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  room_id uuid not null references rooms (id) on delete cascade,
  html text not null,
  file_ids uuid[] not null default '{}',
  reply_to uuid,
  thread_id uuid,
  is_also_in_room boolean not null default false,
  send_timestamp timestamptz not null,
  -- The sentence with which it was refused at its time; null while it waits.
  problem text,
  version integer not null default 1,
  create_timestamp timestamptz not null
);
create index on scheduled_messages (user_id, send_timestamp, id);
create index on scheduled_messages (room_id);
create index on scheduled_messages (organisation_id);
create index on scheduled_messages using gin (file_ids);
select protect_tenant_table('scheduled_messages');
create policy viewer on scheduled_messages as restrictive for select to muster_external
  using (user_id = (select current_setting('app.viewer')::uuid));
