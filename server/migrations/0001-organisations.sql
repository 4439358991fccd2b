-- Organisations and the installation.

create table organisations (
  id uuid primary key default gen_random_uuid(),
  code text not null unique check (code = lower(btrim(code)) and length(code) between 1 and 50),
  display_name text not null,
  enterprise_domain text,
  parent_id uuid references organisations (id) on delete set null,
  subscription_level text not null default 'BASIC',
  max_users integer not null default 50,
  config jsonb not null default '{}',
  create_timestamp timestamptz not null,
  contract_number text,
  -- From then on, the organisation is hidden from everybody, and a job removes its rows and files.
  deleted_timestamp timestamptz,
  -- Progress of the removal in per cent of the rows.
  deletion_progress integer not null default 0,
  -- Reason why the last removal attempt failed; null while one runs or is pending.
  deletion_failure text,
  suspended_timestamp timestamptz,
  -- Start of the removal of its rows and files. Until then the deletion can be undone.
  removal_timestamp timestamptz,
  sort_key text collate "C" not null generated always as (fold(display_name)) stored,
  search_key text collate "C" not null
    generated always as (fold(display_name || e'\n' || coalesce(enterprise_domain, '') || e'\n' || code)) stored,
  -- True when suspended, or deleted and not removed yet.
  is_closed boolean not null
    generated always as (suspended_timestamp is not null or deleted_timestamp is not null) stored
);
create index on organisations (parent_id);
create index on organisations (sort_key);
alter table organisations enable row level security;
-- Hides a closed organisation from its own transactions, which ends sessions and keys, but not from staff who work in
-- it.
create policy own on organisations for select to muster_member
  using ((id = (select current_setting('app.organisation')::uuid)
    or parent_id = (select current_setting('app.organisation')::uuid))
    and (not is_closed or (select coalesce(current_setting('app.entered', true), '') = 'on')));
-- Restricts an organisation's transaction to its own configuration.
create policy own_config on organisations for update to muster_member
  using (id = (select current_setting('app.organisation')::uuid))
  with check (id = (select current_setting('app.organisation')::uuid));
-- Hides the provider's row from every list.
create policy provider on organisations to muster_provider
  using (id <> '00000000-0000-4000-8000-00000000c0de') with check (id <> '00000000-0000-4000-8000-00000000c0de');
grant select, update (config) on organisations to muster_member;
grant select, insert, update, delete on organisations to muster_provider;

-- Represents the provider, whose events, messages and jobs are rows like those of any organisation.
insert into organisations (id, code, display_name, max_users, create_timestamp)
  values ('00000000-0000-4000-8000-00000000c0de', '~provider', 'The provider', 0, now());

create table global_config (
  key text primary key,
  value jsonb not null
);
grant select on global_config to muster_member;
grant select, insert, update, delete on global_config to muster_provider;

-- A single row that only the owner of the tables can read.
create table installation (
  is_only boolean primary key default true check (is_only),
  -- One-way derivation of the installation's secret: shows at the start that the secret fits.
  secret_check text not null
);
revoke all on installation from public;
