-- Welcome packages, feature requests and chat credentials of organisations.

create table welcome_packages (
  organisation_id uuid primary key references organisations (id) on delete cascade,
  status text not null,
  -- Hash of the identifier in the link; null where the link was withdrawn.
  hash bytea,
  link_key uuid not null,
  sent_timestamp timestamptz,
  sent_to text,
  expires_timestamp timestamptz,
  -- Saved users, war rooms and folders; null before the first save.
  contents jsonb,
  browser text,
  last_update_timestamp timestamptz not null,
  error_code text,
  failure text,
  tries integer not null default 0
);
select protect_tenant_table('welcome_packages');

create table feature_requests (
  organisation_id uuid not null references organisations (id) on delete cascade,
  name text not null,
  requested_by text not null,
  request_timestamp timestamptz not null,
  primary key (organisation_id, name)
);
select protect_tenant_table('feature_requests');

-- Credentials for the hosted chat service. Secrets are encrypted with a key derived from the installation's secret.
create table chat_credentials (
  organisation_id uuid primary key references organisations (id) on delete cascade,
  public_key text not null,
  secret bytea not null,
  -- Last chat change mirrored to the service; 0 for none.
  mirrored_sequence bigint not null default 0,
  -- Time up to which changes of people are mirrored; null for none.
  mirrored_people timestamptz,
  -- Lease of the process that writes to the service; others wait until then.
  leased_until timestamptz
);
select protect_tenant_table('chat_credentials');

-- Credentials for organisations that are created without any.
create table chat_credential_pool (
  public_key text primary key,
  secret bytea not null,
  position bigint generated always as identity
);
grant select, insert, update, delete on chat_credential_pool to muster_provider;
