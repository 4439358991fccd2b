-- Escalation of notifications with a question, and deputies of people.

alter table users
  -- Address of the person who is asked in their place.
  add column deputy text;

alter table notification_templates add column escalation json;

alter table mass_notifications
  -- The plan by which those who have not answered are asked again; null without one.
  add column escalation json,
  -- Minutes after which the next member of the group is asked; null unless the group is asked in order.
  add column in_order_minutes integer;

-- Name that takes its place in the shared text of a message.
alter table messages add column recipient_name text;

-- The state of an escalation: what is due next.
create table notification_escalations (
  organisation_id uuid not null references organisations (id) on delete cascade,
  notification_id uuid primary key references mass_notifications (id) on delete cascade,
  start_timestamp timestamptz not null,
  -- Number of the step that is due next, from 0 through all rounds.
  number integer not null default 0,
  -- Null once it has ended.
  next_timestamp timestamptz,
  ended text check (ended in ('ANSWERED', 'DONE', 'CLOSED', 'CANCELLED', 'STOPPED')),
  ended_by text,
  ended_timestamp timestamptz,
  -- Members of a group that is asked in order, who were not asked yet.
  queue uuid[] not null default '{}',
  check ((next_timestamp is null) = (ended is not null))
);
select protect_tenant_table('notification_escalations');
-- External people notify nobody.
select protect_incident_table('notification_escalations', 'false');

-- Steps that were taken.
create table notification_steps (
  organisation_id uuid not null references organisations (id) on delete cascade,
  notification_id uuid not null references mass_notifications (id) on delete cascade,
  number integer not null,
  round integer not null,
  -- The person, their deputy, or the next member of a group.
  asked text not null check (asked in ('PERSON', 'DEPUTY', 'NEXT')),
  types text[] not null,
  -- People to whom messages were made.
  people integer not null,
  create_timestamp timestamptz not null,
  primary key (notification_id, number)
);
select protect_tenant_table('notification_steps');
select protect_incident_table('notification_steps', 'false');

-- People whom a step did not ask, with the reason.
create table notification_step_skips (
  organisation_id uuid not null references organisations (id) on delete cascade,
  notification_id uuid not null,
  number integer not null,
  -- Number of the person within the notification, or place in the queue of a group.
  person integer not null,
  name text not null,
  reason text not null,
  primary key (notification_id, number, person),
  foreign key (notification_id, number) references notification_steps (notification_id, number) on delete cascade
);
select protect_tenant_table('notification_step_skips');
select protect_incident_table('notification_step_skips', 'false');

-- Deputies who were asked. Their places follow those of the recipients, so that each has a link of their own.
create table notification_deputies (
  organisation_id uuid not null references organisations (id) on delete cascade,
  notification_id uuid not null,
  place integer not null,
  -- The person in whose place the deputy is asked.
  person integer not null,
  name text not null,
  email text not null,
  phone text,
  primary key (notification_id, place),
  unique (notification_id, person, email),
  foreign key (notification_id, person) references notification_recipients (notification_id, place) on delete cascade
);
select protect_tenant_table('notification_deputies');
select protect_incident_table('notification_deputies', 'false');
