set local role muster_provider;

-- The number of playbooks of each child of the opened organisation, without other columns.
create or replace function visibility.child_playbooks() returns table (child_id uuid, playbooks bigint)
  language sql stable security definer set search_path = public, pg_temp as $$
    select o.id, count(p.id) from organisations o left join playbooks p on p.organisation_id = o.id
     where o.parent_id = current_setting('app.organisation')::uuid and o.deleted_timestamp is null
     group by o.id
  $$;
revoke execute on function visibility.child_playbooks from public;
grant execute on function visibility.child_playbooks to muster_member;

reset role;
