import { type Kysely, sql } from 'kysely'

/** Contacts in lists, templates, what was sent to whom and how much of it, and messages that share their words. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table contacts (
      organisation_id uuid not null references organisations (id) on delete cascade,
      id uuid primary key default gen_random_uuid(),
      email text not null,
      name text not null,
      phone text,
      -- Where the number is at home; empty for a number that nobody can have, null where that was not looked at yet.
      phone_country text,
      create_timestamp timestamptz not null,
      update_timestamp timestamptz not null,
      sort_key text collate "C" not null
        generated always as (fold(case when name = '' then email else name end)) stored,
      search_key text collate "C" not null
        generated always as (fold(name || e'\n' || email || e'\n' || coalesce(phone, ''))) stored
    );
    create unique index on contacts (organisation_id, email);
    select protect_tenant_table('contacts');

    create table contact_lists (
      organisation_id uuid not null references organisations (id) on delete cascade,
      id uuid primary key default gen_random_uuid(),
      name text not null,
      -- In lower case, made by the program: what the database calls lower case depends on its collation.
      name_key text not null,
      sort_key text collate "C" not null generated always as (fold(name)) stored
    );
    create unique index on contact_lists (organisation_id, name_key);
    select protect_tenant_table('contact_lists');

    create table contact_list_members (
      organisation_id uuid not null references organisations (id) on delete cascade,
      list_id uuid not null references contact_lists (id) on delete cascade,
      contact_id uuid not null references contacts (id) on delete cascade,
      primary key (list_id, contact_id)
    );
    create index on contact_list_members (contact_id);
    select protect_tenant_table('contact_list_members');

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
      search_key text collate "C" not null generated always as (
        fold(title || e'\n' || coalesce(email_message, '') || e'\n' || coalesce(sms_message, ''))) stored
    );
    create index on notification_templates (organisation_id, sort_key, id);
    select protect_tenant_table('notification_templates');

    -- Everything as it was when it was sent: names and addresses, no references.
    create table mass_notifications (
      organisation_id uuid not null references organisations (id) on delete cascade,
      id uuid primary key default gen_random_uuid(),
      request_id uuid,
      title text,
      email_message text,
      sms_message text,
      types text[] not null,
      level text not null,
      contact_lists text[] not null,
      contact_emails text[] not null,
      group_names text[] not null,
      notified json not null,
      notified_count integer not null,
      created_by text not null,
      create_timestamp timestamptz not null,
      sort_key text collate "C" not null generated always as (fold(coalesce(title, ''))) stored,
      search_key text collate "C" not null generated always as (
        fold(coalesce(title, '') || e'\n' || coalesce(email_message, '') || e'\n' || coalesce(sms_message, ''))) stored
    );
    create unique index on mass_notifications (organisation_id, request_id) where request_id is not null;
    create index on mass_notifications (organisation_id, create_timestamp, id);
    select protect_tenant_table('mass_notifications');

    -- How many notifications an organisation has sent, for its quota.
    create table mass_notification_usage (
      organisation_id uuid primary key references organisations (id) on delete cascade,
      used bigint not null
    );
    select protect_tenant_table('mass_notification_usage');

    -- Words that many messages share.
    create table message_contents (
      organisation_id uuid not null references organisations (id) on delete cascade,
      id uuid primary key default gen_random_uuid(),
      -- The number that an SMS or a call comes from.
      sender text,
      subject text,
      text text not null,
      html text
    );
    select protect_tenant_table('message_contents');

    alter table messages
      alter column text drop not null,
      add column content_id uuid,
      -- What they were sent for, if they were sent for something that is counted.
      add column notification_id uuid,
      add constraint messages_say_something check (text is not null or content_id is not null);
    create index on messages (notification_id) where notification_id is not null;
  `.execute(db)
}
