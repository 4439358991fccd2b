set local role muster_provider;

-- The number of playbooks of each child of the opened organisation that count towards its limit, without other columns.
create or replace function visibility.child_playbooks() returns table (child_id uuid, playbooks bigint)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
  begin
    return query select o.id, count(p.id) from organisations o
      left join playbooks p on p.organisation_id = o.id and p.delete_timestamp is null and p.archive_timestamp is null
     where o.parent_id = current_setting('app.organisation')::uuid and o.deleted_timestamp is null
     group by o.id;
  end $$;
revoke execute on function visibility.child_playbooks from public;
grant execute on function visibility.child_playbooks to muster_member;

reset role;
