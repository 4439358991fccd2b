import { sql } from 'kysely'

import type { ReportState } from '#contract/incident-reports/schema.ts'
import type { OrgDb, Tables } from '#server/kit/database/db.ts'

export interface RequestRow {
  id: string
  incident_id: string
  state: ReportState
  /** Per cent. */
  progress: number
  tries: number
  /** The incident's last event that the report covers. */
  sequence: number
  file_name: string | null
  blob_id: string | null
  create_timestamp: string
  update_timestamp: string
  expire_timestamp: string
}

declare module '#server/kit/database/db.ts' {
  interface Tables {
    /** Reports that were handed out. */
    incident_reports: {
      id: string
      incident_id: string
      blob_id: string
      sha256: string
      created_by: string
      create_timestamp: string
    }
    /** Long reports that jobs are making. */
    report_requests: RequestRow
  }
}

export async function insertReport(db: OrgDb, row: Tables['incident_reports']): Promise<void> {
  await db.insertInto('incident_reports').values(row).execute()
}

/** The sequence of the incident's newest event, except that of issuing a report. */
export async function findLastSequence(db: OrgDb, incidentId: string): Promise<number> {
  const row = await db
    .selectFrom('events')
    .select(sql<number>`coalesce(max(sequence), 0)`.as('last'))
    .where('noun', '<>', 'incident-reports')
    .where((eb) =>
      eb.or([
        eb('parent', '=', incidentId),
        eb.and([eb('noun', '=', 'incidents'), eb('record', '=', incidentId)]),
      ]),
    )
    .executeTakeFirstOrThrow()
  return row.last
}

/** Inserts a request unless one is in progress. Returns whether it did. */
export async function insertRequest(db: OrgDb, row: RequestRow): Promise<boolean> {
  const inserted = await db
    .insertInto('report_requests')
    .values(row)
    .onConflict((conflict) => conflict.column('incident_id').where('state', '=', 'MAKING').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export const findRequest = (db: OrgDb, id: string): Promise<RequestRow | undefined> =>
  db.selectFrom('report_requests').selectAll().where('id', '=', id).executeTakeFirst()

export const findBeingMade = (db: OrgDb, incidentId: string): Promise<RequestRow | undefined> =>
  db
    .selectFrom('report_requests')
    .selectAll()
    .where('incident_id', '=', incidentId)
    .where('state', '=', 'MAKING')
    .executeTakeFirst()

/** The newest one that is ready, tells everything up to that event and lasts until then. */
export const findReady = (
  db: OrgDb,
  incidentId: string,
  { sequence, after }: { sequence: number; after: string },
): Promise<RequestRow | undefined> =>
  db
    .selectFrom('report_requests')
    .selectAll()
    .where('incident_id', '=', incidentId)
    .where('state', '=', 'READY')
    .where('sequence', '=', sequence)
    .where('expire_timestamp', '>', after)
    .orderBy('create_timestamp', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Updates a request in progress and returns it; nothing when it is no longer in progress. */
export const updateBeingMade = (
  db: OrgDb,
  id: string,
  changes: Partial<Omit<RequestRow, 'id'>>,
): Promise<RequestRow | undefined> =>
  db
    .updateTable('report_requests')
    .set(changes)
    .where('id', '=', id)
    .where('state', '=', 'MAKING')
    .returningAll()
    .executeTakeFirst()

/** The name of the organisation that is open. */
export const findOrganisationName = async (db: OrgDb): Promise<string> =>
  (
    await db
      .selectFrom('organisations')
      .select('display_name')
      .where(sql<boolean>`id = current_organisation()`)
      .executeTakeFirstOrThrow()
  ).display_name
