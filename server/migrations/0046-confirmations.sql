-- Requests to confirm a message of the chat, or an update of an incident.
create table confirmation_requests (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  -- Either a message in its room, or an update of an incident.
  message_id uuid unique references room_messages (id) on delete cascade,
  room_id uuid references rooms (id) on delete cascade,
  activity_id uuid unique references activities (id) on delete cascade,
  incident_id uuid references incidents (id) on delete cascade,
  created_by_id uuid references users (id) on delete set null,
  create_timestamp timestamptz not null,
  -- Last reminder; limits how often people are reminded.
  reminded_timestamp timestamptz,
  check (num_nulls(message_id, room_id) in (0, 2) and num_nulls(activity_id, incident_id) in (0, 2)
    and num_nonnulls(message_id, activity_id) = 1)
);
create index on confirmation_requests (room_id, create_timestamp desc) where room_id is not null;
create index on confirmation_requests (incident_id, create_timestamp desc) where incident_id is not null;
create index on confirmation_requests (organisation_id);
select protect_tenant_table('confirmation_requests');
select protect_incident_table('confirmation_requests',
  'incident_id in (select unnest(visibility.visible_incidents())) or room_id in (select unnest(visibility.visible_rooms()))');

create table confirmations (
  organisation_id uuid not null references organisations (id) on delete cascade,
  request_id uuid not null references confirmation_requests (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  confirm_timestamp timestamptz not null,
  primary key (request_id, user_id)
);
create index on confirmations (organisation_id);
create index on confirmations (user_id);
select protect_tenant_table('confirmations');
select protect_incident_table('confirmations', 'exists (select from confirmation_requests r where r.id = request_id)');
