import { sql } from 'kysely'

import type { OrgDb } from '#server/kit/database/db.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    /** People targeted by name. */
    incident_target_users: { incident_id: string; user_id: string }
    /** People targeted by name or through a group; a read-only view. */
    incident_targets: { incident_id: string; user_id: string }
  }
}

/** Additions and removals. */
interface Changed {
  readonly added: readonly string[]
  readonly removed?: readonly string[]
}

/** Adds and removes people that an incident targets by name. */
export async function updateTargetUsers(
  db: OrgDb,
  incidentId: string,
  { added, removed = [] }: Changed,
): Promise<void> {
  if (removed.length > 0)
    await sql`delete from incident_target_users
      where incident_id = ${incidentId} and user_id = any(${removed}::uuid[])`.execute(db)
  if (added.length > 0)
    await sql`insert into incident_target_users (incident_id, user_id)
      select ${incidentId}, unnest(${added}::uuid[])`.execute(db)
}

/** Adds and removes target groups of an incident. */
export async function updateTargetGroups(
  db: OrgDb,
  incidentId: string,
  { added, removed = [] }: Changed,
): Promise<void> {
  if (removed.length > 0)
    await sql`delete from incident_target_groups
      where incident_id = ${incidentId} and group_id = any(${removed}::uuid[])`.execute(db)
  if (added.length > 0)
    await sql`insert into incident_target_groups (incident_id, group_id)
      select ${incidentId}, unnest(${added}::uuid[])`.execute(db)
}

/** People who share an incident with somebody. */
export async function listFellows(db: OrgDb, userId: string): Promise<string[]> {
  const mine = db.selectFrom('incident_targets').select('incident_id').where('user_id', '=', userId)
  const fellows = db.selectFrom('incident_targets').select('user_id').distinct()
  return (await fellows.where('incident_id', 'in', mine).execute()).map((row) => row.user_id)
}

export interface NamedGroup {
  readonly id: string
  readonly name: string
}

/** Locks the groups that exist, so that none is deleted before an incident targets it. */
export const holdGroups = (db: OrgDb, ids: readonly string[]): Promise<NamedGroup[]> =>
  db
    .selectFrom('user_groups')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forShare()
    .execute()

export interface TargetedPerson {
  readonly id: string
  readonly type: 'INTERNAL' | 'EXTERNAL'
}

/** People whom an incident targets, by name or through a group. */
export const listTargets = (db: OrgDb, incidentId: string): Promise<TargetedPerson[]> =>
  db
    .selectFrom('incident_targets as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(['u.id', 'u.type'])
    .where('t.incident_id', '=', incidentId)
    .execute()
