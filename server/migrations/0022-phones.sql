-- Extensions and second numbers. People are found by their numbers. Stored numbers stay as they are: SQL cannot read them.

-- One statement rewrites the table once. The indexes on a column are dropped with it.
alter table users
  add column phone_extension text,
  add column second_phone_number text,
  add column second_phone_extension text,
  drop column search_key,
  drop column picker_key,
  drop column family_key;
alter table users
  add column search_key text collate "C" not null generated always as (fold(
    first_name || ' ' || last_name || e'\n' || email || e'\n' || coalesce(location, '') || e'\n' || coalesce(department, '')
      || e'\n' || coalesce(phone_number, '') || e'\n' || coalesce(second_phone_number, '')
  )) stored,
  add column picker_key text collate "C" not null generated always as (fold(
    ' ' || first_name || ' ' || last_name || e'\n ' || coalesce(department, '') || e'\n ' || split_part(email, '@', 1)
      || e'\n' || coalesce(phone_number, '') || e'\n' || coalesce(second_phone_number, '')
  )) stored,
  -- People with one name sort by it.
  add column family_key text collate "C" not null
    generated always as (fold(ltrim(last_name || ' ' || first_name))) stored;
create index users_grams on users using gin (search_grams(search_key, organisation_id))
  with (gin_pending_list_limit = 256);
alter index users_grams alter column 1 set statistics 0;
create index on users (organisation_id, family_key, id);
create index on users (organisation_id, (location is null), lower(location), family_key, id);
create index on users (organisation_id, (location is null), lower(location) desc, family_key, id);
create index on users (organisation_id, (department is null), lower(department), family_key, id);
create index on users (organisation_id, (department is null), lower(department) desc, family_key, id);
create index on users (organisation_id, role, family_key, id);
create index on users (organisation_id, role desc, family_key, id);
create index on users (organisation_id, coalesce(last_login_timestamp, '-infinity'), family_key, id);
create index on users (organisation_id, (case when not active then 4 when last_login_timestamp is not null then 0
  when password_hash is not null then 1 when was_sent_activation_email then 2 else 3 end), family_key, id);
create index on users (organisation_id, (case when not active then 4 when last_login_timestamp is not null then 0
  when password_hash is not null then 1 when was_sent_activation_email then 2 else 3 end) desc, family_key, id);

alter table contacts
  add column phone_extension text,
  add column second_phone text,
  add column second_phone_country text,
  add column second_phone_extension text,
  drop column search_key;
alter table contacts
  add column search_key text collate "C" not null generated always as (fold(
    name || e'\n' || email || e'\n' || coalesce(phone, '') || e'\n' || coalesce(second_phone, '')
  )) stored;
create index contacts_grams on contacts using gin (search_grams(search_key, organisation_id))
  with (gin_pending_list_limit = 256);
alter index contacts_grams alter column 1 set statistics 0;
