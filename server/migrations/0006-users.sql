-- People, with the sort and search keys of their list.

create table users (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  email text not null,
  first_name text not null,
  last_name text not null,
  phone_number text,
  location text,
  department text,
  role text not null,
  type text not null,
  active boolean not null default true,
  banned boolean not null default false,
  dashboard_user boolean not null default false,
  profile_image_url text,
  password_hash text,
  accepted_terms boolean not null default false,
  was_sent_activation_email boolean not null default false,
  last_login_timestamp timestamptz,
  create_timestamp timestamptz not null,
  update_timestamp timestamptz not null,
  version integer not null default 1,
  password_change_since timestamptz,
  family_key text collate "C" not null generated always as (fold(last_name || ' ' || first_name)) stored,
  given_key text collate "C" not null generated always as (fold(first_name || ' ' || last_name)) stored,
  -- One line per field, so that no phrase spans two fields.
  search_key text collate "C" not null generated always as (fold(
    first_name || ' ' || last_name || e'\n' || email || e'\n' || coalesce(location, '') || e'\n' || coalesce(department, '')
  )) stored,
  -- Pickers search name, department and the address without its domain, which most people share. Each word begins after
  -- a space, so that one pattern finds words by prefix.
  picker_key text collate "C" not null generated always as (fold(
    ' ' || first_name || ' ' || last_name || e'\n ' || coalesce(department, '') || e'\n ' || split_part(email, '@', 1)
  )) stored,
  unique (organisation_id, email)
);
create index on users (organisation_id, active, last_name, first_name, id);
create index on users (organisation_id, family_key, id);
create index on users (organisation_id, given_key, id);
-- For people who forgot their organisation's code: searches across all organisations.
create index on users (email);
-- Index-only counts and filters of the list.
create index on users (organisation_id, active, role);
-- Detects whether there are external people.
create index on users (organisation_id) where type = 'EXTERNAL';
-- The first administrator of every organisation in one pass, for lists of the console.
create index users_administrators on users (organisation_id, create_timestamp, id)
  where active and role = 'ADMIN' and type = 'INTERNAL';
create index users_grams on users using gin (search_grams(search_key, organisation_id))
  with (gin_pending_list_limit = 256);
-- No plan uses the frequency of grams, and collecting it would take long.
alter index users_grams alter column 1 set statistics 0;
-- Sort orders with few values: pages are read in index order, those behind the middle from its end.
create index on users (organisation_id, (location is null), lower(location), family_key, id);
create index on users (organisation_id, (location is null), lower(location) desc, family_key, id);
create index on users (organisation_id, (department is null), lower(department), family_key, id);
create index on users (organisation_id, (department is null), lower(department) desc, family_key, id);
create index on users (organisation_id, role, family_key, id);
create index on users (organisation_id, role desc, family_key, id);
create index on users (organisation_id, coalesce(last_login_timestamp, '-infinity'), family_key, id);
create index on users (organisation_id, create_timestamp);
create index on users (organisation_id, (case when not active then 4 when last_login_timestamp is not null then 0
  when password_hash is not null then 1 when was_sent_activation_email then 2 else 3 end), family_key, id);
create index on users (organisation_id, (case when not active then 4 when last_login_timestamp is not null then 0
  when password_hash is not null then 1 when was_sent_activation_email then 2 else 3 end) desc, family_key, id);
select protect_tenant_table('users');

-- Separate from users, so that activity does not rewrite their rows.
create table user_activity (
  organisation_id uuid not null references organisations (id) on delete cascade,
  user_id uuid primary key references users (id) on delete cascade,
  timestamp timestamptz not null
);
select protect_tenant_table('user_activity');

create table pictures (
  organisation_id uuid not null references organisations (id) on delete cascade,
  user_id uuid primary key references users (id) on delete cascade,
  -- SHA-256 of the token in the picture's address.
  token_hash bytea not null unique,
  blob_id uuid not null references blobs (id),
  create_timestamp timestamptz not null
);
create index on pictures (blob_id);
select protect_tenant_table('pictures');
