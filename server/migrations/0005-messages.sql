-- Emails, SMS and voice calls.

-- Contents that many messages share.
create table message_contents (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  -- Sender number of an SMS or call.
  sender text,
  subject text,
  text text not null,
  html text,
  priority text
);
select protect_tenant_table('message_contents');

-- Emails, SMS and voice calls: waiting, sent, failed, or kept in the outbox.
create table messages (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  channel text not null,
  recipient text not null,
  subject text,
  text text,
  html text,
  state text not null,
  provider_id text,
  reason text,
  create_timestamp timestamptz not null,
  done_timestamp timestamptz,
  content_id uuid,
  -- Mass notification of the message; null for other messages.
  notification_id uuid,
  carrier_trouble boolean not null default false,
  constraint messages_say_something check (text is not null or content_id is not null)
);
create index on messages (create_timestamp);
create index on messages (notification_id) where notification_id is not null;
select protect_tenant_table('messages');
