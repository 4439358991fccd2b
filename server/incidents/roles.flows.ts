import { roleKey } from '#contract/incidents/rules.ts'
import type { RoleAssignment } from '#contract/incidents/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

import { peopleNamed } from './activities.flows.ts'

const NO_COLLEAGUE = 'This is not an active user of the organization.'

/** The person for an ideal title. */
export interface NamedRole {
  readonly roleKey: string
  readonly title: string
  readonly userId: string
}

/**
 * The people for ideal titles; the last one where a title is named twice.
 * @throws Refusal 400 at each who is archived, banned, external or unknown
 */
export async function rolesNamed(db: OrgDb, roles: readonly RoleAssignment[]): Promise<NamedRole[]> {
  const people = await peopleNamed(
    db,
    roles.map(({ assignedTo }, n) => ({ field: `roles.${n}.assignedTo`, email: assignedTo })),
    ({ active, banned, type }) => active && !banned && type !== 'EXTERNAL',
    NO_COLLEAGUE,
  )
  const named = roles.map(({ title, assignedTo }) => ({
    roleKey: roleKey(title),
    title,
    userId: people.get(assignedTo)!.id,
  }))
  return [...new Map(named.map((role) => [role.roleKey, role])).values()]
}
