import { sql } from 'kysely'

import type { Severity } from '#contract/incidents/schema.ts'
import { type ColumnsOf, valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

/** The rhythm of an incident as stored. */
interface RhythmRow {
  readonly incidentId: string
  readonly dueTimestamp: string | null
  readonly setTimestamp: string | null
  readonly setBy: string | null
  readonly reportTimestamp: string | null
  readonly soonFor: string | null
  readonly lateFor: string | null
  readonly checkTimestamp: string | null
  readonly version: number
}
declare module '#server/kit/database/db.ts' {
  interface Tables {
    incident_rhythms: ColumnsOf<RhythmRow>
  }
}

/** All that the due time follows from. Fields of the rhythm are null, and its version is 0, before it has a row. */
export interface RhythmFacts extends Omit<RhythmRow, 'incidentId'> {
  readonly isActive: boolean
  readonly isTabletop: boolean
  readonly title: string
  readonly severity: Severity
  readonly createTimestamp: string
  readonly updateTimestamp: string | null
}
export async function findRhythm(db: OrgDb, incidentId: string): Promise<RhythmFacts | undefined> {
  const { rows } = await sql<RhythmFacts>`
    select i.is_active as "isActive", i.is_tabletop as "isTabletop", i.title, i.severity,
      i.create_timestamp as "createTimestamp",
      (select max(a.create_timestamp) from activities a where a.incident_id = i.id and a.type = 'UPDATE'
        and a.parent_activity_id is null) as "updateTimestamp",
      r.due_timestamp as "dueTimestamp", r.set_timestamp as "setTimestamp", r.set_by as "setBy",
      r.report_timestamp as "reportTimestamp", r.soon_for as "soonFor", r.late_for as "lateFor",
      r.check_timestamp as "checkTimestamp", coalesce(r.version, 0) as version
      from incidents i left join incident_rhythms r on r.incident_id = i.id
     where i.id = ${incidentId}`.execute(db)
  return rows[0]
}

/** Changes the rhythm of an incident, which begins with the first change. */
export async function upsertRhythm(
  db: OrgDb,
  incidentId: string,
  changes: Partial<Omit<RhythmRow, 'incidentId'>>,
): Promise<void> {
  await db
    .insertInto('incident_rhythms')
    .values(valuesOf({ ...EMPTY, ...changes, incidentId }))
    .onConflict((conflict) => conflict.column('incident_id').doUpdateSet(valuesOf(changes)))
    .execute()
}
const EMPTY: Omit<RhythmRow, 'incidentId'> = {
  dueTimestamp: null,
  setTimestamp: null,
  setBy: null,
  reportTimestamp: null,
  soonFor: null,
  lateFor: null,
  checkTimestamp: null,
  version: 1,
}

/** Locks the rhythm of an incident until the transaction ends. */
export async function holdRhythm(db: OrgDb, incidentId: string): Promise<void> {
  await sql`select from incident_rhythms where incident_id = ${incidentId} for update`.execute(db)
}
