import { CSV_FORMULA } from '#contract/kit/files.ts'
import { messageInWords, OUTCOME_LABELS, TYPE_LABELS } from '#contract/mass-notifications/rules.ts'
import type {
  Delivery,
  NotificationDetail,
  NotificationType,
  Recipient,
  RecipientMessage,
  SentNotification,
} from '#contract/mass-notifications/schema.ts'
import { notFound } from '#server/kit/core/refusal.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import type { FileReply, Page } from '#server/kit/http/answers.ts'

import {
  countNotified,
  countReached,
  findNotification,
  type FoundNotification,
  listDeliveries,
  listNotifications,
  listTold,
  type Reached,
  type ToldPerson,
  updateReached,
} from './store.ts'

/** Counts of a deleted notification. */
const NOBODY_REACHED: Reached = { sentCount: 0, waitingCount: 0, notReachedCount: 0 }
/** Notifications with their counts, recomputed while messages wait. */
async function withCounts(db: OrgDb, found: readonly FoundNotification[]): Promise<SentNotification[]> {
  const open = found.filter(({ sentCount }) => sentCount === null).map(({ id }) => id)
  const counted = await countReached(db, open)
  return found.map(({ sentCount, notReachedCount, ...one }) =>
    sentCount === null || notReachedCount === null
      ? { ...one, ...(counted.get(one.id) ?? NOBODY_REACHED) }
      : { ...one, sentCount, notReachedCount, waitingCount: 0 },
  )
}

/** Sent notifications, a page or all of them, with their counts. */
export async function sentNotifications(
  db: OrgDb,
  query: Parameters<typeof listNotifications>[1],
): Promise<Page<SentNotification>> {
  const { rows, total } = await listNotifications(db, query)
  return { rows: await withCounts(db, rows), total }
}

/**
 * One sent notification with the progress of its messages.
 * @param withPeople includes all recipients
 * @throws Refusal 404 where there is none
 */
export async function openNotification(
  db: OrgDb,
  id: string,
  withPeople: boolean,
): Promise<NotificationDetail> {
  const found = await findNotification(db, id, withPeople)
  if (!found) throw notFound('This notification')
  const counted = new Map((await listDeliveries(db, id)).map((delivery) => [delivery.type, delivery]))
  const none = (type: Delivery['type']): Delivery => ({ type, sent: 0, waiting: 0, failed: 0 })
  const deliveries = found.types.map((type) => counted.get(type) ?? none(type))
  const [sent] = await withCounts(db, [found])
  return { ...sent!, ...(await countNotified(db, id)), deliveries }
}

/** The state of a recipient's message of one type. */
function messageTo(told: ToldPerson, type: NotificationType): RecipientMessage {
  const state = told[type]
  const said = { type, problem: null, reason: null }
  if (state === 'SENT' || state === 'KEPT') return { ...said, state: 'SENT' }
  if (state === 'FAILED') return { ...said, state, reason: told[`reasonOf${type}`] }
  if (state !== null) return { ...said, state: 'WAITING', reason: told[`reasonOf${type}`] }
  const { email, phone, phoneProblem: problem } = told
  if (type === 'EMAIL') return { ...said, state: 'NOT_SENT', problem: email === null ? 'NO_EMAIL' : null }
  return { ...said, state: 'NOT_SENT', problem: problem ?? (phone === null ? 'NO_PHONE' : null) }
}
const recipientOf = (told: ToldPerson): Recipient => ({
  ...told,
  messages: told.types.map((type) => messageTo(told, type)),
})

/** Recipients of a notification with the states of their messages. */
export async function notificationRecipients(
  db: OrgDb,
  id: string,
  query: Parameters<typeof listTold>[2],
): Promise<Page<Recipient>> {
  if (!(await findNotification(db, id, false))) throw notFound('This notification')
  const rows = await listTold(db, id, query)
  const [first] =
    rows.length > 0 || !query.range?.[0] ? rows : await listTold(db, id, { ...query, range: undefined })
  return { rows: rows.map(recipientOf), total: first?.total ?? 0 }
}

const FILE_COLUMNS = ['Outcome', 'Name', 'Email', 'Phone Number', 'Contact lists', 'Group']
/** The recipients of a notification as a CSV file, those first to whom nothing was sent. */
export async function recipientsFile(db: OrgDb, id: string): Promise<FileReply> {
  const found = await findNotification(db, id, false)
  if (!found) throw notFound('This notification')
  const { default: Papa } = await import('papaparse')
  const recipients = (await listTold(db, id, {})).map(recipientOf)
  const headings = [...FILE_COLUMNS, ...found.types.map((type) => TYPE_LABELS[type])]
  const rows = recipients.map(({ outcome, name, email, phone, lists, shqGroupName, messages }) => [
    OUTCOME_LABELS[outcome],
    name,
    email ?? '',
    phone ?? '',
    lists.join('; '),
    shqGroupName ?? '',
    ...messages.map(messageInWords),
  ])
  // The byte order mark makes spreadsheets read UTF-8.
  const csv = `\uFEFF${Papa.unparse([headings, ...rows], { escapeFormulae: CSV_FORMULA })}\r\n`
  return {
    name: `notification-${found.createTimestamp.slice(0, 10)}.csv`,
    type: 'text/csv; charset=utf-8',
    body: () => Promise.resolve(Buffer.from(csv)),
  }
}

/** Stores the final counts of a notification once none of its messages waits. */
export async function recordDelivered(db: OrgDb, id: string): Promise<void> {
  const counts = (await countReached(db, [id])).get(id)
  if (counts) await updateReached(db, id, counts)
  const deliveries = await listDeliveries(db, id)
  const told = { sent: 0, failed: 0 }
  for (const { sent, failed } of deliveries) {
    told.sent += sent
    told.failed += failed
  }
  record(db, {
    noun: 'mass-notifications',
    record: id,
    verb: 'delivered',
    changes: { sent: { from: null, to: told.sent }, failed: { from: null, to: told.failed } },
  })
}
