-- One append-only event stream per organisation.

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
  -- A column, because row-level security prevents an index lookup by a JSON expression.
  actor_key text collate "C" not null
    generated always as ((actor ->> 'kind') || ':' || coalesce(actor ->> 'id', '')) stored,
  primary key (organisation_id, sequence)
);
create index on events (organisation_id, noun, record, sequence);
create index on events (organisation_id, parent, sequence) where parent is not null;
create index on events (organisation_id, actor_key, sequence);
create index on events (organisation_id, noun, sequence);
create index on events (organisation_id, at, sequence);
select protect_tenant_table('events');
revoke update, delete on events from muster_member, muster_provider;
-- Restricts reading only: events of external people are recorded like all others.
create policy viewer on events as restrictive for select to muster_external using (
  (select current_setting('app.viewer')::uuid) = any (externals)
  or (select current_setting('app.viewer')) in (record, parent)
  or record in (select unnest(visibility.visible_incidents())::text)
  or parent in (select unnest(visibility.visible_incidents())::text));
