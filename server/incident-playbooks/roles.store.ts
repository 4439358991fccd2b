import { sql } from 'kysely'

import type { IncidentRole } from '#contract/incident-playbooks/schema.ts'
import type { NamedRole } from '#server/incidents/roles.flows.ts'
import { type ColumnsOf, valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    incident_roles: ColumnsOf<NamedRole & { readonly incidentId: string }>
  }
}

/** The people for the ideal titles of an incident who are still active, by title. */
export const listRoles = (db: OrgDb, incidentId: string): Promise<IncidentRole[]> =>
  db
    .selectFrom('incident_roles as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .select(['r.title', 'u.email as assignedTo'])
    .where('r.incident_id', '=', incidentId)
    .where(sql<boolean>`u.active and not u.banned`)
    .orderBy('r.role_key')
    .execute()

/** Keeps the people for ideal titles; a title that is named again gets the new person. */
export async function upsertRoles(db: OrgDb, incidentId: string, roles: readonly NamedRole[]): Promise<void> {
  if (roles.length === 0) return
  await db
    .insertInto('incident_roles')
    .values(roles.map((role) => valuesOf({ incidentId, ...role })))
    .onConflict((conflict) =>
      conflict.columns(['incident_id', 'role_key']).doUpdateSet((row) => ({
        title: row.ref('excluded.title'),
        user_id: row.ref('excluded.user_id'),
      })),
    )
    .execute()
}

/** The active people who hold one of these roles. */
export async function listHolders(
  db: OrgDb,
  incidentId: string,
  roleKeys: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct u.id from incident_roles r join users u on u.id = r.user_id
     where r.incident_id = ${incidentId} and r.role_key = any(${roleKeys}) and u.active and not u.banned`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
