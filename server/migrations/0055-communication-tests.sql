-- Tests of whether messages arrive and are answered, now or by plan.

alter table mass_notifications
  -- True for a communication test, and for notifications that follow one up.
  add column is_test boolean not null default false;

-- A plan: once a month, at a moment of the working hours that nobody is told.
create table communication_test_plans (
  organisation_id uuid primary key references organisations (id) on delete cascade,
  enabled boolean not null,
  -- Notified groups; empty for everybody. Without a foreign key: a plan says that one of its groups is gone.
  group_ids uuid[] not null,
  types text[] not null,
  -- The person in whose name and with whose rights the tests are sent.
  set_by text not null,
  set_by_id uuid not null,
  update_timestamp timestamptz not null,
  version integer not null default 1,
  -- Null while the plan is off.
  next_timestamp timestamptz,
  check (enabled = (next_timestamp is not null))
);
select protect_tenant_table('communication_test_plans');
-- External people test nobody.
select protect_incident_table('communication_test_plans', 'false');

create table communication_tests (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  is_planned boolean not null,
  -- Names of the notified groups; empty for everybody.
  group_names text[] not null,
  types text[] not null,
  created_by text not null,
  create_timestamp timestamptz not null,
  notification_id uuid references mass_notifications (id) on delete set null,
  -- The request that a second person decides about; its notification is the test's.
  approval_id uuid references notification_approvals (id) on delete set null,
  -- Reason why nothing was sent; null where something was, or waits for approval.
  problem text
);
create index on communication_tests (organisation_id, create_timestamp desc, id);
create index on communication_tests (notification_id) where notification_id is not null;
create index on communication_tests (approval_id) where approval_id is not null;
select protect_tenant_table('communication_tests');
select protect_incident_table('communication_tests', 'false');
