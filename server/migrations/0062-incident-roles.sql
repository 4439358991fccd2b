-- Roles of an organisation in its incidents, and who held them (decision 114).

create table command_roles (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  name text not null,
  -- The name as ideal titles are compared with it.
  name_key text not null,
  description text,
  position integer not null,
  is_retired boolean not null default false,
  -- Work that follows the role, also under another name.
  duty text check (duty in ('COMMAND', 'DEPUTY', 'COMMUNICATIONS')),
  create_timestamp timestamptz not null,
  update_timestamp timestamptz not null,
  version integer not null default 1,
  sort_key text collate "C" not null generated always as (fold(name)) stored
);
create unique index on command_roles (organisation_id, name_key);
create unique index on command_roles (organisation_id, duty) where duty is not null;
select protect_tenant_table('command_roles');
select protect_incident_table('command_roles', 'false');

set local role muster_provider;
create function visibility.add_command_roles(organisation uuid) returns void
  language sql security definer set search_path = public, pg_temp as $$
    insert into command_roles (organisation_id, name, name_key, description, position, duty, create_timestamp, update_timestamp)
      select organisation, name, lower(name), description, place * 10, duty, now(), now() from (values
        (1, 'Commander', 'Leads, and decides what is done.', 'COMMAND'),
        (2, 'Deputy', 'Stands in for the commander.', 'DEPUTY'),
        (3, 'Scribe', 'Keeps the record of what happens and what is decided.', null),
        (4, 'Communications', 'Tells people inside and outside, and keeps the rhythm of updates.', 'COMMUNICATIONS'),
        (5, 'Legal', 'Advises on duties, deadlines and privilege.', null),
        (6, 'Operations', 'Leads the work on site and on systems.', null)) as one (place, name, description, duty)
  $$;
revoke execute on function visibility.add_command_roles from public;
reset role;

do $$
declare organisation uuid;
begin
  set local role muster_provider;
  for organisation in select id from organisations where id <> '00000000-0000-4000-8000-00000000c0de' loop
    perform visibility.add_command_roles(organisation);
  end loop;
  reset role;
end $$;

-- The person for a title is a row of its own for each holder, the current one without an end.
alter table incident_roles drop constraint incident_roles_pkey;
alter table incident_roles
  add column id uuid not null default gen_random_uuid() primary key,
  add column from_timestamp timestamptz,
  add column until_timestamp timestamptz,
  add column given_by text,
  -- Said at the handover by the former holder, or by the person who gave the role.
  add column statement text;
alter table incidents no force row level security;
alter table incident_roles no force row level security;
update incident_roles r set from_timestamp = i.create_timestamp, given_by = i.created_by
  from incidents i where i.id = r.incident_id;
alter table incident_roles force row level security;
alter table incidents force row level security;
alter table incident_roles
  alter column from_timestamp set not null,
  alter column given_by set not null;
create unique index on incident_roles (incident_id, role_key) where until_timestamp is null;
create index on incident_roles (incident_id, from_timestamp);
create index on incident_roles (organisation_id, role_key) where until_timestamp is null;
