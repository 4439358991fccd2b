import { sql } from 'kysely'

import { Duty, DUTY_NAME_TAKEN } from '#contract/duties/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { plainNoun } from '#server/kit/http/plain-noun.ts'

/** The organisation's list of duties. */
export const duties = plainNoun({
  noun: 'duties',
  table: 'duties',
  label: 'This duty',
  schema: Duty,
  fields: ['name', 'hours', 'filedTo', 'hint'],
  also: ['nameKey'],
  name: 'name',
  nameTaken: DUTY_NAME_TAKEN,
  orders: {
    hours: sql`hours`,
    name: sql`sort_key`,
    updateTimestamp: sql`update_timestamp`,
  },
  sort: ['hours', 'ASC'],
  matches: (search = '') =>
    sql<boolean>`strpos(fold(name || ' ' || coalesce(filed_to, '') || ' ' || coalesce(hint, '')), fold(${search})) > 0`,
})

export async function countDuties(db: OrgDb): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from duties`.execute(db)
  return rows[0]!.count
}

/** The duties without a clock in an incident, the shortest first. */
export async function listStartable(
  db: OrgDb,
  incidentId: string,
): Promise<Pick<Duty, 'id' | 'name' | 'hours' | 'filedTo' | 'hint'>[]> {
  const { rows } = await sql<Pick<Duty, 'id' | 'name' | 'hours' | 'filedTo' | 'hint'>>`
    select d.id, d.name, d.hours, d.filed_to as "filedTo", d.hint from duties d
     where not exists (select from duty_clocks c where c.incident_id = ${incidentId} and c.duty_id = d.id)
     order by d.hours, d.sort_key, d.id`.execute(db)
  return rows
}
