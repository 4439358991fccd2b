import { type RawBuilder, sql } from 'kysely'

import type { FollowUp, FollowUpList, FollowUps } from '#contract/follow-ups/schema.ts'
import { type ColumnsOf, selectionText, valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

type Derived =
  | 'incidentNumber'
  | 'incidentTitle'
  | 'isTabletop'
  | 'owner'
  | 'isMine'
  | 'canEdit'
  | 'canFinish'
/** A follow-up as stored. */
export interface FollowUpRow extends Omit<FollowUp, Derived> {
  /** Id of a user; null for a deleted one. */
  readonly ownerId: string | null
}
declare module '#server/kit/database/db.ts' {
  interface Tables {
    follow_ups: ColumnsOf<FollowUpRow & { readonly soonFor: string | null; readonly dueFor: string | null }>
  }
}
/** A follow-up with its incident and its owner, also an archived one. */
export interface OwnedRow extends FollowUpRow {
  readonly incidentNumber: string
  readonly incidentTitle: string
  readonly isTabletop: boolean
  readonly owner: FollowUp['owner']
}
const FIELDS = [
  'id',
  'incidentId',
  'title',
  'details',
  'ownerId',
  'dueTimestamp',
  'createdBy',
  'createTimestamp',
  'updateTimestamp',
  'doneBy',
  'doneTimestamp',
  'version',
] as const satisfies readonly (keyof FollowUpRow)[]

const OWNED =
  sql.raw(`select ${selectionText(FIELDS, 'f.')}, i.number as "incidentNumber", i.title as "incidentTitle",
  i.is_tabletop as "isTabletop",
  case when u.id is not null then jsonb_build_object('email', u.email, 'firstName', u.first_name, 'lastName', u.last_name)
  end as owner`)
const FROM = sql.raw(`from follow_ups f join incidents i on i.id = f.incident_id
  left join users u on u.id = f.owner_id and u.active and not u.banned`)

interface Page {
  readonly page: number
  readonly size: number
}
const conditionOf = (list: FollowUpList, viewerId: string, now: string): RawBuilder<unknown> => {
  switch (list) {
    case 'DONE':
      return sql`f.done_timestamp is not null`
    case 'MINE':
      return sql`f.done_timestamp is null and f.owner_id = ${viewerId}`
    case 'NOBODY':
      return sql`f.done_timestamp is null and u.id is null`
    case 'OVERDUE':
      return sql`f.done_timestamp is null and f.due_timestamp < ${now}`
    default:
      return sql`f.done_timestamp is null`
  }
}

/** A page of follow-ups across incidents, and the numbers of the lists of open ones. */
export async function listFollowUps(
  db: OrgDb,
  viewerId: string,
  { list, page, size, now }: Page & { readonly list: FollowUpList; readonly now: string },
): Promise<Omit<FollowUps, 'data'> & { data: OwnedRow[] }> {
  const order = list === 'DONE' ? sql`f.done_timestamp desc, f.id` : sql`f.due_timestamp, f.id`
  const where = conditionOf(list, viewerId, now)
  const { rows: data } = await sql<OwnedRow>`
    ${OWNED} ${FROM} where ${where} order by ${order} limit ${size} offset ${page * size}`.execute(db)
  const number = (one: FollowUpList) => sql`count(*) filter (where ${conditionOf(one, viewerId, now)})`
  const { rows: counted } = await sql<FollowUps['counts']>`
    select count(*) as "OPEN", ${number('MINE')} as "MINE", ${number('OVERDUE')} as "OVERDUE",
      ${number('NOBODY')} as "NOBODY" ${FROM} where f.done_timestamp is null`.execute(db)
  const counts = counted[0]!
  if (list !== 'DONE') return { data, total: counts[list], counts }
  const { rows: done } = await sql<{ total: number }>`
    select count(*) as total from follow_ups f where ${where}`.execute(db)
  return { data, total: done[0]!.total, counts }
}

/** The follow-ups of an incident: open ones by due time, then done ones. */
export async function listOfIncident(
  db: OrgDb,
  incidentId: string,
  { page, size }: Page,
): Promise<{ data: OwnedRow[]; total: number }> {
  const { rows: data } = await sql<OwnedRow>`
    ${OWNED} ${FROM} where f.incident_id = ${incidentId}
     order by f.done_timestamp is not null, f.due_timestamp, f.id
     limit ${size} offset ${page * size}`.execute(db)
  return { data, total: await countOfIncident(db, incidentId) }
}

export async function countOfIncident(db: OrgDb, incidentId: string): Promise<number> {
  const counted = db.selectFrom('follow_ups').select(sql<number>`count(*)`.as('count'))
  return (await counted.where('incident_id', '=', incidentId).executeTakeFirstOrThrow()).count
}

/** One follow-up; locked until the transaction ends with `hold`. */
export async function findFollowUp(db: OrgDb, id: string, hold = false): Promise<OwnedRow | undefined> {
  const { rows } = await sql<OwnedRow>`
    ${OWNED} ${FROM} where f.id = ${id} ${hold ? sql`for update of f` : sql``}`.execute(db)
  return rows[0]
}

export async function insertFollowUp(db: OrgDb, row: FollowUpRow): Promise<void> {
  await db
    .insertInto('follow_ups')
    .values({ ...valuesOf(row), soon_for: null, due_for: null })
    .execute()
}

/** Changes a follow-up and increments its version. */
export async function updateFollowUp(
  db: OrgDb,
  id: string,
  changes: Partial<Omit<FollowUpRow, 'id' | 'version'>>,
): Promise<void> {
  await db
    .updateTable('follow_ups')
    .set({ ...valuesOf(changes), version: sql`version + 1` })
    .where('id', '=', id)
    .execute()
}

/** A reminder of a follow-up: before its due time, and at it. */
export type FollowUpReminder = 'SOON' | 'DUE'
/**
 * Marks a follow-up as reminded of for its due time. Returns it the first time; undefined afterwards, and for one that
 * is done or due at another time.
 */
export async function takeFollowUp(
  db: OrgDb,
  { id, at, kind }: { readonly id: string; readonly at: string; readonly kind: FollowUpReminder },
): Promise<OwnedRow | undefined> {
  const marked = sql.ref(kind === 'SOON' ? 'soon_for' : 'due_for')
  const { rows } = await sql<{ id: string }>`
    update follow_ups set ${marked} = due_timestamp
     where id = ${id} and due_timestamp = ${at} and done_timestamp is null
       and ${marked} is distinct from due_timestamp
    returning id`.execute(db)
  return rows.length === 0 ? undefined : findFollowUp(db, id)
}

/** Active administrators, who are told of follow-ups that nobody has. */
export async function listAdministrators(db: OrgDb): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from users where role = 'ADMIN' and active and not banned and not dashboard_user`.execute(db)
  return rows.map(({ id }) => id)
}
