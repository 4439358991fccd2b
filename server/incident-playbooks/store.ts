import type { GeneratedAlways } from 'kysely'
import * as z from 'zod/mini'

import { IncidentPlaybook } from '#contract/incident-playbooks/schema.ts'
import { type ColumnsOf, fieldsOf, selectionOf, valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

const Stored = z.omit(IncidentPlaybook, { currentVersion: true, conditions: true })
const FIELDS = fieldsOf(z.omit(Stored, { playbookId: true }))
export interface IncidentPlaybookRow extends z.infer<typeof Stored> {}

/** A task of an incident that was copied from a playbook. */
interface TakenTask {
  readonly incidentPlaybookId: string
  readonly incidentId: string
  readonly itemId: string
  /** Null once the task was deleted. */
  readonly activityId: string | null
}

declare module '#server/kit/database/db.ts' {
  interface Tables {
    incident_playbooks: ColumnsOf<IncidentPlaybookRow> & { position: GeneratedAlways<number> }
    incident_playbook_tasks: ColumnsOf<TakenTask>
  }
}

/** The playbooks of an incident, oldest first, each with its current version. */
export const listIncidentPlaybooks = (
  db: OrgDb,
  incidentId: string,
): Promise<Omit<IncidentPlaybook, 'conditions'>[]> =>
  db
    .selectFrom('incident_playbooks as i')
    .leftJoin('playbooks as p', (join) =>
      join.onRef('p.id', '=', 'i.playbook_id').on('p.delete_timestamp', 'is', null),
    )
    .select(selectionOf(FIELDS, 'i.'))
    .select(['p.id as playbookId', 'p.version as currentVersion'])
    .where('i.incident_id', '=', incidentId)
    .orderBy('i.position')
    .execute()

export async function insertIncidentPlaybook(db: OrgDb, row: IncidentPlaybookRow): Promise<void> {
  await db.insertInto('incident_playbooks').values(valuesOf(row)).execute()
}

export async function insertTasks(db: OrgDb, rows: readonly TakenTask[]): Promise<void> {
  if (rows.length > 0)
    await db
      .insertInto('incident_playbook_tasks')
      .values(rows.map((row) => valuesOf(row)))
      .execute()
}
