-- The ledger of attempts to hand messages to carriers, and numbers of people reached.

-- An attempt to hand a message to a carrier. Repeated attempts with an equal outcome are one row. Without a foreign key
-- to messages, as those have none to their contents: a check for each of thousands would cost as much as the row.
create table message_attempts (
  organisation_id uuid not null references organisations (id) on delete cascade,
  message_id uuid not null,
  -- Order within the message, from 1.
  number smallint not null,
  carrier text not null,
  -- Id that the carrier returned when it accepted the message.
  provider_id text,
  -- DEFERRED: not accepted now, retried. UNKNOWN: perhaps accepted, looked up with the next attempt.
  state text not null check (state in ('DEFERRED', 'UNKNOWN', 'SENT', 'DELIVERED', 'FAILED')),
  -- The carrier's code of a failure, and the reason in plain words.
  code text,
  reason text,
  tries integer not null default 1,
  create_timestamp timestamptz not null,
  update_timestamp timestamptz not null,
  primary key (message_id, number)
);
select protect_tenant_table('message_attempts');

alter table mass_notifications
  -- People with a confirmed delivery or an answer of their own; recounted with the other counts.
  add column reached_count integer not null default 0,
  -- Time at which the last message was sent or failed.
  add column settled_timestamp timestamptz;
