import { sql } from 'kysely'

import { type ChoosableKind, IncidentKind, KIND_NAME_TAKEN } from '#contract/incident-kinds/schema.ts'
import type { ColumnsOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { plainNoun } from '#server/kit/http/plain-noun.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    incident_kinds: ColumnsOf<Omit<IncidentKind, 'isPlaybookUsable' | 'usedCount'>>
  }
}

const PLAYBOOK_NAME = sql`coalesce(
  (select p.name from playbooks p where p.id = incident_kinds.playbook_id), incident_kinds.playbook_name)`
const IS_PLAYBOOK_USABLE = sql`exists (select from playbooks where playbooks.id = incident_kinds.playbook_id
  and playbooks.is_published and playbooks.delete_timestamp is null and playbooks.archive_timestamp is null)`

/** The organisation's kinds of incidents. */
export const kinds = plainNoun({
  noun: 'incident-kinds',
  table: 'incident_kinds',
  label: 'This kind',
  schema: IncidentKind,
  fields: ['name', 'icon', 'severity', 'playbookId', 'roleIds', 'isRetired'],
  also: ['playbookName'],
  computed: {
    playbookName: PLAYBOOK_NAME,
    isPlaybookUsable: IS_PLAYBOOK_USABLE,
    usedCount: sql`(select count(*) from incidents i where i.kind_id = incident_kinds.id)`,
  },
  derived: ['playbookName', 'isPlaybookUsable', 'usedCount'],
  name: 'name',
  nameTaken: KIND_NAME_TAKEN,
  orders: { name: sql`sort_key`, updateTimestamp: sql`update_timestamp` },
  sort: ['name', 'ASC'],
  matches: (search = '') => sql<boolean>`strpos(fold(name), fold(${search})) > 0`,
})

export async function countKinds(db: OrgDb): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from incident_kinds`.execute(db)
  return rows[0]!.count
}

/** Ids among these that the organisation's list of roles has. */
export async function listKnownRoles(db: OrgDb, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from command_roles where id = any(${ids}::uuid[])`.execute(db)
  return rows.map(({ id }) => id)
}

/** Labels of the fields that are asked for a kind by name. */
export async function listLimitedFields(db: OrgDb, kindId: string): Promise<string[]> {
  const { rows } = await sql<{ label: string }>`
    select label from incident_fields where ${kindId}::uuid = any(kind_ids) order by sort_key, id`.execute(db)
  return rows.map(({ label }) => label)
}

/** All kinds by name as the form of an incident uses them, retired ones too. */
export async function listChoosableKinds(db: OrgDb): Promise<ChoosableKind[]> {
  const { rows } = await sql<ChoosableKind>`
    select id, name, icon, severity, playbook_id as "playbookId", ${PLAYBOOK_NAME} as "playbookName",
      ${IS_PLAYBOOK_USABLE} as "isPlaybookUsable", is_retired as "isRetired",
      array(select r.name from command_roles r where r.id = any(incident_kinds.role_ids)
        order by r.position, r.sort_key, r.id) as roles
    from incident_kinds order by sort_key, id`.execute(db)
  return rows
}

/** A kind, which cannot be deleted until the transaction ends. */
export async function holdKind(
  db: OrgDb,
  id: string,
): Promise<Pick<IncidentKind, 'name' | 'isRetired'> | undefined> {
  const { rows } = await sql<Pick<IncidentKind, 'name' | 'isRetired'>>`
    select name, is_retired as "isRetired" from incident_kinds where id = ${id} for key share`.execute(db)
  return rows[0]
}

/** Ids among these of kinds, which cannot be deleted until the transaction ends. */
export async function holdKinds(db: OrgDb, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from incident_kinds where id = any(${ids}::uuid[]) order by id for key share`.execute(db)
  return rows.map(({ id }) => id)
}
