-- Calls in rooms, their participants, rings, and the processes that vouch for participants (decision 046).

create table calls (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  room_id uuid not null references rooms (id) on delete cascade,
  -- The message with its banner: where that is deleted, nothing of the call remains.
  message_id uuid not null references room_messages (id) on delete cascade,
  -- Nine digits, no two calls that go on have the same ones.
  meeting_id text not null,
  started_by uuid not null references users (id) on delete cascade,
  start_timestamp timestamptz not null,
  end_timestamp timestamptz,
  -- Ended because none of its pages could be heard any longer: one of them may resume it.
  is_lost boolean not null default false
);
create unique index on calls (room_id) where end_timestamp is null;
create unique index on calls (meeting_id) where end_timestamp is null;
create index on calls (room_id, start_timestamp);
create index on calls (message_id);
select protect_tenant_table('calls');
create policy viewer on calls as restrictive for select to muster_external
  using (room_id = any ((select visibility.visible_rooms())::uuid[]));

-- One row for each page in a call. A page that comes back has another row.
create table call_participants (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  call_id uuid not null references calls (id) on delete cascade,
  room_id uuid not null references rooms (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  -- Made by the page.
  participant_id uuid not null,
  -- The process that hears its signs, since when.
  process_id uuid not null,
  process_timestamp timestamptz not null,
  join_timestamp timestamptz not null,
  leave_timestamp timestamptz
);
create unique index on call_participants (call_id, participant_id) where leave_timestamp is null;
create index on call_participants (call_id, join_timestamp);
create index on call_participants (room_id, user_id) where leave_timestamp is null;
create index on call_participants (process_id) where leave_timestamp is null;
select protect_tenant_table('call_participants');
create policy viewer on call_participants as restrictive for select to muster_external
  using (room_id = any ((select visibility.visible_rooms())::uuid[]));

create table call_rings (
  organisation_id uuid not null references organisations (id) on delete cascade,
  call_id uuid not null references calls (id) on delete cascade,
  room_id uuid not null references rooms (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  rung_by uuid not null references users (id) on delete cascade,
  until_timestamp timestamptz not null,
  state text not null check (state in ('RINGING', 'ANSWERED', 'DECLINED', 'MISSED')),
  primary key (call_id, user_id)
);
create index on call_rings (organisation_id) where state = 'RINGING';
create index on call_rings (until_timestamp) where state = 'RINGING';
select protect_tenant_table('call_rings');
create policy viewer on call_rings as restrictive for select to muster_external
  using (room_id = any ((select visibility.visible_rooms())::uuid[]));

-- Processes that hear signs of people in calls, of all organisations.
create table call_processes (
  id uuid primary key,
  seen_timestamp timestamptz not null
);
grant select, delete on call_processes to muster_provider;
