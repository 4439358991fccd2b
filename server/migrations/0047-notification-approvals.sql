-- Notifications that wait for a second person, and corrections.

create table notification_approvals (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  -- The notification as it was requested.
  body json not null,
  -- Recipients as they were when it was requested.
  group_names text[] not null,
  is_exercise boolean not null,
  people_count integer not null,
  needed integer not null,
  requested_by text not null,
  requested_by_id uuid not null,
  requested_by_kind text not null check (requested_by_kind in ('person', 'key')),
  -- Address of the person who made the key; null for a person's own request.
  key_made_by text,
  create_timestamp timestamptz not null,
  expire_timestamp timestamptz not null,
  state text not null check (state in ('WAITING', 'APPROVED', 'REFUSED', 'WITHDRAWN', 'EXPIRED')),
  decided_by text,
  decide_timestamp timestamptz,
  reason text,
  -- The notification that was sent.
  notification_id uuid references mass_notifications (id) on delete set null,
  check ((state = 'WAITING') = (decide_timestamp is null))
);
create index on notification_approvals (organisation_id, create_timestamp desc, id);
create index on notification_approvals (organisation_id, create_timestamp desc, id) where state = 'WAITING';
select protect_tenant_table('notification_approvals');
-- External people notify nobody.
select protect_incident_table('notification_approvals', 'false');

alter table notifications add column approval_id uuid references notification_approvals (id) on delete cascade;
create index on notifications (approval_id) where approval_id is not null;

alter table mass_notifications
  -- The second person; null where none was needed.
  add column approved_by text,
  -- A correction that was prepared with the notification.
  add column correction text,
  -- The notification that this one corrects.
  add column corrects_id uuid;
create index on mass_notifications (corrects_id) where corrects_id is not null;
