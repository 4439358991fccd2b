-- Reports of imports, what they did to each person, and who came from which source.

create table imports (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('USERS', 'CONTACTS')),
  -- Null for an import from a screen.
  source text,
  file_name text not null,
  create_timestamp timestamptz not null,
  -- Null for the system.
  actor text,
  added integer not null default 0,
  changed integer not null default 0,
  unchanged integer not null default 0,
  gone integer not null default 0,
  problems integer not null default 0,
  gone_action text not null check (gone_action in ('KEEP', 'ARCHIVE', 'REMOVE')),
  undo_timestamp timestamptz,
  undone_by text,
  not_undone integer not null default 0
);
create index on imports (organisation_id, create_timestamp, id);
create index on imports (create_timestamp);
select protect_tenant_table('imports');

create table import_rows (
  organisation_id uuid not null references organisations (id) on delete cascade,
  import_id uuid not null references imports (id) on delete cascade,
  n integer not null,
  row_number integer,
  -- UNCHANGED rows are deleted at the end of their import.
  outcome text not null check (outcome in ('ADDED', 'CHANGED', 'UNCHANGED', 'GONE', 'PROBLEM')),
  email text not null,
  -- The user or contact.
  record_id uuid,
  -- Fields with another value, as they were and as the import left them; all fields of an added person.
  before jsonb,
  after jsonb,
  -- Keys of the contact lists that the row names.
  lists text[],
  message text,
  undo text,
  primary key (import_id, n)
);
create index on import_rows (import_id, email);
create index on import_rows (import_id, outcome, n);
select protect_tenant_table('import_rows');

-- People whom the files of a source have named, with the first import that did.
create table user_sources (
  organisation_id uuid not null references organisations (id) on delete cascade,
  source text not null,
  user_id uuid not null references users (id) on delete cascade,
  import_id uuid not null,
  primary key (organisation_id, source, user_id)
);
create index on user_sources (user_id);
select protect_tenant_table('user_sources');

create table contact_sources (
  organisation_id uuid not null references organisations (id) on delete cascade,
  source text not null,
  list_id uuid not null,
  contact_id uuid not null,
  import_id uuid not null,
  primary key (organisation_id, source, list_id, contact_id),
  foreign key (list_id, contact_id) references contact_list_members (list_id, contact_id) on delete cascade
);
create index on contact_sources (list_id, contact_id);
select protect_tenant_table('contact_sources');

alter table api_keys add column may_import_users boolean not null default false;
