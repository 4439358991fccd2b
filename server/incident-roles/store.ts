import { sql } from 'kysely'

import type { HeldRole, RoleHolder, RoleHolding } from '#contract/incident-roles/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

/** The user `u` as a holder, in JSON. */
const HOLDER = sql<RoleHolder>`jsonb_build_object('uuid', u.id, 'email', u.email, 'firstName', u.first_name,
  'lastName', u.last_name, 'isActive', u.active and not u.banned)`

/** Incidents whose updates one person is told of at once. */
const UPDATING_MAX = 20

/** The roles of an incident in the organisation's order; retired ones only where they are held. */
export async function listHeldRoles(
  db: OrgDb,
  incidentId: string,
  roleId: string | null = null,
): Promise<HeldRole[]> {
  const { rows } = await sql<HeldRole>`
    select r.id, r.name, r.description, r.is_retired as "isRetired", r.duty,
      case when u.id is not null then ${HOLDER} end as holder, h.from_timestamp as "fromTimestamp"
      from command_roles r
      left join incident_roles h on h.incident_id = ${incidentId} and h.role_key = r.name_key
        and h.until_timestamp is null
      left join users u on u.id = h.user_id
     where (${roleId}::uuid is null or r.id = ${roleId}) and (not r.is_retired or h.id is not null
       or r.id = ${roleId}::uuid)
     order by r.position, r.sort_key, r.id`.execute(db)
  return rows
}

/** A page of those who held the titles of an incident, the newest first. */
export async function listHoldings(
  db: OrgDb,
  incidentId: string,
  { key, offset, size }: { readonly key: string | null; readonly offset: number; readonly size: number },
): Promise<{ data: RoleHolding[]; total: number }> {
  const found = sql`from incident_roles h join users u on u.id = h.user_id
    where h.incident_id = ${incidentId} and (${key}::text is null or h.role_key = ${key})`
  const { rows: data } = await sql<RoleHolding>`
    select h.id, h.title, ${HOLDER} as holder, h.from_timestamp as "fromTimestamp",
      h.until_timestamp as "untilTimestamp", h.given_by as "givenBy", h.statement ${found}
     order by h.from_timestamp desc, h.title, h.id limit ${size} offset ${offset}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*) as total ${found}`.execute(db)
  return { data, total: counted.rows[0]!.total }
}

/** An open task whose ideal title may be the role. */
export interface TitledTask {
  readonly id: string
  readonly idealTitle: string
  readonly assignedTo: string | null
  readonly email: string | null
}
/** Open tasks of an incident with an ideal title that nobody has, or that `holderId` has. */
export async function listTitledTasks(
  db: OrgDb,
  incidentId: string,
  holderId: string | null,
): Promise<TitledTask[]> {
  const { rows } = await sql<TitledTask>`
    select a.id, a.ideal_title_to_execute as "idealTitle", a.assigned_to as "assignedTo", u.email
      from activities a left join users u on u.id = a.assigned_to
     where a.incident_id = ${incidentId} and a.type = 'TASK' and a.progress < 100 and not a.is_skipped
       and a.ideal_title_to_execute is not null
       and (a.assigned_to is null or a.assigned_to = ${holderId}::uuid)
     order by a.id for no key update of a`.execute(db)
  return rows
}

/** The active person with a duty in an incident; undefined where nobody has it. */
export async function findHolderOf(
  db: OrgDb,
  incidentId: string,
  duty: 'COMMAND' | 'COMMUNICATIONS',
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select u.id from command_roles r
      join incident_roles h on h.incident_id = ${incidentId} and h.role_key = r.name_key
        and h.until_timestamp is null
      join users u on u.id = h.user_id and u.active and not u.banned
     where r.duty = ${duty}`.execute(db)
  return rows[0]?.id
}

/** Incidents in progress whose updates a person gives: who holds communications, otherwise who commands. */
export async function listUpdating(db: OrgDb, userId: string): Promise<string[]> {
  const holds = (duty: 'COMMAND' | 'COMMUNICATIONS', and = sql``) => sql`exists (
    select from command_roles r join incident_roles h on h.role_key = r.name_key and h.until_timestamp is null
     where h.incident_id = i.id and r.duty = ${duty} ${and})`
  const mine = sql`and h.user_id = ${userId}`
  const { rows } = await sql<{ id: string }>`
    select i.id from incidents i
     where i.is_active and (${holds('COMMUNICATIONS', mine)}
       or (${holds('COMMAND', mine)} and not ${holds('COMMUNICATIONS')}))
     order by i.create_timestamp desc, i.id limit ${UPDATING_MAX}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The addresses of people by their ids. */
export async function findEmails(db: OrgDb, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; email: string }>`
    select id, email from users where id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, email }) => [id, email]))
}
