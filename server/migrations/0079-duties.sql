-- What an organisation has to file within hours, and its clocks in incidents (decision 123).
create table duties (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key default gen_random_uuid(),
  name text not null,
  -- The name as names are compared.
  name_key text not null,
  hours integer not null check (hours > 0),
  filed_to text,
  hint text,
  create_timestamp timestamptz not null,
  update_timestamp timestamptz not null,
  version integer not null default 1,
  sort_key text collate "C" not null generated always as (fold(name)) stored
);
create unique index on duties (organisation_id, name_key);
select protect_tenant_table('duties');
select protect_incident_table('duties', 'false');

create table duty_clocks (
  organisation_id uuid not null references organisations (id) on delete cascade,
  id uuid primary key,
  incident_id uuid not null references incidents (id) on delete cascade,
  duty_id uuid references duties (id) on delete set null,
  -- The words of the duty when the clock was started.
  name text not null,
  hours integer not null,
  filed_to text,
  hint text,
  state text not null check (state in ('RUNNING', 'FILED', 'NOT_NEEDED')),
  aware_timestamp timestamptz not null,
  due_timestamp timestamptz not null,
  holder_id uuid references users (id) on delete set null,
  started_by text not null,
  start_timestamp timestamptz not null,
  draft text not null,
  filed_timestamp timestamptz,
  filed_by text,
  reference text,
  link text,
  -- Files of the incident. One that is deleted is left out.
  file_ids uuid[] not null,
  reason text,
  updated_by text not null,
  update_timestamp timestamptz not null,
  -- Due times that people were told of.
  soon_for timestamptz,
  late_for timestamptz,
  version integer not null default 1,
  check ((state = 'FILED') = (filed_timestamp is not null and filed_by is not null)),
  check ((state = 'NOT_NEEDED') = (reason is not null))
);
create unique index on duty_clocks (incident_id, duty_id);
create index on duty_clocks (incident_id, due_timestamp);
create index on duty_clocks (duty_id);
create index on duty_clocks (holder_id);
create index on duty_clocks (organisation_id);
select protect_tenant_table('duty_clocks');
select protect_incident_table('duty_clocks', 'false');

set local role muster_provider;
create function visibility.add_duties(organisation uuid) returns void
  language sql security definer set search_path = public, pg_temp as $$
    insert into duties (organisation_id, name, name_key, hours, filed_to, hint, create_timestamp, update_timestamp)
      select organisation, name, lower(name), hours, filed_to, hint, now(), now() from (values
        ('Early warning', 24, 'CSIRT or competent authority',
          'NIS2, Article 23: suspected cause, and effects across borders.'),
        ('Notification', 72, 'CSIRT, or the data protection authority',
          'NIS2, Article 23: first assessment of severity and impact. GDPR, Article 33: breach of personal data.'),
        ('Final report', 720, 'CSIRT or competent authority',
          'NIS2, Article 23: one month, with cause, measures and impact.')) as one (name, hours, filed_to, hint)
  $$;
revoke execute on function visibility.add_duties from public;
reset role;

do $$
declare organisation uuid;
begin
  set local role muster_provider;
  for organisation in select id from organisations where id <> '00000000-0000-4000-8000-00000000c0de' loop
    perform visibility.add_duties(organisation);
  end loop;
  reset role;
end $$;
