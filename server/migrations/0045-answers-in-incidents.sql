-- The incident that a notification is about, and the answers of its people in the incident.

alter table mass_notifications add column incident_id uuid references incidents (id) on delete set null;
create index on mass_notifications (incident_id, create_timestamp desc) where incident_id is not null;
-- External people see no notifications.
select protect_incident_table('mass_notifications', 'false');

-- The newest answer of each person to each question about an incident: a copy for the incident, whose people include
-- some without an account.
create table incident_answers (
  organisation_id uuid not null references organisations (id) on delete cascade,
  incident_id uuid not null references incidents (id) on delete cascade,
  notification_id uuid not null references mass_notifications (id) on delete cascade,
  -- Number of the person within the notification.
  person integer not null,
  user_id uuid references users (id) on delete set null,
  name text not null,
  label text not null,
  tone text not null check (tone in ('GOOD', 'NEUTRAL', 'ATTENTION')),
  note text not null,
  create_timestamp timestamptz not null,
  primary key (notification_id, person)
);
create index on incident_answers (incident_id, user_id);
create index on incident_answers (incident_id, create_timestamp) where tone = 'ATTENTION';
select protect_tenant_table('incident_answers');
-- Answers name people whom an external person may not know.
select protect_incident_table('incident_answers', 'false');
