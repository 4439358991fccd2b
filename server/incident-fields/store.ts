import { sql } from 'kysely'

import { FIELD_LABEL_TAKEN, type FieldDefinition, IncidentField } from '#contract/incident-fields/schema.ts'
import type { ColumnsOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { plainNoun } from '#server/kit/http/plain-noun.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    incident_fields: ColumnsOf<Omit<IncidentField, 'usedCount'>>
    incident_field_values: { incident_id: string; field_id: string; value: string }
  }
}

/** The fields of incidents that an organisation defines. */
export const fields = plainNoun({
  noun: 'incident-fields',
  table: 'incident_fields',
  label: 'This field',
  schema: IncidentField,
  fields: ['label', 'type', 'choices', 'isRequired', 'position', 'kindIds', 'isRetired'],
  computed: {
    usedCount: sql`(select count(*) from incident_field_values v where v.field_id = incident_fields.id)`,
  },
  derived: ['usedCount'],
  name: 'label',
  nameTaken: FIELD_LABEL_TAKEN,
  orders: { position: sql`position`, label: sql`sort_key`, updateTimestamp: sql`update_timestamp` },
  sort: ['position', 'ASC'],
  matches: (search = '') => sql<boolean>`strpos(fold(label), fold(${search})) > 0`,
})

/** Numbers of all fields, and of those that are asked for besides one. */
export async function countFields(
  db: OrgDb,
  besides: string | null = null,
): Promise<{ all: number; active: number }> {
  const { rows } = await sql<{ all: number; active: number }>`
    select count(*) as all, count(*) filter (where not is_retired and id is distinct from ${besides}::uuid) as active
    from incident_fields`.execute(db)
  return rows[0]!
}

/** All fields in their order, retired ones too. */
export async function listDefinitions(db: OrgDb): Promise<FieldDefinition[]> {
  const { rows } = await sql<FieldDefinition>`
    select id, label, type, choices, is_required as "isRequired", kind_ids as "kindIds", is_retired as "isRetired"
    from incident_fields order by position, sort_key, id`.execute(db)
  return rows
}

/** Keeps fields from being deleted until the transaction ends. */
export async function holdFields(db: OrgDb, ids: readonly string[]): Promise<void> {
  await sql`select from incident_fields where id = any(${ids}::uuid[]) order by id for key share`.execute(db)
}

/** Stores values of an incident by field; null takes one away. */
export async function writeValues(
  db: OrgDb,
  incidentId: string,
  values: ReadonlyMap<string, string | null>,
): Promise<void> {
  const all = [...values]
  const gone = all.filter(([, value]) => value === null).map(([id]) => id)
  const set = all.filter((one): one is [string, string] => one[1] !== null)
  if (gone.length > 0)
    await sql`delete from incident_field_values
      where incident_id = ${incidentId} and field_id = any(${gone}::uuid[])`.execute(db)
  if (set.length > 0)
    await sql`insert into incident_field_values (incident_id, field_id, value)
      select ${incidentId}, id, value
        from unnest(${set.map(([id]) => id)}::uuid[], ${set.map(([, value]) => value)}::text[]) as one (id, value)
      on conflict (incident_id, field_id) do update set value = excluded.value`.execute(db)
}
