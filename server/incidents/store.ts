import * as z from 'zod/mini'
import { type GeneratedAlways, sql } from 'kysely'

import { IncidentSummary, ListedIncident } from '#contract/incidents/schema.ts'
import { type ColumnsOf, fieldsOf, valuesOf } from '#server/kit/database/columns.ts'
import { lockFor, type OrgDb, type Tables } from '#server/kit/database/db.ts'

import type { ActivityRow } from './activities.store.ts'

/** Fields of an incident that come from other tables: its counts, and what the organisation defines. */
export const COUNTED = {
  kind: true,
  fieldValues: true,
  labels: true,
  tasksCount: true,
  completeTasksCount: true,
  updatesCount: true,
  checkInsCount: true,
} as const
/** Derived fields of an incident. */
const DERIVED = {
  type: true,
  estimatedTimeToRecoveryInMinutes: true,
  hasIncompleteTasks: true,
  shouldCurrentUserCheckIn: true,
  attachmentsFolderId: true,
} as const
export const Stored = z.omit(ListedIncident, {
  ...COUNTED,
  ...DERIVED,
  activities: true,
  checkIns: true,
  targetedUsers: true,
  targetedGroups: true,
  attachments: true,
})
/** Columns of an incident in responses. */
export type ShownRow = z.infer<typeof Stored>
/** An incident as stored. */
export interface IncidentRow extends ShownRow {
  /** `fullText` without markup, for the search. */
  plainText: string
  updateTimestamp: string
}
/** Fields of a summary that a row has. */
export const SUMMARY_FIELDS = fieldsOf(z.omit(IncidentSummary, DERIVED))

declare module '#server/kit/database/db.ts' {
  interface Tables {
    incidents: ColumnsOf<IncidentRow>
    check_ins: ColumnsOf<CheckIn>
    activities: ColumnsOf<ActivityRow> & { position: GeneratedAlways<number> }
  }
}

interface CheckIn {
  readonly incidentId: string
  readonly userId: string
  readonly timestamp: string
}

/**
 * Locks an incident until the transaction ends: for a `change` of it, or so that it does not change while something
 * below it does. Read it afterwards: earlier reads predate the wait.
 */
export async function holdIncident(db: OrgDb, id: string, to: 'change' | 'read'): Promise<void> {
  const row = db.selectFrom('incidents').select('id').where('id', '=', id)
  await (to === 'change' ? row.forNoKeyUpdate() : row.forShare()).execute()
}

/** Serialises decisions on which kinds of incident may become active. */
export const holdActiveKinds = (db: OrgDb): Promise<void> => lockFor(db, 'incidents')

export async function insertIncident(db: OrgDb, row: IncidentRow): Promise<void> {
  await db.insertInto('incidents').values(valuesOf(row)).execute()
}

/** Changes an incident and increments its version. */
export async function updateIncident(
  db: OrgDb,
  id: string,
  changes: Partial<Omit<IncidentRow, 'id' | 'version'>>,
): Promise<void> {
  await db
    .updateTable('incidents')
    .set({ ...valuesOf(changes), version: sql`version + 1` })
    .where('id', '=', id)
    .execute()
}

/** Checks a person in, once. Returns whether this was the first time. */
export async function insertCheckIn(db: OrgDb, checkIn: CheckIn): Promise<boolean> {
  const row = await db
    .insertInto('check_ins')
    .values(valuesOf(checkIn))
    .onConflict((conflict) => conflict.columns(['incident_id', 'user_id']).doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

const PERSON = ['id', 'email', 'role', 'type', 'active', 'banned', 'dashboard_user'] as const
export type PersonRow = Pick<Tables['users'], (typeof PERSON)[number]>
/** People by address; unknown addresses are left out. */
export const listPeople = (db: OrgDb, emails: readonly string[]): Promise<PersonRow[]> =>
  db
    .selectFrom('users')
    .select(PERSON)
    .where('email', '=', sql<string>`any(${emails}::text[])`)
    .execute()

/** Takes the next number of a series. A concurrent declaration waits for this transaction, so that no number is left out. */
export async function takeNumber(db: OrgDb, series: 'EXE' | 'INC', year: number): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    insert into incident_numbers as n (series, year, last_number) values (${series}, ${year}, 1)
      on conflict (organisation_id, series, year) do update set last_number = n.last_number + 1
    returning last_number as last`.execute(db)
  return rows[0]!.last
}
