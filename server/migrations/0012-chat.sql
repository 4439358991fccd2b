-- Rooms, their members and messages (decision 037).

-- Sequence of an organisation's chat changes, and the lock that serialises them: reading up to a number is therefore
-- complete. Locked after every other lock except that of the event stream.
create table chat_heads (
  organisation_id uuid primary key references organisations (id) on delete cascade,
  sequence bigint not null
);
select protect_tenant_table('chat_heads');

create table rooms (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('WAR_ROOM', 'BREAKOUT_ROOM', 'DIRECT_MESSAGE')),
  is_headquarters boolean not null default false,
  -- Null for direct messages.
  name text,
  -- Lower case by the program, as in groups.
  name_key text,
  description text,
  -- Sorted ids of the members of a direct message.
  direct_key text,
  created_by uuid references users (id) on delete set null,
  is_privileged boolean not null default false,
  privileged_by uuid,
  privileged_timestamp timestamptz,
  -- Sequence of the last message. Messages are numbered without gaps.
  last_sequence bigint not null default 0,
  last_message_timestamp timestamptz,
  -- Deleted rooms stay as empty rows, so that pages that were closed meanwhile learn of the deletion.
  is_deleted boolean not null default false,
  create_timestamp timestamptz not null,
  update_timestamp timestamptz not null,
  version integer not null default 1,
  -- The chat change that last changed the row.
  change_sequence bigint not null,
  -- The last change of any message in the room.
  message_change_sequence bigint not null default 0,
  -- The active call; null for none.
  call_id uuid
);
create unique index on rooms (organisation_id) where is_headquarters;
create unique index on rooms (organisation_id, name_key) where not is_deleted;
create index on rooms (organisation_id, direct_key) where direct_key is not null;
create index on rooms (organisation_id, change_sequence);
select protect_tenant_table('rooms');
create policy viewer on rooms as restrictive for select to muster_external
  using (id = any ((select visibility.visible_rooms())::uuid[]));

create table room_members (
  organisation_id uuid not null references organisations (id) on delete cascade,
  room_id uuid not null references rooms (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  role text not null check (role in ('owner', 'channel_admin', 'channel_moderator', 'member')),
  -- Rows of former members stay, so that their pages learn of it and their read position is kept.
  has_left boolean not null default false,
  read_sequence bigint not null default 0,
  read_timestamp timestamptz,
  -- Hidden until a message with a higher sequence arrives.
  hidden_sequence bigint,
  create_timestamp timestamptz not null,
  change_sequence bigint not null,
  -- Time up to which the service's messages are read, so that notifications created later count as read too.
  hosted_read_timestamp timestamptz,
  primary key (room_id, user_id)
);
create index on room_members (user_id, room_id) where not has_left;
create index on room_members (organisation_id, change_sequence);
-- Finds how far others have read a room, which everybody may be in.
create index on room_members (room_id, read_sequence desc) where not has_left;
select protect_tenant_table('room_members');
create policy viewer on room_members as restrictive for select to muster_external
  using (room_id = any ((select visibility.visible_rooms())::uuid[]));

create table room_messages (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  room_id uuid not null references rooms (id) on delete cascade,
  -- Position in the room, from 1.
  sequence bigint not null,
  user_id uuid not null references users (id) on delete cascade,
  -- Chosen by the sender, so that a repeated request is recognised.
  client_id uuid not null,
  html text not null,
  plain text not null,
  mentioned uuid[] not null default '{}',
  reply_to uuid references room_messages (id) on delete set null,
  file_ids uuid[] not null default '{}',
  -- Participants of a call and its end; written by calls.
  is_call boolean not null default false,
  call jsonb,
  -- The room's state at the time of sending; the status names who changed it and when.
  is_privileged boolean not null default false,
  privileged_status jsonb,
  pinned_by uuid,
  pinned_timestamp timestamptz,
  create_timestamp timestamptz not null,
  update_timestamp timestamptz not null,
  edited_timestamp timestamptz,
  deleted_timestamp timestamptz,
  -- Words of text and file names, with the organisation behind a colon, which no word begins with: the index excludes
  -- other organisations' rows.
  words tsvector not null,
  change_sequence bigint not null,
  unique (room_id, sequence),
  unique (room_id, user_id, client_id)
);
create index on room_messages (organisation_id, change_sequence);
create index on room_messages (room_id, change_sequence);
create index on room_messages (room_id, pinned_timestamp) where pinned_timestamp is not null;
create index on room_messages using gin (words);
create index on room_messages (organisation_id, create_timestamp, id);
select protect_tenant_table('room_messages');
create policy viewer on room_messages as restrictive for select to muster_external
  using (room_id = any ((select visibility.visible_rooms())::uuid[]));

create table room_reactions (
  organisation_id uuid not null references organisations (id) on delete cascade,
  message_id uuid not null references room_messages (id) on delete cascade,
  room_id uuid not null references rooms (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  emoji text not null,
  create_timestamp timestamptz not null,
  primary key (message_id, emoji, user_id)
);
select protect_tenant_table('room_reactions');
create policy viewer on room_reactions as restrictive for select to muster_external
  using (room_id = any ((select visibility.visible_rooms())::uuid[]));

create table room_files (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  -- Room and message are null until a message carries the file.
  room_id uuid references rooms (id),
  message_id uuid references room_messages (id),
  blob_id uuid not null references blobs (id),
  name text not null,
  extension text not null,
  type text not null,
  created_by uuid not null references users (id) on delete cascade,
  create_timestamp timestamptz not null,
  search_key text collate "C" not null generated always as (fold(name || '.' || extension)) stored
);
create index on room_files (room_id, create_timestamp, id);
create index on room_files (message_id);
create index on room_files (blob_id);
create index on room_files (create_timestamp) where message_id is null;
select protect_tenant_table('room_files');
create policy viewer on room_files as restrictive for select to muster_external
  using (created_by = (select current_setting('app.viewer')::uuid)
    or room_id = any ((select visibility.visible_rooms())::uuid[]));

create table room_exports (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  room_id uuid not null references rooms (id) on delete cascade,
  requested_by uuid not null references users (id) on delete cascade,
  since_timestamp timestamptz not null,
  until_timestamp timestamptz not null,
  state text not null,
  progress integer not null,
  tries integer not null,
  file_name text,
  blob_id uuid references blobs (id),
  create_timestamp timestamptz not null,
  update_timestamp timestamptz not null,
  expire_timestamp timestamptz not null
);
create index on room_exports (room_id);
create index on room_exports (expire_timestamp);
create index on room_exports (blob_id);
select protect_tenant_table('room_exports');
create policy viewer on room_exports as restrictive for select to muster_external
  using (requested_by = (select current_setting('app.viewer')::uuid));
