import { type Kysely, sql } from 'kysely'

/**
 * Incidents target people and groups. Whom one targets is asked of `incident_targets` as before, which is now made of
 * both: whoever joins a group while an incident targets it is targeted too.
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
