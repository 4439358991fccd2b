import { type GeneratedAlways, sql } from 'kysely'
import * as z from 'zod/mini'

import { IncidentPlaybook } from '#contract/incident-playbooks/schema.ts'
import { type ColumnsOf, fieldsOf, selectionOf, valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

const Stored = z.omit(IncidentPlaybook, { currentVersion: true })
export interface IncidentPlaybookRow extends z.infer<typeof Stored> {}

declare module '#server/kit/database/db.ts' {
  interface Tables {
    incident_playbooks: ColumnsOf<IncidentPlaybookRow> & { position: GeneratedAlways<number> }
  }
}

/** The playbooks of an incident, oldest first, each with its current version. */
export const listIncidentPlaybooks = (db: OrgDb, incidentId: string): Promise<IncidentPlaybook[]> =>
  db
    .selectFrom('incident_playbooks as i')
    .select(selectionOf(fieldsOf(Stored), 'i.'))
    .select(
      sql<number | null>`(select version from playbooks p where p.id = i.playbook_id)`.as('currentVersion'),
    )
    .where('i.incident_id', '=', incidentId)
    .orderBy('i.position')
    .execute()

export async function insertIncidentPlaybook(db: OrgDb, row: IncidentPlaybookRow): Promise<void> {
  await db.insertInto('incident_playbooks').values(valuesOf(row)).execute()
}
