import { type RawBuilder, sql } from 'kysely'

import type { NotificationType } from '#contract/mass-notifications/schema.ts'
import type { CommunicationTest, TestGroup, TestPlan } from '#contract/readiness/schema.ts'
import type { ApprovalState } from '#contract/notification-approvals/schema.ts'
import { type ColumnsOf, selectionOf, valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Page } from '#server/kit/http/answers.ts'

import { pageOf, type Range } from './store.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    communication_test_plans: ColumnsOf<PlanRow>
    communication_tests: ColumnsOf<TestRow>
  }
}

/** A plan as stored. */
export interface PlanRow {
  readonly enabled: boolean
  /** None for everybody. */
  readonly groupIds: readonly string[]
  readonly types: readonly NotificationType[]
  readonly setBy: string
  readonly setById: string
  readonly updateTimestamp: string
  readonly version: number
  /** Moment of the next test; null while the plan is off. */
  readonly nextTimestamp: string | null
}
const PLAN = selectionOf([
  'enabled',
  'groupIds',
  'types',
  'setBy',
  'setById',
  'updateTimestamp',
  'version',
  'nextTimestamp',
])
/** A communication test as stored. */
export interface TestRow extends Pick<
  CommunicationTest,
  'id' | 'isPlanned' | 'createdBy' | 'createTimestamp' | 'notificationId' | 'approvalId' | 'problem'
> {
  readonly groupNames: readonly string[]
  readonly types: readonly NotificationType[]
}

/** The plan; undefined before the first. @param isHeld locks it until the transaction ends */
export const findPlan = (db: OrgDb, isHeld: boolean): Promise<PlanRow | undefined> =>
  db
    .selectFrom('communication_test_plans')
    .select(PLAN)
    .$if(isHeld, (query) => query.forUpdate())
    .executeTakeFirst()

/** Inserts the first plan or replaces the one of a version. Returns false where another version stands by now. */
export async function storePlan(db: OrgDb, plan: PlanRow, seen: number): Promise<boolean> {
  const values = { ...valuesOf(plan), group_ids: [...plan.groupIds], types: [...plan.types] }
  const { numUpdatedRows } = await db
    .updateTable('communication_test_plans')
    .set(values)
    .where('version', '=', seen)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n || seen !== 0) return numUpdatedRows > 0n
  const inserted = await db
    .insertInto('communication_test_plans')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Moves the plan's next test. */
export const updateNext = (db: OrgDb, at: string): Promise<unknown> =>
  db.updateTable('communication_test_plans').set({ next_timestamp: at }).execute()

/** Those of the groups that exist, by name. */
export async function listGroupsOf(db: OrgDb, ids: readonly string[]): Promise<TestPlan['groups']> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from user_groups where id = any(${ids}::uuid[]) order by sort_key, id`.execute(db)
  return rows
}

export const insertTest = (db: OrgDb, test: TestRow): Promise<unknown> =>
  db
    .insertInto('communication_tests')
    .values({ ...valuesOf(test), group_names: [...test.groupNames], types: [...test.types] })
    .execute()

/** A test with the notification that was sent and the approval that it needs. */
export interface FoundTest extends TestRow {
  readonly approvalState: ApprovalState | null
  readonly approvalEnds: string | null
  readonly sentTimestamp: string | null
  readonly questionEndTimestamp: string | null
  readonly questionClosedTimestamp: string | null
  readonly notReached: number | null
}
const FOUND = sql`
  select t.id, t.is_planned as "isPlanned", t.group_names as "groupNames", t.types, t.created_by as "createdBy",
    t.create_timestamp as "createTimestamp", n.id as "notificationId", t.approval_id as "approvalId", t.problem,
    a.state as "approvalState", a.expire_timestamp as "approvalEnds", n.create_timestamp as "sentTimestamp",
    n.question_end_timestamp as "questionEndTimestamp", n.question_closed_timestamp as "questionClosedTimestamp",
    n.not_reached_count as "notReached"
  from communication_tests t
    left join notification_approvals a on a.id = t.approval_id
    left join mass_notifications n on n.id = coalesce(t.notification_id, a.notification_id)`

/** The newest tests. */
export async function listTests(db: OrgDb, limit: number): Promise<FoundTest[]> {
  const { rows } = await sql<FoundTest>`${FOUND}
    order by t.create_timestamp desc, t.id limit ${limit}`.execute(db)
  return rows
}
export async function findTest(db: OrgDb, id: string): Promise<FoundTest | undefined> {
  const { rows } = await sql<FoundTest>`${FOUND} where t.id = ${id}`.execute(db)
  return rows[0]
}
/** The newest test, and the time of the newest one that was sent. */
export async function findLastTest(
  db: OrgDb,
): Promise<{ newest: FoundTest | undefined; sentTimestamp: string | null }> {
  const [newest] = await listTests(db, 1)
  const { rows } = await sql<{ at: string | null }>`
    select n.create_timestamp as at from communication_tests t
      left join notification_approvals a on a.id = t.approval_id
      join mass_notifications n on n.id = coalesce(t.notification_id, a.notification_id)
    order by t.create_timestamp desc limit 1`.execute(db)
  return { newest, sentTimestamp: rows[0]?.at ?? null }
}

type Result = Pick<CommunicationTest, 'asked' | 'answered' | 'medianSeconds'>
/** The median of durations in seconds. */
const MEDIAN = (duration: RawBuilder<unknown>) => sql`
  round(percentile_cont(0.5) within group (order by extract(epoch from ${duration})))::integer as "medianSeconds"`
/** The first answer of each person's own, as \`first\`, beside \`p\`. */
const FIRST_ANSWERS = (ids: readonly string[]) => sql`
  left join (
    select notification_id, person, min(create_timestamp) as at from notification_answers
    where notification_id = any(${ids}::uuid[]) and channel <> 'ON_BEHALF' group by notification_id, person
  ) first on first.notification_id = p.notification_id and first.person = p.person`

/** Results of notifications by their ids. People are counted one by one only where their kept counts are missing. */
export async function countResults(db: OrgDb, ids: readonly string[]): Promise<ReadonlyMap<string, Result>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Result & { id: string }>`
    with first as materialized (
      select notification_id, min(create_timestamp) as at from notification_answers
      where notification_id = any(${ids}::uuid[]) and channel <> 'ON_BEHALF' group by notification_id, person
    )
    select n.id, coalesce(n.sent_count + n.not_reached_count, (
        select count(*) from notification_recipients p where p.notification_id = n.id and p.place = p.person
      )) as asked, count(first.at) as answered, ${MEDIAN(sql`first.at - n.create_timestamp`)}
    from mass_notifications n left join first on first.notification_id = n.id
    where n.id = any(${ids}::uuid[])
    group by n.id`.execute(db)
  return new Map(rows.map(({ id, ...result }) => [id, result]))
}

/** Results of a notification by groups and today's members. All of them, or a page. */
export const listTestGroups = (db: OrgDb, notificationId: string, range: Range): Promise<Page<TestGroup>> =>
  pageOf<TestGroup>(
    db,
    range,
    (cut) => sql`
    with asked as materialized (
      select p.email, first.at, n.create_timestamp
      from mass_notifications n join notification_recipients p on p.notification_id = n.id
        ${FIRST_ANSWERS([notificationId])}
      where n.id = ${notificationId} and p.notification_id = ${notificationId} and p.place = p.person
    )
    select g.id, g.name, count(*) over () as total, count(*) as asked, count(first.at) as answered,
      ${MEDIAN(sql`first.at - first.create_timestamp`)}
    from asked first join users u on u.email = first.email
      join group_members m on m.user_id = u.id join user_groups g on g.id = m.group_id
    group by g.id order by g.sort_key, g.id ${cut}`,
  )
