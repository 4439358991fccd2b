import type { NewNotification } from '#contract/mass-notifications/schema.ts'
import type { NotificationApproval } from '#contract/notification-approvals/schema.ts'
import { type ColumnsOf, json, selectionOf, valuesOf } from '#server/kit/database/columns.ts'
import type { OrgDb } from '#server/kit/database/db.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    notification_approvals: ColumnsOf<ApprovalRow>
  }
}

/** A notification that waits for approval, as stored. */
export interface ApprovalRow extends Pick<
  NotificationApproval,
  | 'id'
  | 'groupNames'
  | 'isExercise'
  | 'peopleCount'
  | 'needed'
  | 'price'
  | 'requestedBy'
  | 'createTimestamp'
  | 'expireTimestamp'
  | 'state'
  | 'decidedBy'
  | 'decideTimestamp'
  | 'reason'
  | 'notificationId'
> {
  readonly body: NewNotification
  readonly requestedById: string
  readonly requestedByKind: 'person' | 'key'
  /** Email address of the person who made the key; null for a person's own request. */
  readonly keyMadeBy: string | null
}
const SHOWN = selectionOf([
  'id',
  'body',
  'groupNames',
  'isExercise',
  'peopleCount',
  'needed',
  'price',
  'requestedBy',
  'requestedById',
  'requestedByKind',
  'keyMadeBy',
  'createTimestamp',
  'expireTimestamp',
  'state',
  'decidedBy',
  'decideTimestamp',
  'reason',
  'notificationId',
])

export async function insertApproval(db: OrgDb, row: ApprovalRow): Promise<void> {
  await db
    .insertInto('notification_approvals')
    .values({ ...valuesOf(row), body: json(row.body), price: row.price && json(row.price) })
    .execute()
}

/** @param isHeld locks it until the transaction ends, so that it is decided about once */
export const findApproval = (db: OrgDb, id: string, isHeld: boolean): Promise<ApprovalRow | undefined> =>
  db
    .selectFrom('notification_approvals')
    .select(SHOWN)
    .where('id', '=', id)
    .$if(isHeld, (query) => query.forUpdate())
    .executeTakeFirst()

/** A page, newest first; `waitingAt` leaves only those that wait at that time. */
export async function listApprovals(
  db: OrgDb,
  {
    waitingAt,
    offset,
    size,
  }: { readonly waitingAt: string | null; readonly offset: number; readonly size: number },
): Promise<{ rows: ApprovalRow[]; total: number }> {
  const found = db
    .selectFrom('notification_approvals')
    .$if(waitingAt !== null, (query) =>
      query.where('state', '=', 'WAITING').where('expire_timestamp', '>', waitingAt!),
    )
  const rows = await found
    .select(SHOWN)
    .orderBy('create_timestamp', 'desc')
    .orderBy('id')
    .limit(size)
    .offset(offset)
    .execute()
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { rows, total }
}

/** Stores the decision about one that waits. */
export async function updateDecided(
  db: OrgDb,
  id: string,
  decision: Pick<ApprovalRow, 'state' | 'decidedBy' | 'decideTimestamp' | 'reason' | 'notificationId'>,
): Promise<void> {
  await db.updateTable('notification_approvals').set(valuesOf(decision)).where('id', '=', id).execute()
}
