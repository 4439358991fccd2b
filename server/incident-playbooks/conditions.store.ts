import type { GeneratedAlways } from 'kysely'

import { IncidentCondition } from '#contract/incident-playbooks/schema.ts'
import { type ColumnsOf, fieldsOf, selectionOf, valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

/** A condition as stored. */
export interface ConditionRow extends IncidentCondition {
  readonly incidentId: string
  readonly incidentPlaybookId: string
}
declare module '#server/kit/database/db.ts' {
  interface Tables {
    incident_conditions: ColumnsOf<ConditionRow> & { position: GeneratedAlways<number> }
  }
}
const FIELDS = [...fieldsOf(IncidentCondition), 'incidentId', 'incidentPlaybookId'] as const

/** The conditions of an incident, in the order of its playbooks. */
export const listConditions = (db: OrgDb, incidentId: string): Promise<ConditionRow[]> =>
  db
    .selectFrom('incident_conditions')
    .select(selectionOf(FIELDS))
    .where('incident_id', '=', incidentId)
    .orderBy('position')
    .execute()

export async function insertConditions(db: OrgDb, rows: readonly ConditionRow[]): Promise<void> {
  if (rows.length > 0)
    await db
      .insertInto('incident_conditions')
      .values(rows.map((row) => valuesOf(row)))
      .execute()
}

export async function updateAnswer(
  db: OrgDb,
  id: string,
  answer: Pick<ConditionRow, 'answer' | 'reason' | 'decidedBy' | 'decidedTimestamp'>,
): Promise<void> {
  await db.updateTable('incident_conditions').set(valuesOf(answer)).where('id', '=', id).execute()
}
