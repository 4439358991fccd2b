import { type Kysely, sql } from 'kysely'

/** Playbooks with their categories, versions and open editors; who is reminded of a review; to whom files belong. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table playbook_categories (
      organisation_id uuid not null references organisations (id) on delete cascade,
      id uuid primary key default gen_random_uuid(),
      name text not null,
      -- In lower case, made by the program: what the database calls lower case depends on its collation.
      name_key text not null,
      create_timestamp timestamptz not null,
      update_timestamp timestamptz not null,
      version integer not null default 1,
      sort_key text collate "C" not null generated always as (fold(name)) stored
    );
    create unique index on playbook_categories (organisation_id, name_key);
    create index on playbook_categories (organisation_id, sort_key, id);
    select protect_tenant_table('playbook_categories');
    select protect_incident_table('playbook_categories', 'false');

    create table playbooks (
      organisation_id uuid not null references organisations (id) on delete cascade,
      id uuid primary key default gen_random_uuid(),
      name text not null,
      category_id uuid references playbook_categories (id) on delete set null,
      description text not null,
      -- Headings and tasks in order; they are saved and read as a whole.
      activities jsonb not null,
      activities_count integer not null,
      created_by text not null,
      create_timestamp timestamptz not null,
      updated_by text not null,
      update_timestamp timestamptz not null,
      owner_id uuid references users (id) on delete set null,
      review_date date,
      -- The review date of which the owner was reminded.
      reminded_date date,
      shared_by text,
      version integer not null default 1,
      sort_key text collate "C" not null generated always as (fold(name)) stored,
      -- Words of name, brief, headings and tasks, and the organisation behind a colon, which no word begins with: the
      -- index finds no other one's rows.
      words tsvector not null
    );
    create index on playbooks using gin (words);
    create index on playbooks (organisation_id, sort_key, id);
    create index on playbooks (organisation_id, update_timestamp, id);
    create index on playbooks (organisation_id, review_date, id);
    create index on playbooks (organisation_id, category_id);
    create index on playbooks (category_id);
    create index on playbooks (owner_id);
    select protect_tenant_table('playbooks');
    -- External people have no playbooks.
    select protect_incident_table('playbooks', 'false');

    -- The index of words is out of reach of row-level security, so the function itself keeps to the organisation.
    set local role muster_provider;
    create function visibility.search_playbooks(query tsquery) returns setof uuid
      language plpgsql stable security definer set search_path = public, pg_temp as $$
      declare
        organisation uuid := current_setting('app.organisation')::uuid;
      begin
        return query select p.id from playbooks p
          where p.words @@ ((''':' || organisation || '''')::tsquery && query) and p.organisation_id = organisation;
      end $$;
    revoke execute on function visibility.search_playbooks from public;
    grant execute on function visibility.search_playbooks to muster_member;
    reset role;

    -- Each save with the whole content, so that any of them can be read and restored on its own.
    create table playbook_versions (
      organisation_id uuid not null references organisations (id) on delete cascade,
      playbook_id uuid not null references playbooks (id) on delete cascade,
      version integer not null,
      content jsonb not null,
      file_names jsonb not null,
      saved_by text not null,
      saved_timestamp timestamptz not null,
      restored_from integer,
      primary key (playbook_id, version)
    );
    select protect_tenant_table('playbook_versions');
    select protect_incident_table('playbook_versions', 'false');

    create table playbook_editors (
      organisation_id uuid not null references organisations (id) on delete cascade,
      playbook_id uuid not null references playbooks (id) on delete cascade,
      -- Chosen by the browser, one for each open editor.
      editor_id uuid not null,
      user_id uuid not null references users (id) on delete cascade,
      since_timestamp timestamptz not null,
      seen_timestamp timestamptz not null,
      primary key (playbook_id, editor_id)
    );
    create index on playbook_editors (user_id);
    select protect_tenant_table('playbook_editors');
    select protect_incident_table('playbook_editors', 'false');

    -- Whoever deletes a playbook deletes its files first, so that their bytes go too. Checked at the end, because the tasks
    -- of a new playbook refer to the copies of its files.
    -- The check of the rows that there are is a query of the owner, whom forced row-level security would stop.
    alter table attachments no force row level security;
    alter table playbooks no force row level security;
    alter table attachments add foreign key (playbook_id) references playbooks (id) deferrable initially deferred;
    alter table attachments force row level security;
    alter table playbooks force row level security;
    alter table notifications add column playbook_id uuid references playbooks (id) on delete cascade;
    create index on notifications (playbook_id) where playbook_id is not null;
  `.execute(db)
}
