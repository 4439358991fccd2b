-- The exercise of a demonstration organisation, in which its people act by themselves (decision 102).
create table demonstrations (
  organisation_id uuid primary key references organisations (id) on delete cascade,
  -- Null before the first exercise.
  exercise_id uuid,
  -- Number of steps that were taken in the exercise.
  steps integer not null default 0
);
select protect_tenant_table('demonstrations');
