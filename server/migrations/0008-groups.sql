-- Groups of people.

create table user_groups (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  name text not null,
  -- Lower case by the program, because the database's depends on its collation.
  name_key text not null,
  description text,
  created_by text not null,
  create_timestamp timestamptz not null,
  update_timestamp timestamptz not null,
  version integer not null default 1,
  sort_key text collate "C" not null generated always as (fold(name)) stored,
  search_key text collate "C" not null
    generated always as (fold(name || e'\n' || coalesce(description, ''))) stored
);
create unique index on user_groups (organisation_id, name_key);
create index on user_groups (organisation_id, sort_key, id);
select protect_tenant_table('user_groups');

create table group_members (
  organisation_id uuid not null references organisations (id) on delete cascade,
  group_id uuid not null references user_groups (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  primary key (group_id, user_id)
);
create index on group_members (user_id);
select protect_tenant_table('group_members');
