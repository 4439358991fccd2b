-- Gives a new organisation the duties that everybody begins with.
set local role muster_provider;
create or replace function visibility.begin_duties() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
  begin
    perform visibility.add_duties(new.id);
    return null;
  end $$;
reset role;

create or replace trigger begin_duties after insert on organisations
  for each row when (new.id <> '00000000-0000-4000-8000-00000000c0de')
  execute function visibility.begin_duties();
