import { type Kysely, sql } from 'kysely'

/**
 * Incidents target people and groups. `incident_targets` becomes a view of both, so that people who join a group of a
 * running incident are targeted too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table incident_targets rename to incident_target_users;
    create view incident_targets with (security_invoker = true) as
      select organisation_id, incident_id, user_id from incident_target_users
      union
      select t.organisation_id, t.incident_id, m.user_id
        from incident_target_groups t
        join group_members m on m.group_id = t.group_id
        join users u on u.id = m.user_id
       where u.active and not u.banned and not u.dashboard_user and u.role <> 'BUSINESS_USER';
    grant select on incident_targets to muster_member, muster_provider;
  `.execute(db)
}
