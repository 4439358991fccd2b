import { type Kysely, sql } from 'kysely'

/** Rooms, who is in them, and what is said there (decision 037). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
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
      -- Of a direct message: the ids of its people in their order.
      direct_key text,
      created_by uuid references users (id) on delete set null,
      is_privileged boolean not null default false,
      privileged_by uuid,
      privileged_timestamp timestamptz,
      -- Of the last message, which counts them: no number is left out.
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
      message_change_sequence bigint not null default 0
    );
    create unique index on rooms (organisation_id) where is_headquarters;
    create unique index on rooms (organisation_id, name_key) where not is_deleted;
    create index on rooms (organisation_id, direct_key) where direct_key is not null;
    create index on rooms (organisation_id, change_sequence);
    select protect_tenant_table('rooms');

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
      primary key (room_id, user_id)
    );
    create index on room_members (user_id, room_id) where not has_left;
    create index on room_members (organisation_id, change_sequence);
    select protect_tenant_table('room_members');

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
      -- Who was in a call and until when; calls write it.
      is_call boolean not null default false,
      call jsonb,
      -- Whether the room was privileged, and what a message about that says: who changed it and when.
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
    select protect_tenant_table('room_messages');

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

    create table room_files (
      organisation_id uuid not null references organisations (id) on delete cascade,
      id uuid primary key default gen_random_uuid(),
      -- Both null until a message carries it.
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
  `.execute(db)
  await sequences(db)
  await posting(db)
  await headquarters(db)
  await outsiders(db)
}

async function sequences(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Keeps other changes of the organisation's chat out until the transaction ends.
    create function lock_chat() returns void language plpgsql as $$
    begin
      insert into chat_heads (organisation_id, sequence) values (current_organisation(), 0)
        on conflict (organisation_id) do nothing;
      perform from chat_heads where organisation_id = current_organisation() for update;
    end $$;

    -- The number of the next change. Other processes are notified when the transaction commits.
    create function next_chat_sequence(organisation uuid default current_organisation()) returns bigint
      language plpgsql set search_path = public, pg_temp as $$
    declare
      number bigint;
    begin
      insert into chat_heads (organisation_id, sequence) values (organisation, 1)
        on conflict (organisation_id) do update set sequence = chat_heads.sequence + 1
        returning sequence into number;
      perform pg_notify('muster_chat', organisation || ' ' || number);
      return number;
    end $$;
  `.execute(db)
}

async function posting(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Adds a message, once for each client id, and counts it read by its sender. Returns no row where the sender is not a
    -- member. Left out are a reply to nothing and files that are not the sender's: the caller compares. The author comes
    -- with it, because a function keeps its plans and a statement does not.
    create function post_message(
      in_room uuid, author_id uuid, client uuid, new_html text, new_plain text, lexemes text[], emails text[],
      reply uuid, files uuid[], privilege jsonb, at timestamptz
    ) returns table (posted room_messages, author jsonb, is_direct boolean, is_repeated boolean) language plpgsql as $$
    declare
      number bigint;
      room rooms;
    begin
      perform lock_chat();
      select r.kind = 'DIRECT_MESSAGE', jsonb_build_object(
          'uuid', u.id, 'email', u.email, 'firstName', u.first_name, 'lastName', u.last_name, 'department', u.department,
          'role', u.role, 'type', u.type, 'active', u.active, 'profileImageUrl', u.profile_image_url)
        into is_direct, author
        from room_members m join rooms r on r.id = m.room_id join users u on u.id = m.user_id
       where m.room_id = in_room and m.user_id = author_id and not m.has_left and not r.is_deleted;
      if not found then return; end if;
      select * into posted from room_messages m
        where m.room_id = in_room and m.user_id = author_id and m.client_id = client;
      is_repeated := found;
      if is_repeated then
        return next;
        return;
      end if;
      number := next_chat_sequence();
      update rooms set last_sequence = last_sequence + 1, last_message_timestamp = at, message_change_sequence = number
        where id = in_room returning * into room;
      insert into room_messages (
        room_id, sequence, user_id, client_id, html, plain, mentioned, reply_to, file_ids, is_privileged,
        privileged_status, create_timestamp, update_timestamp, words, change_sequence
      ) values (
        in_room, room.last_sequence, author_id, client, new_html, new_plain,
        case when emails = '{}' then '{}' else array(
          select m.user_id from room_members m join users u on u.id = m.user_id
           where m.room_id = in_room and not m.has_left and u.active and u.id <> author_id and u.email = any(emails)
        ) end,
        (select m.id from room_messages m where m.id = reply and m.room_id = in_room and m.deleted_timestamp is null),
        case when files = '{}' then '{}' else array(
          select f.id from unnest(files) with ordinality as sent (id, n) join room_files f on f.id = sent.id
           where f.created_by = author_id and f.message_id is null order by sent.n
        ) end,
        room.is_privileged, privilege, at, at,
        array_to_tsvector(lexemes || (':' || room.organisation_id)), number
      ) returning * into posted;
      if posted.file_ids <> '{}' then
        update room_files set room_id = in_room, message_id = posted.id where id = any(posted.file_ids);
      end if;
      update room_members set read_sequence = room.last_sequence, read_timestamp = at
        where room_id = in_room and user_id = author_id;
      return next;
    end $$;
  `.execute(db)
}

async function headquarters(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- People enter Headquarters with their rows and leave with them, however those are written.
    create schema chat authorization muster_provider;
    set local role muster_provider;
    create function chat.enter_headquarters(organisation uuid, people uuid[], at timestamptz) returns void
      language plpgsql set search_path = public, pg_temp as $$
    declare
      number bigint;
    begin
      perform from rooms where organisation_id = organisation and is_headquarters;
      if not found then
        insert into rooms (organisation_id, kind, is_headquarters, name, name_key, create_timestamp, update_timestamp, change_sequence)
          values (organisation, 'WAR_ROOM', true, 'Headquarters', 'headquarters', at, at, next_chat_sequence(organisation))
          on conflict do nothing;
      end if;
      number := next_chat_sequence(organisation);
      insert into room_members (organisation_id, room_id, user_id, role, read_sequence, create_timestamp, change_sequence)
        select organisation, r.id, one.id, 'member', r.last_sequence, at, number
          from rooms r, unnest(people) as one (id)
         where r.organisation_id = organisation and r.is_headquarters
        on conflict (room_id, user_id) do update set has_left = false, change_sequence = number
          where room_members.has_left;
    end $$;

    create function chat.users_added() returns trigger
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      entering record;
    begin
      for entering in
        select organisation_id, array_agg(id) as people, min(create_timestamp) as at from added
         where active and type = 'INTERNAL' group by organisation_id
      loop
        perform chat.enter_headquarters(entering.organisation_id, entering.people, entering.at);
      end loop;
      return null;
    end $$;

    create function chat.user_changed() returns trigger
      language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      if new.active and new.type = 'INTERNAL' then
        perform chat.enter_headquarters(new.organisation_id, array[new.id], new.update_timestamp);
      else
        update room_members m set has_left = true, change_sequence = next_chat_sequence(new.organisation_id)
          from rooms r
         where r.organisation_id = new.organisation_id and r.is_headquarters
           and m.room_id = r.id and m.user_id = new.id and not m.has_left;
      end if;
      return null;
    end $$;
    reset role;

    create trigger enter_headquarters after insert on users
      referencing new table as added for each statement execute function chat.users_added();
    create trigger change_headquarters after update on users for each row
      when (old.active is distinct from new.active or old.type is distinct from new.type)
      execute function chat.user_changed();

    set local role muster_provider;
    select chat.enter_headquarters(
      o.id, coalesce(array_agg(u.id) filter (where u.active and u.type = 'INTERNAL'), '{}'), now())
      from organisations o join users u on u.organisation_id = o.id group by o.id;
    reset role;
  `.execute(db)
}

async function outsiders(db: Kysely<unknown>): Promise<void> {
  await sql`
    set local role muster_provider;
    create function visibility.visible_rooms() returns uuid[]
      language plpgsql stable security definer set search_path = public, pg_temp as $$
      begin
        return array(
          select m.room_id from room_members m
           where m.organisation_id = current_setting('app.organisation')::uuid
             and m.user_id = current_setting('app.viewer')::uuid and not m.has_left);
      end $$;
    revoke execute on function visibility.visible_rooms from public;
    grant execute on function visibility.visible_rooms to muster_external;

    -- Ids of a member's messages that have all of the words, newest first. An operator that is not leakproof never uses an
    -- index below row-level security, so the function stands above it and names organisation and member itself.
    create function visibility.search_messages(
      member uuid, query tsquery, in_room uuid, author uuid, since timestamptz, until timestamptz,
      before_time timestamptz, before_id uuid, most integer
    ) returns setof uuid language plpgsql stable security definer set search_path = public, pg_temp as $$
      declare
        organisation uuid := current_setting('app.organisation')::uuid;
      begin
        return query
          select m.id from room_messages m
           where m.words @@ ((''':' || organisation || '''')::tsquery && query)
             and m.organisation_id = organisation
             and m.room_id in (select o.room_id from room_members o
                                where o.organisation_id = organisation and o.user_id = member and not o.has_left)
             and (in_room is null or m.room_id = in_room)
             and (author is null or m.user_id = author)
             and (since is null or m.create_timestamp >= since)
             and (until is null or m.create_timestamp < until)
             and (before_id is null or (m.create_timestamp, m.id) < (before_time, before_id))
             and m.deleted_timestamp is null
           order by m.create_timestamp desc, m.id desc
           limit most;
      end $$;
    revoke execute on function visibility.search_messages from public;
    grant usage on schema visibility to muster_member;
    grant execute on function visibility.search_messages to muster_member;
    reset role;

    create policy viewer on rooms as restrictive for select to muster_external
      using (id = any ((select visibility.visible_rooms())::uuid[]));
    create policy viewer on room_members as restrictive for select to muster_external
      using (room_id = any ((select visibility.visible_rooms())::uuid[]));
    create policy viewer on room_messages as restrictive for select to muster_external
      using (room_id = any ((select visibility.visible_rooms())::uuid[]));
    create policy viewer on room_reactions as restrictive for select to muster_external
      using (room_id = any ((select visibility.visible_rooms())::uuid[]));
    create policy viewer on room_files as restrictive for select to muster_external
      using (created_by = (select current_setting('app.viewer')::uuid)
        or room_id = any ((select visibility.visible_rooms())::uuid[]));
  `.execute(db)
}
