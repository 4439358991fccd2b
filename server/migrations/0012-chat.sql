-- Rooms, who is in them, and what is said there (decision 037).

-- The number of changes of an organisation's chat, and the lock under which they are made one after another: what is
-- read up to a number is therefore complete. It is taken after every other lock except that of the event stream.
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
  -- Direct messages have none.
  name text,
  -- In lower case, made by the program, as with groups.
  name_key text,
  description text,
  -- Ids of the people of a direct message, sorted.
  direct_key text,
  created_by uuid references users (id) on delete set null,
  is_privileged boolean not null default false,
  privileged_by uuid,
  privileged_timestamp timestamptz,
  -- Number of the last message. Messages are numbered without gaps.
  last_sequence bigint not null default 0,
  last_message_timestamp timestamptz,
  -- A deleted room stays as an empty row, so that pages that were closed meanwhile learn of it.
  is_deleted boolean not null default false,
  create_timestamp timestamptz not null,
  update_timestamp timestamptz not null,
  version integer not null default 1,
  -- The change of the chat that made the row what it is.
  change_sequence bigint not null,
  -- The last change of any message in it.
  message_change_sequence bigint not null default 0,
  -- The call that goes on in it; null for none.
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
  -- Rows of former members stay, so that their pages learn of it and their place is kept.
  has_left boolean not null default false,
  read_sequence bigint not null default 0,
  read_timestamp timestamptz,
  -- Hidden until a message comes after this one.
  hidden_sequence bigint,
  create_timestamp timestamptz not null,
  change_sequence bigint not null,
  -- Messages of the service up to this time are read, so that a notification that is made later is read too.
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
  -- Its place in the room, from 1.
  sequence bigint not null,
  user_id uuid not null references users (id) on delete cascade,
  -- Chosen by the sender, so that a repeated request is found done.
  client_id uuid not null,
  html text not null,
  plain text not null,
  mentioned uuid[] not null default '{}',
  reply_to uuid references room_messages (id) on delete set null,
  file_ids uuid[] not null default '{}',
  -- People in a call and when it ended; written by calls.
  is_call boolean not null default false,
  call jsonb,
  -- State of the room when it was sent; the status says who changed it and when.
  is_privileged boolean not null default false,
  privileged_status jsonb,
  pinned_by uuid,
  pinned_timestamp timestamptz,
  create_timestamp timestamptz not null,
  update_timestamp timestamptz not null,
  edited_timestamp timestamptz,
  deleted_timestamp timestamptz,
  -- Words of text and file names, and the organisation behind a colon, which no word begins with: the
  -- index finds no other one's rows.
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
