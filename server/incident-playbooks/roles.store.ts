import { sql } from 'kysely'

import type { IncidentRole } from '#contract/incident-playbooks/schema.ts'
import type { NamedRole } from '#server/incidents/roles.flows.ts'
import { type ColumnsOf, valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

/** A person for an ideal title; the current one has no end. */
interface RoleRow extends NamedRole {
  readonly incidentId: string
  readonly fromTimestamp: string
  readonly untilTimestamp: string | null
  /** Email, or name of an API key. */
  readonly givenBy: string
  readonly statement: string | null
}
declare module '#server/kit/database/db.ts' {
  interface Tables {
    incident_roles: ColumnsOf<RoleRow>
  }
}

/** The people for the ideal titles of an incident who are still active, by title. */
export const listRoles = (db: OrgDb, incidentId: string): Promise<IncidentRole[]> =>
  db
    .selectFrom('incident_roles as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .select(['r.title', 'u.email as assignedTo'])
    .where('r.incident_id', '=', incidentId)
    .where('r.until_timestamp', 'is', null)
    .where(sql<boolean>`u.active and not u.banned`)
    .orderBy('r.role_key')
    .execute()

/** Author, time and statement of a handover. */
interface Given {
  readonly by: { readonly name: string }
  readonly at: string
  readonly statement?: string | null
}

/** Ends the time of the current person for a title. */
export async function endRole(db: OrgDb, incidentId: string, roleKey: string, at: string): Promise<void> {
  await db
    .updateTable('incident_roles')
    .set({ until_timestamp: at })
    .where('incident_id', '=', incidentId)
    .where('role_key', '=', roleKey)
    .where('until_timestamp', 'is', null)
    .execute()
}

/**
 * Keeps the people for ideal titles; a title that is named again gets the new person, and the history keeps the former
 * one. Lock the incident first. Returns those that have another person
 * now.
 */
export async function upsertRoles(
  db: OrgDb,
  incidentId: string,
  roles: readonly NamedRole[],
  { by, at, statement = null }: Given,
): Promise<readonly (NamedRole & { readonly formerUserId: string | null })[]> {
  const held = await db
    .selectFrom('incident_roles')
    .select(['role_key as roleKey', 'user_id as userId'])
    .where('incident_id', '=', incidentId)
    .where('until_timestamp', 'is', null)
    .execute()
  const current = new Map(held.map(({ roleKey, userId }) => [roleKey, userId]))
  const changed = roles.filter(({ roleKey, userId }) => current.get(roleKey) !== userId)
  for (const { roleKey } of changed) if (current.has(roleKey)) await endRole(db, incidentId, roleKey, at)
  const given = { incidentId, fromTimestamp: at, untilTimestamp: null, givenBy: by.name, statement }
  if (changed.length > 0)
    await db
      .insertInto('incident_roles')
      .values(changed.map((role) => valuesOf({ ...role, ...given })))
      .execute()
  return changed.map((role) => ({ ...role, formerUserId: current.get(role.roleKey) ?? null }))
}
