-- Numbers such as INC-2026-014 and EXE-2026-003: for each organisation, kind and year of the declaration in its time zone.
create table incident_numbers (
  organisation_id uuid not null references organisations (id) on delete cascade,
  series text not null check (series in ('INC', 'EXE')),
  year integer not null,
  last_number integer not null,
  primary key (organisation_id, series, year)
);
select protect_tenant_table('incident_numbers');
-- External people declare nothing.
select protect_incident_table('incident_numbers', 'false');

alter table incidents add column number text not null default '';

-- Row-level security is forced on the owner of the tables, too.
set local role muster_provider;
with
  -- A zone that this server does not know counts as UTC.
  zones as materialized (select name from pg_timezone_names),
  places as materialized (
    select o.id, coalesce(z.name, 'UTC') as zone from organisations o
      left join zones z on z.name = o.config ->> 'timeZone'),
  numbered as (
    select i.id, i.organisation_id, s.series, s.year,
      row_number() over (partition by i.organisation_id, s.series, s.year order by i.create_timestamp, i.id) as n
    from incidents i
      join places p on p.id = i.organisation_id
      cross join lateral (select
        case when i.is_tabletop then 'EXE' else 'INC' end as series,
        extract(year from i.create_timestamp at time zone p.zone)::integer as year) s),
  changed as (
    update incidents i
       set number = n.series || '-' || n.year || '-' || lpad(n.n::text, greatest(3, length(n.n::text)), '0')
      from numbered n where n.id = i.id)
insert into incident_numbers (organisation_id, series, year, last_number)
  select organisation_id, series, year, max(n) from numbered group by 1, 2, 3;
reset role;
create unique index on incidents (organisation_id, number) where number <> '';

-- The search finds the number, too.
alter table incidents drop column search_key;
alter table incidents add column search_key text collate "C" not null
  generated always as (fold(number || e'\n' || title || e'\n' || plain_text)) stored;
create index incidents_grams on incidents using gin (search_grams(search_key, organisation_id))
  with (gin_pending_list_limit = 256);
alter index incidents_grams alter column 1 set statistics 0;
