import { type Kysely, sql } from 'kysely'

/** Roles, tenant protection, the event stream and what the kit keeps for every noun. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    do $$ begin
      if not exists (select from pg_roles where rolname = 'muster_member') then create role muster_member nologin; end if;
      if not exists (select from pg_roles where rolname = 'muster_provider') then create role muster_provider nologin; end if;
    end $$;
    grant muster_member, muster_provider to current_user;

    -- Fails, rather than showing everything, where no organisation was opened.
    create function current_organisation() returns uuid language sql stable
      as $$ select current_setting('app.organisation')::uuid $$;

    -- Every table that holds an organisation's rows ends its migration with a call of this.
    create function protect_tenant_table(tenant_table regclass) returns void language plpgsql as $$
    begin
      execute format('alter table %s enable row level security', tenant_table);
      execute format('alter table %s force row level security', tenant_table);
      execute format('alter table %s alter organisation_id set default current_organisation()', tenant_table);
      execute format('create policy tenant on %s to muster_member using (organisation_id = current_organisation()) with check (organisation_id = current_organisation())', tenant_table);
      execute format('create policy provider on %s to muster_provider using (true) with check (true)', tenant_table);
      execute format('grant select, insert, update, delete on %s to muster_member, muster_provider', tenant_table);
    end $$;

    create table organisations (
      id uuid primary key default gen_random_uuid(),
      code text not null unique check (code = lower(btrim(code)) and length(code) between 1 and 50),
      display_name text not null,
      enterprise_domain text,
      parent_id uuid references organisations (id) on delete set null,
      subscription_level text not null default 'BASIC',
      max_users integer not null default 50,
      config jsonb not null default '{}',
      create_timestamp timestamptz not null
    );
    create index on organisations (parent_id);
    alter table organisations enable row level security;
    create policy own on organisations for select to muster_member
      using (id = current_organisation() or parent_id = current_organisation());
    create policy provider on organisations to muster_provider using (true) with check (true);
    grant select on organisations to muster_member;
    grant select, insert, update, delete on organisations to muster_provider;

    create table global_config (key text primary key, value jsonb not null);
    grant select on global_config to muster_member;
    grant select, insert, update, delete on global_config to muster_provider;

    create table event_heads (
      organisation_id uuid primary key references organisations (id) on delete cascade,
      sequence bigint not null,
      hash bytea not null
    );
    select protect_tenant_table('event_heads');

    create table events (
      organisation_id uuid not null references organisations (id) on delete cascade,
      sequence bigint not null,
      id uuid not null default gen_random_uuid(),
      at timestamptz not null,
      actor jsonb not null,
      noun text not null,
      record text not null,
      parent text,
      verb text not null,
      changes jsonb not null,
      externals uuid[] not null,
      hash bytea not null,
      primary key (organisation_id, sequence)
    );
    create index on events (organisation_id, noun, record, sequence);
    create index on events (organisation_id, parent, sequence) where parent is not null;
    select protect_tenant_table('events');
    revoke update, delete on events from muster_member, muster_provider;

    -- What an event's hash covers: the previous hash and every column, in one unambiguous text.
    create function event_hash(previous bytea, sequence bigint, id uuid, at timestamptz, actor jsonb, noun text, record text, parent text, verb text, changes jsonb, externals uuid[])
      returns bytea language sql immutable as $$
        select sha256(previous || convert_to(jsonb_build_array(sequence, id, (extract(epoch from at) * 1000000)::bigint, actor, noun, record, parent, verb, changes, to_jsonb(externals))::text, 'UTF8'))
      $$;

    -- Appends events in order; the lock on the head keeps one organisation's sequence without gaps.
    create function append_events(acting jsonb, happened jsonb) returns bigint language plpgsql as $$
    declare
      head event_heads;
      one jsonb;
      row events;
    begin
      insert into event_heads (sequence, hash) values (0, ''::bytea) on conflict (organisation_id) do nothing;
      select * into head from event_heads where organisation_id = current_organisation() for update;
      for one in select value from jsonb_array_elements(happened) loop
        head.sequence := head.sequence + 1;
        row := null;
        row.id := gen_random_uuid();
        row.at := (one ->> 'at')::timestamptz;
        row.externals := coalesce((select array_agg(value::uuid) from jsonb_array_elements_text(one -> 'externals')), '{}');
        head.hash := event_hash(head.hash, head.sequence, row.id, row.at, acting, one ->> 'noun', one ->> 'record', one ->> 'parent', one ->> 'verb', one -> 'changes', row.externals);
        insert into events (sequence, id, at, actor, noun, record, parent, verb, changes, externals, hash)
          values (head.sequence, row.id, row.at, acting, one ->> 'noun', one ->> 'record', one ->> 'parent', one ->> 'verb', one -> 'changes', row.externals, head.hash);
      end loop;
      update event_heads set sequence = head.sequence, hash = head.hash where organisation_id = current_organisation();
      perform pg_notify('muster_events', current_setting('app.organisation'));
      return head.sequence;
    end $$;

    -- The first sequence at which the organisation's stream was tampered with; null when it is whole.
    create function first_broken_event() returns bigint language plpgsql stable as $$
    declare
      one events;
      previous bytea := ''::bytea;
      expected bigint := 0;
      head event_heads;
    begin
      for one in select * from events order by sequence loop
        expected := expected + 1;
        if one.sequence <> expected then return expected; end if;
        previous := event_hash(previous, one.sequence, one.id, one.at, one.actor, one.noun, one.record, one.parent, one.verb, one.changes, one.externals);
        if previous <> one.hash then return one.sequence; end if;
      end loop;
      select * into head from event_heads;
      if head.sequence is not null and (head.sequence <> expected or head.hash <> previous) then return expected + 1; end if;
      return null;
    end $$;

    -- Every email, SMS and voice call: waiting, sent, failed, or kept in the outbox.
    create table messages (
      organisation_id uuid not null references organisations (id) on delete cascade,
      id uuid primary key default gen_random_uuid(),
      channel text not null,
      recipient text not null,
      subject text,
      text text not null,
      html text,
      state text not null,
      provider_id text,
      reason text,
      create_timestamp timestamptz not null,
      done_timestamp timestamptz
    );
    create index on messages (create_timestamp);
    select protect_tenant_table('messages');

    -- An organisation's file key, wrapped by the installation's secret.
    create table blob_keys (
      organisation_id uuid primary key references organisations (id) on delete cascade,
      wrapped bytea not null
    );
    select protect_tenant_table('blob_keys');

    create table blobs (
      organisation_id uuid not null references organisations (id) on delete cascade,
      id uuid primary key,
      size bigint not null,
      sha256 text not null,
      create_timestamp timestamptz not null
    );
    select protect_tenant_table('blobs');
  `.execute(db)
}
