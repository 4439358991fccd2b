-- Addresses and numbers that are not tried again, each for a reason, with the history of those that were lifted.
create table suppressions (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('EMAIL', 'PHONE')),
  -- Email address in lower case, or a number as a plus sign and digits.
  address text not null,
  reason text not null check (reason in ('STOPPED', 'NO_SUCH_NUMBER', 'NO_SMS', 'BOUNCED')),
  carrier text not null,
  -- The carrier's code and its reason; null where the person has written STOP.
  code text,
  said text,
  -- The message that failed. Without a foreign key, because messages are deleted earlier.
  message_id uuid,
  notification_id uuid,
  create_timestamp timestamptz not null,
  lift_timestamp timestamptz,
  -- Email address of the administrator; null for a person who has written START.
  lifted_by text,
  lift_reason text,
  check ((kind = 'EMAIL') = (reason = 'BOUNCED'))
);
-- An address is suppressed once for each reason. Addresses come first: senders look up many of them.
create unique index suppressions_active on suppressions (organisation_id, address, reason) where lift_timestamp is null;
create index on suppressions (organisation_id, address, create_timestamp);
create index on suppressions (organisation_id, create_timestamp desc, id);
select protect_tenant_table('suppressions');
-- External people notify nobody.
select protect_incident_table('suppressions', 'false');
