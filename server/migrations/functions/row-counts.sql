-- Triggers that count rows, with a function per table: every change inserts its difference into `row_counts`, so that
-- concurrent changes do not wait for each other. A facet groups the counted rows; `row` stands for the row.
do $do$
declare
  one record;
begin
  for one in select * from (values
    ('users', 'array[row.active::text, row.role, row.type]'),
    ('incidents', 'array[row.is_active::text, row.severity, row.is_tabletop::text]'),
    ('contacts', '''{}''::text[]'),
    ('contact_list_members', 'array[row.list_id::text]'),
    ('group_members', 'array[row.group_id::text]'),
    ('room_members', 'array[case when not row.has_left then row.room_id::text end]'),
    ('mass_notifications', '''{}''::text[]'),
    -- Items in the trash count in no folder.
    ('file_items', 'array[case when row.trash_id is null then row.parent_id::text end]')
  ) as counted (name, facet) loop
    set local role muster_provider;
    execute format($function$
      create or replace function visibility.count_%1$s() returns trigger
        language plpgsql security definer set search_path = public, pg_temp as $$
        begin
          if tg_op = 'UPDATE' then
            insert into row_counts values
              (old.organisation_id, '%1$s', %2$s, -1), (new.organisation_id, '%1$s', %3$s, 1);
            return null;
          end if;
          -- Rows that are deleted with their organisation are no longer counted.
          insert into row_counts
            select c.organisation_id, '%1$s', %4$s, case tg_op when 'INSERT' then count(*) else -count(*) end
              from changed c where exists (select from organisations o where o.id = c.organisation_id)
             group by 1, 3;
          return null;
        end $$
    $function$, one.name,
      replace(one.facet, 'row.', 'old.'), replace(one.facet, 'row.', 'new.'), replace(one.facet, 'row.', 'c.'));
    reset role;

    execute format($triggers$
      create or replace trigger count_inserted after insert on %1$s referencing new table as changed
        for each statement execute function visibility.count_%1$s();
      create or replace trigger count_deleted after delete on %1$s referencing old table as changed
        for each statement execute function visibility.count_%1$s()
    $triggers$, one.name);
    if one.facet like '%row.%' then
      execute format($trigger$
        create or replace trigger count_changed after update on %1$s for each row
          when (%2$s is distinct from %3$s) execute function visibility.count_%1$s()
      $trigger$, one.name, replace(one.facet, 'row.', 'old.'), replace(one.facet, 'row.', 'new.'));
    end if;
  end loop;
end $do$;

-- Bytes of all files of an organisation, kept in the same way under `blob_bytes`. The size of a file never changes.
set local role muster_provider;
create or replace function visibility.count_blob_bytes() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
  begin
    insert into row_counts
      select c.organisation_id, 'blob_bytes', '{}', case tg_op when 'INSERT' then sum(c.size) else -sum(c.size) end
        from changed c where exists (select from organisations o where o.id = c.organisation_id)
       group by 1;
    return null;
  end $$;
reset role;
create or replace trigger bytes_inserted after insert on blobs referencing new table as changed
  for each statement execute function visibility.count_blob_bytes();
create or replace trigger bytes_deleted after delete on blobs referencing old table as changed
  for each statement execute function visibility.count_blob_bytes();
