-- Searches of growing lists find parts of words by an index of grams (decision 053).

-- Non-overlapping grams of every word: comparing the matches covers the overlapping ones.
create or replace function search_query(words text[], organisation uuid) returns tsquery
  language sql immutable strict parallel safe as $$
    select (quote_literal(' ' || organisation) || coalesce(string_agg(
      ' & ''' || replace(replace(gram, '\', '\\'), '''', '''''') || '''' || case when length(gram) < 3 then ':*' else '' end,
      ''), ''))::tsquery
    from (
      select distinct substr(word, least(place, greatest(length(word) - 2, 1)), 3) as gram
      from unnest(words) word, generate_series(1, length(word), 3) place
    ) grams
  $$;

-- `like` patterns of a search's words.
create or replace function search_patterns(words text[]) returns text[] language sql immutable strict parallel safe as $$
    select coalesce(array_agg('%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%'), '{}') from unnest(words) word
  $$;

-- `visibility.search_<table>` returns the ids of rows that contain every word. Null where more than `most` do, where a
-- sample of 200 suggests so or suggests that reading the list in order is faster, and for external people, who see few
-- rows. The index is out of reach of row-level security, so the function itself restricts rows to the organisation.
set local role muster_provider;
do $do$
declare
  one record;
begin
  for one in select * from (values
    ('incidents', 'uuid', ''),
    -- Samples the rows added first: any 200 may be those of one department or place.
    ('users', 'uuid', ' order by create_timestamp'),
    ('contacts', 'uuid', ''),
    ('mass_notifications', 'uuid', ''),
    ('file_items', 'bigint', '')
  ) as searched (name, id_type, sample_order) loop
    execute format($function$
      create or replace function visibility.search_%1$s(asked text[], most integer) returns %2$s[]
        language plpgsql stable security definer set search_path = public, pg_temp
        set enable_seqscan = off set enable_indexscan = on as $$
        declare
          organisation uuid := current_setting('app.organisation')::uuid;
          folded text[] := array(select fold(word) from unnest(asked) word);
          patterns text[] := search_patterns(folded);
          grams tsquery := search_query(folded, organisation);
          seen integer;
          sampled integer;
          matches %2$s[];
        begin
          if current_setting('role') = 'muster_external' then return null; end if;
          select count(*), count(*) filter (where search_key like all (patterns)) into seen, sampled from (
              select search_key from %1$s where organisation_id = organisation%3$s limit 200) sample;
          if sampled > 40 or sampled >= 5 and seen = 200 and sampled * (
              select sum(amount) from row_counts where organisation_id = organisation and counted = '%1$s') > 200 * most
            then return null;
          end if;
          -- A small organisation's rows are read faster than grams that others share.
          if seen < 200 then
            return array(
              select id from %1$s where organisation_id = organisation and search_key like all (patterns));
          end if;
          -- Ends with the function. Forces a bitmap scan of the index of grams.
          perform set_config('enable_indexscan', 'off', true);
          matches := array(
            select id from %1$s
             where search_grams(search_key, organisation_id) @@ grams
               and (organisation_id = organisation) is true and search_key like all (patterns)
             limit most + 1);
          return case when cardinality(matches) <= most then matches end;
        end $$
    $function$, one.name, one.id_type, one.sample_order);
    execute format('revoke execute on function visibility.search_%s from public', one.name);
    execute format('grant execute on function visibility.search_%s to muster_member', one.name);
  end loop;
end $do$;

-- Ids of a member's messages with all of the words, newest first. An operator that is not leakproof cannot use an index
-- below row-level security, so the function bypasses it and filters by organisation and member itself. Very common
-- words are searched among the newest messages: the index would collect all matches before sorting.
drop function if exists visibility.search_messages(
  uuid, tsquery, uuid, uuid, timestamptz, timestamptz, timestamptz, uuid, integer);
-- `phrases` are patterns of folded texts, all of which a message contains.
create or replace function visibility.search_messages(
  member uuid, query tsquery, phrases text[], in_room uuid, author uuid, since timestamptz, until timestamptz,
  before_time timestamptz, before_id uuid, most integer
) returns setof uuid language plpgsql stable security definer set search_path = public, pg_temp as $$
  declare
    organisation uuid := current_setting('app.organisation')::uuid;
    newest uuid[];
  begin
    newest := array(
      select m.id from (
          select * from room_messages n
           where n.organisation_id = organisation
             and n.create_timestamp >= coalesce(since, '-infinity')
             and n.create_timestamp < coalesce(until, 'infinity')
             and (n.create_timestamp, n.id) < (coalesce(before_time, 'infinity'),
               coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
           order by n.create_timestamp desc, n.id desc
           limit 2000) m
       where m.words @@ query
         and (phrases = '{}' or fold(m.plain) like all (phrases))
         and (in_room is null or m.room_id = in_room)
         and (author is null or m.user_id = author)
         and m.room_id in (select o.room_id from room_members o
                            where o.organisation_id = organisation and o.user_id = member and not o.has_left)
         and m.deleted_timestamp is null
       order by m.create_timestamp desc, m.id desc
       limit most);
    if cardinality(newest) = most then
      return query select unnest(newest);
      return;
    end if;
    return query
      select m.id from room_messages m
       where m.words @@ ((''':' || organisation || '''')::tsquery && query)
         and m.organisation_id = organisation
         and (phrases = '{}' or fold(m.plain) like all (phrases))
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

-- Ids of playbooks with all of the words.
create or replace function visibility.search_playbooks(query tsquery) returns setof uuid
  language plpgsql stable security definer set search_path = public, pg_temp as $$
  declare
    organisation uuid := current_setting('app.organisation')::uuid;
  begin
    return query select p.id from playbooks p
      where p.words @@ ((''':' || organisation || '''')::tsquery && query) and p.organisation_id = organisation;
  end $$;

-- Ids of files whose texts have all of the words, outside the trash and the hidden root folders; none for external
-- people, who see no files.
create or replace function visibility.search_file_texts(query tsquery, hidden bigint[], most integer) returns bigint[]
  language plpgsql stable security definer set search_path = public, pg_temp as $$
  declare
    organisation uuid := current_setting('app.organisation')::uuid;
  begin
    if current_setting('role') = 'muster_external' then return '{}'; end if;
    return array(
      select t.item_id from file_texts t join file_items i on i.id = t.item_id
       where t.words @@ ((''':' || organisation || '''')::tsquery && query) and t.organisation_id = organisation
         and i.trash_id is null and i.root_id <> all(hidden)
       limit most);
  end $$;

revoke execute on function
  visibility.search_messages, visibility.search_playbooks, visibility.search_file_texts from public;
grant execute on function
  visibility.search_messages, visibility.search_playbooks, visibility.search_file_texts to muster_member;
reset role;
