-- Texts of files, for the search in their contents (decision 092).

-- A row for each file whose text was asked for, which is done once for each version.
create table file_texts (
  organisation_id uuid not null references organisations (id) on delete cascade,
  item_id bigint primary key references file_items (id) on delete cascade,
  file_version integer not null,
  -- True also where there is no text, so that nothing is read again.
  is_read boolean not null default false,
  -- Words of the text, none before it is read and where there is none, with the organisation behind a colon, which no
  -- word begins with: the index excludes other organisations' rows.
  words tsvector not null
);
create index on file_texts using gin (words) with (gin_pending_list_limit = 256);
create index on file_texts (organisation_id);
select protect_tenant_table('file_texts');
select protect_incident_table('file_texts', 'false');

-- The text in parts, from which a search shows where it found a word.
create table file_passages (
  organisation_id uuid not null references organisations (id) on delete cascade,
  item_id bigint not null references file_texts (item_id) on delete cascade,
  -- Position in the text, from 1.
  number integer not null,
  -- Page of a PDF or slide of a presentation, from 1; null in other files.
  page integer,
  text text not null,
  words tsvector not null,
  primary key (item_id, number)
);
create index on file_passages (organisation_id);
select protect_tenant_table('file_passages');
select protect_incident_table('file_passages', 'false');
