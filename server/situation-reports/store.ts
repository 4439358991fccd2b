import { sql } from 'kysely'

import { SituationReport } from '#contract/situation-reports/schema.ts'
import { type ColumnsOf, fieldsOf, selectionOf, valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    situation_reports: ColumnsOf<SituationReport>
  }
}
const FIELDS = selectionOf(fieldsOf(SituationReport))

/** A page of the reports of an incident: the one that is written first, then the newest. */
export async function listReports(
  db: OrgDb,
  incidentId: string,
  { offset, size }: { readonly offset: number; readonly size: number },
): Promise<{ data: SituationReport[]; total: number }> {
  const found = db.selectFrom('situation_reports').where('incident_id', '=', incidentId)
  const data = await found
    .select(FIELDS)
    .orderBy(sql`number desc nulls first`)
    .limit(size)
    .offset(offset)
    .execute()
  const { total } = await found.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  return { data, total }
}

/** One report, locked until the transaction ends with `hold`. */
export const findReport = (db: OrgDb, id: string, hold = false): Promise<SituationReport | undefined> =>
  db
    .selectFrom('situation_reports')
    .select(FIELDS)
    .where('id', '=', id)
    .$if(hold, (query) => query.forUpdate())
    .executeTakeFirst()

/** The report of an incident that is being written. */
export const findUnpublished = (db: OrgDb, incidentId: string): Promise<SituationReport | undefined> =>
  db
    .selectFrom('situation_reports')
    .select(FIELDS)
    .where('incident_id', '=', incidentId)
    .where('state', '<>', 'PUBLISHED')
    .executeTakeFirst()

/** The published reports of an incident, the newest first; all of them without a limit. */
export const listPublished = (
  db: OrgDb,
  incidentId: string,
  limit: number | null = null,
): Promise<SituationReport[]> =>
  db
    .selectFrom('situation_reports')
    .select(FIELDS)
    .where('incident_id', '=', incidentId)
    .where('state', '=', 'PUBLISHED')
    .orderBy('number', 'desc')
    .$if(limit !== null, (query) => query.limit(limit!))
    .execute()

export async function insertReport(db: OrgDb, row: SituationReport): Promise<void> {
  await db.insertInto('situation_reports').values(valuesOf(row)).execute()
}

/** Changes a report and increments its version. */
export async function updateReport(
  db: OrgDb,
  id: string,
  changes: Partial<Omit<SituationReport, 'id' | 'version'>>,
): Promise<void> {
  await db
    .updateTable('situation_reports')
    .set({ ...valuesOf(changes), version: sql`version + 1` })
    .where('id', '=', id)
    .execute()
}

export async function deleteReport(db: OrgDb, id: string): Promise<void> {
  await db.deleteFrom('situation_reports').where('id', '=', id).execute()
}
