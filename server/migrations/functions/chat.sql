-- Locks the organisation's chat against other changes until the transaction ends.
create or replace function lock_chat() returns void language plpgsql as $$
begin
  insert into chat_heads (organisation_id, sequence) values (current_organisation(), 0)
    on conflict (organisation_id) do nothing;
  perform from chat_heads where organisation_id = current_organisation() for update;
end $$;

-- Returns the sequence of the next chat change.
create or replace function next_chat_sequence(organisation uuid default current_organisation()) returns bigint
  language plpgsql set search_path = public, pg_temp as $$
declare
  number bigint;
begin
  insert into chat_heads (organisation_id, sequence) values (organisation, 1)
    on conflict (organisation_id) do update set sequence = chat_heads.sequence + 1
    returning sequence into number;
  return number;
end $$;

-- The handle by which a group is mentioned: its name without accents and in lower case, with dashes for blanks and for
-- characters that end a handle (`handlesIn` of contract/chat/rules.ts).
create or replace function group_handle(name text) returns text language sql immutable strict parallel safe
  as $$ select trim(both '-' from regexp_replace(fold(name), '[\s@<>()"'',;:!?|/\\.&+]+', '-', 'g')) $$;

-- Adds a message, once per client id, and marks it as read by its sender. Returns no row where the sender is not a
-- member. Skips a reply to a missing message and files of other people: the caller compares. Returns the author too,
-- because a function caches its plans and a statement does not. `thread` is the first message of a thread of the room,
-- which the caller has checked; the room shows an answer only if `also_in_room`.
drop function if exists post_message(
  uuid, uuid, uuid, text, text, text[], text[], uuid, uuid[], jsonb, timestamptz);
create or replace function post_message(
  in_room uuid, author_id uuid, client uuid, new_html text, new_plain text, lexemes text[], emails text[],
  reply uuid, files uuid[], privilege jsonb, at timestamptz, thread uuid, also_in_room boolean
) returns table (posted room_messages, author jsonb, is_direct boolean, is_repeated boolean) language plpgsql as $$
declare
  number bigint;
  room rooms;
  is_shown boolean := thread is null or also_in_room;
  answer bigint;
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
  if is_shown then
    update rooms set last_sequence = last_sequence + 1, last_message_timestamp = at, message_change_sequence = number
      where id = in_room returning * into room;
  else
    update rooms set message_change_sequence = number where id = in_room returning * into room;
  end if;
  if thread is not null then
    answer := add_answer(in_room, thread, author_id, at, also_in_room);
  end if;
  insert into room_messages (
    room_id, sequence, user_id, client_id, html, plain, mentioned, reply_to, file_ids, is_privileged,
    privileged_status, create_timestamp, update_timestamp, words, change_sequence, thread_id, thread_sequence
  ) values (
    in_room, case when is_shown then room.last_sequence end, author_id, client, new_html, new_plain,
    case when emails = '{}' then '{}' else array(
      select m.user_id from room_members m join users u on u.id = m.user_id
       where m.room_id = in_room and not m.has_left and u.active and u.id <> author_id and u.email = any(emails)
    ) end,
    (select m.id from room_messages m
      where m.id = reply and m.room_id = in_room and m.deleted_timestamp is null
        and (m.sequence is not null or m.thread_id = thread)),
    case when files = '{}' then '{}' else array(
      select f.id from unnest(files) with ordinality as sent (id, n) join room_files f on f.id = sent.id
       where f.created_by = author_id and f.message_id is null order by sent.n
    ) end,
    room.is_privileged, privilege, at, at,
    array_to_tsvector(lexemes || (':' || room.organisation_id)), number, thread, answer
  ) returning * into posted;
  if posted.file_ids <> '{}' then
    update room_files set room_id = in_room, message_id = posted.id where id = any(posted.file_ids);
  end if;
  if is_shown then
    update room_members set read_sequence = room.last_sequence, read_timestamp = at, unread_from = null
      where room_id = in_room and user_id = author_id;
  end if;
  return next;
end $$;

-- Counts an answer in its thread, whose first answer makes the thread, and marks it as read by its author. Returns its
-- number. People whom the first message concerns take part from the first answer on.
create or replace function add_answer(
  in_room uuid, thread uuid, author_id uuid, at timestamptz, also_in_room boolean
) returns bigint language plpgsql as $$
declare
  answer bigint;
begin
  insert into room_threads (id, room_id, last_answer_timestamp, change_sequence) values (thread, in_room, at, 0)
    on conflict (id) do nothing;
  if found then
    insert into room_thread_members (thread_id, room_id, user_id)
      select thread, in_room, one.id from room_messages m, unnest(m.user_id || m.mentioned) as one (id)
       where m.id = thread
      on conflict do nothing;
  end if;
  update room_threads set
      last_sequence = last_sequence + 1,
      last_inside_sequence = case when also_in_room then last_inside_sequence else last_sequence + 1 end,
      answer_count = answer_count + 1,
      last_answer_timestamp = at,
      answerers = (author_id || array_remove(answerers, author_id))[1:3],
      change_sequence = next_chat_sequence()
    where id = thread returning last_sequence into answer;
  insert into room_thread_members (thread_id, room_id, user_id, read_sequence)
    values (thread, in_room, author_id, answer)
    on conflict (thread_id, user_id) do update set read_sequence = excluded.read_sequence;
  return answer;
end $$;

-- Counts the answers of threads again, and deletes threads without any.
create or replace function recount_threads(threads uuid[]) returns void language plpgsql as $$
begin
  delete from room_threads t where t.id = any(threads)
    and not exists (select from room_messages m where m.thread_id = t.id);
  update room_threads t set
      answer_count = (
        select count(*) from room_messages m where m.thread_id = t.id and m.deleted_timestamp is null),
      last_answer_timestamp = coalesce((
        select max(m.create_timestamp) from room_messages m
         where m.thread_id = t.id and m.deleted_timestamp is null), t.last_answer_timestamp),
      answerers = array(
        select m.user_id from room_messages m where m.thread_id = t.id and m.deleted_timestamp is null
         group by m.user_id order by max(m.thread_sequence) desc limit 3)
    where t.id = any(threads);
end $$;

-- Keeps the members of Headquarters equal to the rows of people, by a trigger.
set local role muster_provider;

create or replace function chat.enter_headquarters(organisation uuid, people uuid[], at timestamptz) returns void
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

create or replace function chat.users_added() returns trigger
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

create or replace function chat.user_changed() returns trigger
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

create or replace trigger enter_headquarters after insert on users
  referencing new table as added for each statement execute function chat.users_added();
create or replace trigger change_headquarters after update on users for each row
  when (old.active is distinct from new.active or old.type is distinct from new.type)
  execute function chat.user_changed();
