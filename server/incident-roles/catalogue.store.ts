import { sql } from 'kysely'

import { type CommandDuty, CommandRole, ROLE_NAME_TAKEN } from '#contract/incident-roles/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { plainNoun } from '#server/kit/http/plain-noun.ts'

/** The organisation's list of roles. */
export const commandRoles = plainNoun({
  noun: 'incident-roles',
  table: 'command_roles',
  label: 'This role',
  schema: CommandRole,
  fields: ['name', 'description', 'position', 'isRetired'],
  also: ['nameKey'],
  computed: {
    heldCount: sql`(select count(distinct h.incident_id) from incident_roles h
      join incidents i on i.id = h.incident_id and i.is_active
      where h.organisation_id = command_roles.organisation_id and h.role_key = command_roles.name_key
        and h.until_timestamp is null)`,
  },
  derived: ['heldCount'],
  name: 'name',
  nameTaken: ROLE_NAME_TAKEN,
  orders: {
    position: sql`position`,
    name: sql`sort_key`,
    updateTimestamp: sql`update_timestamp`,
  },
  sort: ['position', 'ASC'],
  matches: (search = '') =>
    sql<boolean>`strpos(fold(name || ' ' || coalesce(description, '')), fold(${search})) > 0`,
})

export async function countRoles(db: OrgDb): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from command_roles`.execute(db)
  return rows[0]!.count
}

/** A role as incidents use it. */
export interface RoleRow {
  readonly id: string
  readonly name: string
  readonly nameKey: string
  readonly description: string | null
  readonly isRetired: boolean
  readonly duty: CommandDuty | null
}

/** The roles in the organisation's order, or one of them. */
export async function listCommandRoles(db: OrgDb, id: string | null = null): Promise<RoleRow[]> {
  const { rows } = await sql<RoleRow>`
    select id, name, name_key as "nameKey", description, is_retired as "isRetired", duty from command_roles
     where ${id}::uuid is null or id = ${id} order by position, sort_key, id`.execute(db)
  return rows
}

/** Carries the current holders in running incidents along with a new name. Titles that have a holder already keep theirs. */
export async function updateHeldNames(
  db: OrgDb,
  { from, to, title }: { readonly from: string; readonly to: string; readonly title: string },
): Promise<void> {
  await sql`
    update incident_roles h set role_key = ${to}, title = ${title}
      from incidents i
     where i.id = h.incident_id and i.is_active and h.role_key = ${from} and h.until_timestamp is null
       and not exists (select from incident_roles o where o.incident_id = h.incident_id and o.role_key = ${to}
         and o.until_timestamp is null and ${to} <> ${from})`.execute(db)
}
