-- Threads of messages (decision 103). Made with the first answer.
create table room_threads (
  organisation_id uuid not null references organisations (id) on delete cascade,
  -- Id of the first message, which retention may delete before its answers.
  id uuid primary key,
  room_id uuid not null references rooms (id) on delete cascade,
  -- Number of the last answer, from 1 without gaps.
  last_sequence bigint not null default 0,
  -- Number of the last answer that the room does not show.
  last_inside_sequence bigint not null default 0,
  -- Answers that were not deleted.
  answer_count integer not null default 0,
  last_answer_timestamp timestamptz not null,
  -- The latest authors, last one first.
  answerers uuid[] not null default '{}',
  -- The chat change that last changed the row.
  change_sequence bigint not null
);
create index on room_threads (organisation_id, change_sequence);
create index on room_threads (room_id);
select protect_tenant_table('room_threads');
create policy viewer on room_threads as restrictive for select to muster_external
  using (room_id = any ((select visibility.visible_rooms())::uuid[]));

-- People who take part in a thread: the author of the first message, those who answered, and those whom it mentions.
create table room_thread_members (
  organisation_id uuid not null references organisations (id) on delete cascade,
  thread_id uuid not null references room_threads (id) on delete cascade,
  room_id uuid not null references rooms (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  read_sequence bigint not null default 0,
  primary key (thread_id, user_id)
);
create index on room_thread_members (user_id, thread_id);
create index on room_thread_members (room_id);
create index on room_thread_members (organisation_id);
select protect_tenant_table('room_thread_members');
create policy viewer on room_thread_members as restrictive for select to muster_external
  using (room_id = any ((select visibility.visible_rooms())::uuid[]));

alter table room_messages
  add column thread_id uuid references room_threads (id) on delete cascade,
  -- Number of an answer in its thread.
  add column thread_sequence bigint,
  -- Null for an answer that the room does not show.
  alter column sequence drop not null;
create unique index on room_messages (thread_id, thread_sequence) where thread_id is not null;
alter table room_mentions alter column sequence drop not null;
