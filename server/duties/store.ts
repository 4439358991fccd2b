import { sql } from 'kysely'

import type { DutyClock } from '#contract/duties/schema.ts'
import { type ColumnsOf, selectionText, valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

/** A clock as stored. */
export interface ClockRow extends Omit<DutyClock, 'holder' | 'files'> {
  readonly hours: number
  /** Id of a user; null for a deleted one. */
  readonly holderId: string | null
  readonly fileIds: readonly string[]
}
declare module '#server/kit/database/db.ts' {
  interface Tables {
    duty_clocks: ColumnsOf<ClockRow & { readonly soonFor: string | null; readonly lateFor: string | null }>
  }
}
/** A clock with its holder and its files. */
export type HeldClock = ClockRow & Pick<DutyClock, 'holder' | 'files'>
const FIELDS = [
  'id',
  'incidentId',
  'dutyId',
  'name',
  'hours',
  'filedTo',
  'hint',
  'state',
  'awareTimestamp',
  'dueTimestamp',
  'holderId',
  'startedBy',
  'startTimestamp',
  'draft',
  'filedTimestamp',
  'filedBy',
  'reference',
  'link',
  'fileIds',
  'reason',
  'updatedBy',
  'updateTimestamp',
  'version',
] as const satisfies readonly (keyof ClockRow)[]

const HELD = sql.raw(`select ${selectionText(FIELDS, 'c.')},
  case when u.id is not null then jsonb_build_object('email', u.email, 'firstName', u.first_name, 'lastName', u.last_name)
  end as holder,
  (select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'name', f.name, 'extension', f.extension) order by f.position), '[]')
     from attachments f where f.incident_id = c.incident_id and f.id = any(c.file_ids)) as files
  from duty_clocks c left join users u on u.id = c.holder_id and u.active and not u.banned`)

/** The clocks of an incident by due time. Their number is that of the duties. */
export async function listClocks(db: OrgDb, incidentId: string): Promise<HeldClock[]> {
  const { rows } = await sql<HeldClock>`
    ${HELD} where c.incident_id = ${incidentId} order by c.due_timestamp, c.name, c.id`.execute(db)
  return rows
}

/** One clock; locked until the transaction ends with `hold`. */
export async function findClock(db: OrgDb, id: string, hold = false): Promise<HeldClock | undefined> {
  const { rows } = await sql<HeldClock>`
    ${HELD} where c.id = ${id} ${hold ? sql`for update of c` : sql``}`.execute(db)
  return rows[0]
}

/** A clock in somebody's hands. */
export interface MyClock {
  readonly id: string
  readonly name: string
  readonly dueTimestamp: string
  readonly incidentId: string
  readonly incidentTitle: string
  readonly isTabletop: boolean
}
/** The running clocks of a holder, the next ones first. */
export async function listHeldClocks(db: OrgDb, holderId: string, limit: number): Promise<MyClock[]> {
  const { rows } = await sql<MyClock>`
    select c.id, c.name, c.due_timestamp as "dueTimestamp", i.id as "incidentId", i.title as "incidentTitle",
      i.is_tabletop as "isTabletop"
      from duty_clocks c join incidents i on i.id = c.incident_id
     where c.holder_id = ${holderId} and c.state = 'RUNNING'
     order by c.due_timestamp, c.id limit ${limit}`.execute(db)
  return rows
}

export async function insertClocks(db: OrgDb, rows: readonly ClockRow[]): Promise<void> {
  if (rows.length === 0) return
  const values = rows.map((row) => ({ ...valuesOf(row), soon_for: null, late_for: null }))
  await db.insertInto('duty_clocks').values(values).execute()
}

/** Changes a clock and increments its version. */
export async function updateClock(
  db: OrgDb,
  id: string,
  changes: Partial<Omit<ClockRow, 'id' | 'version'>>,
): Promise<void> {
  await db
    .updateTable('duty_clocks')
    .set({ ...valuesOf(changes), version: sql`version + 1` })
    .where('id', '=', id)
    .execute()
}

/** Files of an incident among some ids. */
export async function listFileIds(db: OrgDb, incidentId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from attachments where incident_id = ${incidentId} and id = any(${ids}::uuid[])`.execute(db)
  return rows.map(({ id }) => id)
}

/** A notice about a clock: a quarter of its time before the end, and at it. */
export type ClockNotice = 'SOON' | 'LATE'
/**
 * Marks a clock as told of for its due time. Returns it the first time; undefined afterwards, and for one that has
 * ended or is due at another time.
 */
export async function takeClock(
  db: OrgDb,
  { id, at, kind }: { readonly id: string; readonly at: string; readonly kind: ClockNotice },
): Promise<HeldClock | undefined> {
  const marked = sql.ref(kind === 'SOON' ? 'soon_for' : 'late_for')
  const { rows } = await sql<{ id: string }>`
    update duty_clocks set ${marked} = due_timestamp
     where id = ${id} and due_timestamp = ${at} and state = 'RUNNING' and ${marked} is distinct from due_timestamp
    returning id`.execute(db)
  return rows.length === 0 ? undefined : findClock(db, id)
}
