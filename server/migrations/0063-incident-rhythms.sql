-- The rhythm of updates of an incident (decision 114).

create table incident_rhythms (
  organisation_id uuid not null references organisations (id) on delete cascade,
  incident_id uuid primary key references incidents (id) on delete cascade,
  -- The next update as somebody set it; it counts until an update follows that moment.
  due_timestamp timestamptz,
  set_timestamp timestamptz,
  set_by text,
  -- The last published situation report.
  report_timestamp timestamptz,
  -- Due times that people were told of.
  soon_for timestamptz,
  late_for timestamptz,
  -- The time of the next look; a job for another time is superseded.
  check_timestamp timestamptz,
  version integer not null default 1
);
select protect_tenant_table('incident_rhythms');
select protect_incident_table('incident_rhythms', 'false');
