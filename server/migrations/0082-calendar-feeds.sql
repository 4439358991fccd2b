-- Secret addresses of people's due times, for calendar programs (decision 125).
create table calendar_feeds (
  organisation_id uuid not null references organisations (id) on delete cascade,
  user_id uuid primary key references users (id) on delete cascade,
  -- Of the token in the address.
  hash bytea not null unique,
  create_timestamp timestamptz not null
);
create index on calendar_feeds (organisation_id);
select protect_tenant_table('calendar_feeds');
-- External people have no calendar.
select protect_incident_table('calendar_feeds', 'false');
