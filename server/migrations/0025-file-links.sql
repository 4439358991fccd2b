-- Uploads beside a file of the same name, and links to files and folders for people without an account.

alter table file_uploads add column on_conflict text not null default 'replace'
  check (on_conflict in ('replace', 'keepBoth', 'refuse'));

create table file_links (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  item_id bigint not null references file_items (id) on delete cascade,
  -- DOWN hands out a file or folder, UP takes in files for a folder.
  direction text not null check (direction in ('DOWN', 'UP')),
  label text not null,
  -- Of the token in the address.
  hash bytea not null unique,
  passcode_hash text not null,
  -- The maker, whose rights decide at every use.
  user_id uuid not null references users (id),
  openings_max integer check (openings_max > 0),
  openings integer not null default 0,
  create_timestamp timestamptz not null,
  expires_timestamp timestamptz not null,
  last_opened_timestamp timestamptz,
  revoked_timestamp timestamptz,
  revoked_by text
);
create index on file_links (organisation_id, create_timestamp desc, id);
create index on file_links (item_id);
create index on file_links (user_id);
select protect_tenant_table('file_links');
-- External people make no links.
select protect_incident_table('file_links', 'false');

-- Openings of links by their passcodes.
create table file_link_visits (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  hash bytea not null unique,
  link_id uuid not null references file_links (id) on delete cascade,
  -- The name that the visitor typed, unverified.
  visitor text not null,
  create_timestamp timestamptz not null,
  expires_timestamp timestamptz not null
);
create index on file_link_visits (link_id);
create index on file_link_visits (expires_timestamp);
select protect_tenant_table('file_link_visits');
select protect_incident_table('file_link_visits', 'false');

-- Files of a visit, by the names and sizes that the visitor sent.
create table file_link_uploads (
  organisation_id uuid not null references organisations (id) on delete cascade,
  visit_id uuid not null references file_link_visits (id) on delete cascade,
  -- No reference: the file may be deleted afterwards, which the visitor does not learn.
  item_id bigint not null,
  name text not null,
  size bigint not null,
  sha256 text not null,
  create_timestamp timestamptz not null,
  primary key (visit_id, item_id)
);
select protect_tenant_table('file_link_uploads');
select protect_incident_table('file_link_uploads', 'false');

alter table file_tickets
  alter column session_id drop not null,
  add column visit_id uuid references file_link_visits (id) on delete cascade,
  add check (num_nonnulls(session_id, visit_id) = 1);
create index on file_tickets (visit_id) where visit_id is not null;
