import type { OrgDb } from '../database/db.ts'
import { confirm, type Confirmation } from './ledger.ts'
import { holdNotification, isSettled, type Settled, shareNotification } from './messages.ts'

export interface ConfirmationHooks {
  /** Called in the transaction in which the last message of a notification comes to an end. */
  readonly settled?: Settled
  /** Called in the transaction that changes messages of notifications, which it holds a share of. */
  readonly confirmed?: (db: OrgDb, notificationIds: readonly string[]) => Promise<void>
}

/** Takes reports of carriers about messages of one organisation. Returns the number of messages that have changed. */
export async function takeConfirmations(
  db: OrgDb,
  { settled, confirmed }: ConfirmationHooks,
  reports: readonly Confirmation[],
): Promise<number> {
  const ids = [...new Set(reports.map(({ messageId }) => messageId))]
  if (ids.length === 0) return 0
  const messages = await db
    .selectFrom('messages')
    .select(['notification_id', 'state'])
    .where('id', 'in', ids)
    .where('notification_id', 'is not', null)
    .orderBy('notification_id')
    .execute()
  const waits = new Map<string, boolean>()
  for (const { notification_id: id, state } of messages)
    waits.set(id!, (waits.get(id!) ?? false) || state === 'QUEUED' || state === 'SENDING')
  // In the order of ids, so that two transactions never wait for each other.
  for (const [id, isWaiting] of waits)
    await (isWaiting ? holdNotification(db, id) : shareNotification(db, id))

  const changed = await confirm(db, reports)
  const concerned = [...new Set(changed.flatMap(({ notificationId }) => notificationId ?? []))]
  if (concerned.length > 0) await confirmed?.(db, concerned)
  for (const id of concerned)
    if (settled && waits.get(id) === true && (await isSettled(db, id))) await settled(db, id)
  return changed.length
}
