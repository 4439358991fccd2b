import { type Kysely, sql } from 'kysely'

/**
 * External people see the incidents that target them, and nothing of others: decided here, so that no query can forget
 * it. They work in a role of their own, so that its policies cost nobody else anything.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    do $$ begin
      if not exists (select from pg_roles where rolname = 'muster_external') then create role muster_external nologin; end if;
    end $$;
    -- Everything that members may do, in so far as the policies below let it.
    grant muster_member to muster_external;
    grant muster_external to current_user;

    -- Which incidents target the viewer is read past the policies, by a function of a role that they do not bind: a policy
    -- that asks a table for rows of the same table would never end.
    create schema visibility authorization muster_provider;
    set local role muster_provider;
    grant usage on schema visibility to muster_external;
    -- An array, and in this language because it keeps its plan: the policies call it once in each statement.
    create function visibility.visible_incidents() returns uuid[]
      language plpgsql stable security definer set search_path = public, pg_temp as $$
      declare
        organisation uuid := current_setting('app.organisation')::uuid;
        viewer uuid := current_setting('app.viewer')::uuid;
      begin
        return array(
          select n.incident_id from incident_target_users n
           where n.organisation_id = organisation and n.user_id = viewer
          union all
          select t.incident_id from group_members m
            join incident_target_groups t on t.group_id = m.group_id
            join users u on u.id = m.user_id
           where m.organisation_id = organisation and m.user_id = viewer
             and u.active and not u.banned and not u.dashboard_user and u.role <> 'BUSINESS_USER');
      end $$;
    revoke execute on function visibility.visible_incidents from public;
    grant execute on function visibility.visible_incidents to muster_external;
    reset role;

    -- Every table whose rows belong to an incident calls this after protect_tenant_table, with a condition that is true
    -- for what an external viewer may see.
    create function protect_incident_table(incident_table regclass, condition text default 'incident_id in (select unnest(visibility.visible_incidents()))')
      returns void language plpgsql as $$
    begin
      execute format('create policy viewer on %s as restrictive to muster_external using (%s)', incident_table, condition);
    end $$;

    -- By index: a list of few of many incidents begins with those few.
    select protect_incident_table('incidents', 'id = any ((select visibility.visible_incidents())::uuid[])');
    select protect_incident_table('incident_target_users');
    select protect_incident_table('incident_target_groups');
    select protect_incident_table('check_ins');
    select protect_incident_table('activities');
    select protect_incident_table('incident_reports');
    select protect_incident_table('report_requests');
    select protect_incident_table('notifications', 'incident_id is null or incident_id in (select unnest(visibility.visible_incidents()))');
    -- Files of playbooks belong to no incident: external people see none.
    select protect_incident_table('attachments');
    select protect_incident_table('activity_attachments', 'exists (select from activities a where a.id = activity_id)');

    -- Read, but not written: what an external person does is recorded like everything else.
    create policy viewer on events as restrictive for select to muster_external using (
      (select current_setting('app.viewer')::uuid) = any (externals)
      or (select current_setting('app.viewer')) in (record, parent)
      or record in (select unnest(visibility.visible_incidents())::text)
      or parent in (select unnest(visibility.visible_incidents())::text));
  `.execute(db)
}
