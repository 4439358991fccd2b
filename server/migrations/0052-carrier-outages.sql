-- Times in which a carrier of the installation served nobody while messages waited.
create table carrier_outages (
  id uuid primary key default gen_random_uuid(),
  channel text not null check (channel in ('EMAIL', 'SMS', 'VOICE_CALL')),
  -- The carrier's last reason.
  reason text not null,
  create_timestamp timestamptz not null,
  -- Null while it lasts.
  end_timestamp timestamptz
);
create unique index on carrier_outages (channel) where end_timestamp is null;
create index on carrier_outages (create_timestamp);
grant select, insert, update, delete on carrier_outages to muster_provider;

-- Organisations whose administrators were told, once for each outage.
create table carrier_outage_notices (
  organisation_id uuid not null references organisations (id) on delete cascade,
  outage_id uuid not null references carrier_outages (id) on delete cascade,
  create_timestamp timestamptz not null,
  primary key (outage_id, organisation_id)
);
create index on carrier_outage_notices (organisation_id);
select protect_tenant_table('carrier_outage_notices');
select protect_incident_table('carrier_outage_notices', 'false');
