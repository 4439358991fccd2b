-- Mentions by person: by name, and by groups or everybody online, who are not among a message's `mentioned`.
create table room_mentions (
  organisation_id uuid not null references organisations (id) on delete cascade,
  message_id uuid not null references room_messages (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  room_id uuid not null references rooms (id) on delete cascade,
  sequence bigint not null,
  create_timestamp timestamptz not null,
  primary key (message_id, user_id)
);
-- The first counts a room's unread mentions, the second pages through all of a person's.
create index on room_mentions (user_id, room_id, sequence);
create index on room_mentions (user_id, create_timestamp desc, message_id desc);
create index on room_mentions (room_id);
create index on room_mentions (organisation_id);
select protect_tenant_table('room_mentions');
create policy viewer on room_mentions as restrictive for select to muster_external
  using (room_id = any ((select visibility.visible_rooms())::uuid[]));

-- Handles of the audiences that a message reaches: `here`, or those of groups.
alter table room_messages add column audiences text[] not null default '{}';

alter table room_messages no force row level security;
alter table room_mentions no force row level security;
insert into room_mentions (organisation_id, message_id, user_id, room_id, sequence, create_timestamp)
  select m.organisation_id, m.id, one.id, m.room_id, m.sequence, m.create_timestamp
    from room_messages m cross join lateral unnest(m.mentioned) as one (id)
    join users u on u.id = one.id
  on conflict do nothing;
alter table room_mentions force row level security;
alter table room_messages force row level security;

alter table room_members
  add column is_favourite boolean not null default false,
  add column is_muted boolean not null default false,
  -- The first message that the member has marked as unread again. The read position stays, which others see.
  add column unread_from bigint;
