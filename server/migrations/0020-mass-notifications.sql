-- Templates of mass notifications, and sent notifications with their recipients.

create table notification_templates (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  title text not null,
  level text not null,
  sms_message text,
  email_message text,
  create_timestamp timestamptz not null,
  update_timestamp timestamptz not null,
  version integer not null default 1,
  sort_key text collate "C" not null generated always as (fold(title)) stored,
  search_key text collate "C" not null
    generated always as (fold(title || e'\n' || coalesce(email_message, '') || e'\n' || coalesce(sms_message, ''))) stored
);
create index on notification_templates (organisation_id, sort_key, id);
select protect_tenant_table('notification_templates');

-- Copies of names and addresses at the time of sending.
create table mass_notifications (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  title text,
  email_message text,
  sms_message text,
  types text[] not null,
  level text not null,
  contact_list_ids text[] not null,
  contact_ids text[] not null,
  group_names text[] not null,
  notified_user_history_data json not null,
  notified_count integer not null,
  created_by text not null,
  create_timestamp timestamptz not null,
  -- Chosen people whom none of the types could reach.
  unreached json not null default '[]',
  -- Counts are null while messages wait, and where they were never computed.
  sent_count integer,
  not_reached_count integer,
  sort_key text collate "C" not null generated always as (fold(coalesce(title, ''))) stored,
  search_key text collate "C" not null
    generated always as (fold(
      coalesce(title, '') || e'\n' || coalesce(email_message, '') || e'\n' || coalesce(sms_message, ''))) stored
);
create index on mass_notifications (organisation_id, create_timestamp, id);
create index mass_notifications_grams on mass_notifications using gin (search_grams(search_key, organisation_id))
  with (gin_pending_list_limit = 256);
alter index mass_notifications_grams alter column 1 set statistics 0;
select protect_tenant_table('mass_notifications');

-- Notifications sent by an organisation, for its quota.
create table mass_notification_usage (
  organisation_id uuid primary key references organisations (id) on delete cascade,
  used bigint not null
);
select protect_tenant_table('mass_notification_usage');
