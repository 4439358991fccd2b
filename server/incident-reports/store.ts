import { sql } from 'kysely'

import { ReportRequest } from '#contract/incident-reports/schema.ts'
import { type ColumnsOf, fieldsOf, selectionOf, valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

/** A report that was handed out. */
interface ReportRow {
  id: string
  incidentId: string
  blobId: string
  sha256: string
  createdBy: string
  createTimestamp: string
}
/** A long report that a job makes, as stored. */
export interface RequestRow extends ReportRequest {
  tries: number
  /** The incident's last event that the report covers. */
  sequence: number
  fileName: string | null
  blobId: string | null
  updateTimestamp: string
  /** Without timeline entries and decisions, which external people do not see. */
  isForExternals: boolean
}
const REQUEST = selectionOf([
  ...fieldsOf(ReportRequest),
  'tries',
  'sequence',
  'fileName',
  'blobId',
  'updateTimestamp',
  'isForExternals',
] as const satisfies readonly (keyof RequestRow)[])

declare module '#server/kit/database/db.ts' {
  interface Tables {
    incident_reports: ColumnsOf<ReportRow>
    report_requests: ColumnsOf<RequestRow>
  }
}

export async function insertReport(db: OrgDb, row: ReportRow): Promise<void> {
  await db.insertInto('incident_reports').values(valuesOf(row)).execute()
}

/** The incident's latest event, except report events. */
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
    .values(valuesOf(row))
    .onConflict((conflict) =>
      conflict.columns(['incident_id', 'is_for_externals']).where('state', '=', 'MAKING').doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export const findRequest = (db: OrgDb, id: string): Promise<RequestRow | undefined> =>
  db.selectFrom('report_requests').select(REQUEST).where('id', '=', id).executeTakeFirst()

export const findBeingMade = (
  db: OrgDb,
  incidentId: string,
  isForExternals: boolean,
): Promise<RequestRow | undefined> =>
  db
    .selectFrom('report_requests')
    .select(REQUEST)
    .where('incident_id', '=', incidentId)
    .where('is_for_externals', '=', isForExternals)
    .where('state', '=', 'MAKING')
    .executeTakeFirst()

/** The newest finished report up to event `sequence` that is available beyond `after`. */
export const findReady = (
  db: OrgDb,
  incidentId: string,
  {
    sequence,
    after,
    isForExternals,
  }: { readonly sequence: number; readonly after: string; readonly isForExternals: boolean },
): Promise<RequestRow | undefined> =>
  db
    .selectFrom('report_requests')
    .select(REQUEST)
    .where('incident_id', '=', incidentId)
    .where('is_for_externals', '=', isForExternals)
    .where('state', '=', 'READY')
    .where('sequence', '=', sequence)
    .where('expire_timestamp', '>', after)
    .orderBy('create_timestamp', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Updates a request in progress and returns it; undefined when it is no longer in progress. */
export const updateBeingMade = (
  db: OrgDb,
  id: string,
  changes: Partial<Omit<RequestRow, 'id'>>,
): Promise<RequestRow | undefined> =>
  db
    .updateTable('report_requests')
    .set(valuesOf(changes))
    .where('id', '=', id)
    .where('state', '=', 'MAKING')
    .returning(REQUEST)
    .executeTakeFirst()

export const findOrganisationName = async (db: OrgDb): Promise<string> =>
  (
    await db
      .selectFrom('organisations')
      .select(selectionOf(['displayName']))
      .where(sql<boolean>`id = current_organisation()`)
      .executeTakeFirstOrThrow()
  ).displayName
