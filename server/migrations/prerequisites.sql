-- Prerequisites of tables: the roles that every transaction switches to, the protection of tables, and the functions of
-- policies, generated columns and indexes.

do $$ begin
  if not exists (select from pg_roles where rolname = 'muster_member') then create role muster_member nologin; end if;
  if not exists (select from pg_roles where rolname = 'muster_external') then create role muster_external nologin; end if;
  if not exists (select from pg_roles where rolname = 'muster_provider') then create role muster_provider nologin; end if;
end $$;
-- External people have members' rights, as far as the policies of their own role allow.
grant muster_member to muster_external;
grant muster_member, muster_external, muster_provider to current_user;

-- Functions of these schemas bypass the policies, as the role that no policy binds: a policy that queries its own table
-- would recurse endlessly. Each restricts rows to the organisation, and to the viewer, itself.
create schema if not exists visibility authorization muster_provider;
create schema if not exists chat authorization muster_provider;
set local role muster_provider;
grant usage on schema visibility to muster_member, muster_external;
reset role;

-- Fails, rather than showing everything, without an opened organisation.
create or replace function current_organisation() returns uuid language sql stable
  as $$ select current_setting('app.organisation')::uuid $$;

-- Protects a table with rows of organisations. PostgreSQL evaluates a policy's sub-select once per statement; a
-- function call in its place would run for each row.
create or replace function protect_tenant_table(tenant_table regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format('alter table %s force row level security', tenant_table);
  execute format('alter table %s alter organisation_id set default current_organisation()', tenant_table);
  execute format('create policy tenant on %s to muster_member using (organisation_id = (select current_setting(''app.organisation'')::uuid)) with check (organisation_id = (select current_setting(''app.organisation'')::uuid))', tenant_table);
  execute format('create policy provider on %s to muster_provider using (true) with check (true)', tenant_table);
  execute format('grant select, insert, update, delete on %s to muster_member, muster_provider', tenant_table);
end $$;

-- Protects a table with rows of incidents, after protect_tenant_table. The condition is true for rows that an external
-- viewer may see.
create or replace function protect_incident_table(incident_table regclass, condition text default 'incident_id in (select unnest(visibility.visible_incidents()))')
  returns void language plpgsql as $$
begin
  execute format('create policy viewer on %s as restrictive to muster_external using (%s)', incident_table, condition);
end $$;

set local role muster_provider;

-- Ids of the incidents that target the viewer. An array, and in this language because it caches its plan: policies call
-- it once per statement.
create or replace function visibility.visible_incidents() returns uuid[]
  language plpgsql stable security definer set search_path = public, pg_temp as $$
  declare
    organisation uuid := current_setting('app.organisation')::uuid;
    viewer uuid := current_setting('app.viewer')::uuid;
  begin
    return array(
      select n.incident_id from incident_target_users n
       where n.organisation_id = organisation and n.user_id = viewer
      union all
      select t.incident_id from group_members m
        join incident_target_groups t on t.group_id = m.group_id
        join users u on u.id = m.user_id
       where m.organisation_id = organisation and m.user_id = viewer
         and u.active and not u.banned and not u.dashboard_user and u.role <> 'BUSINESS_USER');
  end $$;

-- Ids of the viewer's rooms.
create or replace function visibility.visible_rooms() returns uuid[]
  language plpgsql stable security definer set search_path = public, pg_temp as $$
  begin
    return array(
      select m.room_id from room_members m
       where m.organisation_id = current_setting('app.organisation')::uuid
         and m.user_id = current_setting('app.viewer')::uuid and not m.has_left);
  end $$;

revoke execute on function visibility.visible_incidents, visibility.visible_rooms from public;
grant execute on function visibility.visible_incidents, visibility.visible_rooms to muster_external;
reset role;

-- Folded texts (lower case, no accents) are compared by byte, so that every server sorts equally under every collation.
create or replace function fold(words text) returns text language sql immutable strict parallel safe
  as $$ select lower(regexp_replace(normalize(words, NFD), '[\u0300-\u036f]', '', 'g')) $$;

-- The folded text with zeros before its numbers of up to twelve digits, so that “2” sorts before “10”.
create or replace function natural_key(words text) returns text language sql immutable strict parallel safe
  as $$ select regexp_replace(
    regexp_replace(fold(words), '(?<![0-9])([0-9]{1,12})(?![0-9])', '00000000000\1', 'g'),
    '(?<![0-9])0{0,11}([0-9]{12})(?![0-9])', '\1', 'g') $$;

-- Grams of a text, for a search index (decision 053): three consecutive characters; the last ones of a word are
-- shorter, so that a search for one or two characters is the beginning of a gram. The organisation follows a space,
-- which no gram begins with: the index excludes other organisations' rows.
create or replace function search_grams(words text, organisation uuid) returns tsvector
  language sql immutable strict parallel safe as $$
    select array_to_tsvector(coalesce(array_agg(distinct substr(word, place, 3)), '{}') || (' ' || organisation))
    from (select distinct word from regexp_split_to_table(words, '\s+') word where word <> '') one,
      generate_series(1, length(word)) place
  $$;
