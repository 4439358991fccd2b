-- Contacts in lists.

create table contacts (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  email text not null,
  name text not null,
  phone text,
  -- Country of the number; empty for an impossible number, null where it was not checked yet.
  phone_country text,
  create_timestamp timestamptz not null,
  update_timestamp timestamptz not null,
  sort_key text collate "C" not null
    generated always as (fold(case when name = '' then email else name end)) stored,
  search_key text collate "C" not null
    generated always as (fold(name || e'\n' || email || e'\n' || coalesce(phone, ''))) stored
);
create unique index on contacts (organisation_id, email);
create index on contacts (organisation_id, sort_key, email);
create index contacts_grams on contacts using gin (search_grams(search_key, organisation_id))
  with (gin_pending_list_limit = 256);
alter index contacts_grams alter column 1 set statistics 0;
select protect_tenant_table('contacts');

create table contact_lists (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  name text not null,
  -- Lower case by the program, because the database's depends on its collation.
  name_key text not null,
  sort_key text collate "C" not null generated always as (fold(name)) stored
);
create unique index on contact_lists (organisation_id, name_key);
select protect_tenant_table('contact_lists');

create table contact_list_members (
  organisation_id uuid not null references organisations (id) on delete cascade,
  list_id uuid not null references contact_lists (id) on delete cascade,
  contact_id uuid not null references contacts (id) on delete cascade,
  primary key (list_id, contact_id)
);
create index on contact_list_members (contact_id);
create index on contact_list_members (organisation_id, list_id, contact_id);
select protect_tenant_table('contact_list_members');
