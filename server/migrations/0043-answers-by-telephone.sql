-- Answers by SMS and by keys of a call.

alter table notification_answers drop constraint notification_answers_channel_check,
  add constraint notification_answers_channel_check check (channel in ('LINK', 'SMS', 'VOICE_CALL', 'ON_BEHALF'));

-- Every SMS that came in, once. Those of unknown numbers belong to the provider.
create table inbound_messages (
  organisation_id uuid not null references organisations (id) on delete cascade,
  carrier text not null,
  -- Id at the carrier, by which a message is taken once.
  provider_id text not null,
  sender text not null,
  text text not null,
  -- The question that was open for the number, and the people it had reached there.
  notification_id uuid,
  people integer[] not null default '{}',
  -- False for words that are no answer, which are shown as a note.
  is_answer boolean not null default false,
  create_timestamp timestamptz not null,
  primary key (carrier, provider_id)
);
create index on inbound_messages (notification_id) where notification_id is not null;
select protect_tenant_table('inbound_messages');

-- Finds the question that a number replies to.
create index on messages (recipient) where notification_id is not null and channel = 'SMS';

alter table message_contents
  -- Number of keys that answer a call; null for a call without a question, and for other channels.
  add column keys smallint,
  -- Language in which a call is spoken (BCP 47); null for the carrier's own.
  add column language text;
