-- API keys: a hash of the key, never the key.

create table api_keys (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  name text not null,
  key_hash bytea not null unique,
  visible_key_part text not null,
  ip_address_restricted boolean not null,
  allowed_ip_addresses text[] not null,
  number_of_requests_made bigint not null default 0,
  last_used_timestamp timestamptz,
  created_by text not null,
  create_timestamp timestamptz not null,
  expires_timestamp timestamptz
);
create unique index on api_keys (organisation_id, lower(name));
select protect_tenant_table('api_keys');
