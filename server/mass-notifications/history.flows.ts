import { CSV_FORMULA } from '#contract/kit/files.ts'
import { CHANNEL_LABELS, takesAnswers } from '#contract/notification-questions/rules.ts'
import type { AskedQuestion, GivenAnswer } from '#contract/notification-questions/schema.ts'
import { messageInWords, OUTCOME_LABELS, TYPE_LABELS } from '#contract/mass-notifications/rules.ts'
import type {
  Delivery,
  NotificationDetail,
  NotificationType,
  Recipient,
  RecipientMessage,
  SentNotification,
} from '#contract/mass-notifications/schema.ts'
import { clock } from '#server/kit/core/clock.ts'
import { notFound } from '#server/kit/core/refusal.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import type { FileReply, Page } from '#server/kit/http/answers.ts'

import { countAnswered, countAnswers, listCounting } from './answers.store.ts'
import {
  countNotified,
  countReached,
  listTold,
  type ToldMessages,
  type ToldPerson,
} from './recipients.store.ts'
import {
  findNotification,
  type FoundNotification,
  listDeliveries,
  listNotifications,
  type Reached,
  updateReached,
} from './store.ts'

/** Counts of a deleted notification. */
const NOBODY_REACHED: Reached = { sentCount: 0, waitingCount: 0, notReachedCount: 0 }
/** Notifications with their counts, recomputed while messages wait. */
async function withCounts(db: OrgDb, found: readonly FoundNotification[]): Promise<SentNotification[]> {
  const open = found.filter(({ sentCount }) => sentCount === null).map(({ id }) => id)
  const asking = found.filter(({ question }) => question !== null).map(({ id }) => id)
  const [counted, answered] = await Promise.all([countReached(db, open), countAnswered(db, asking)])
  return found.map(({ sentCount, notReachedCount, ...one }) => {
    const reached =
      sentCount === null || notReachedCount === null
        ? (counted.get(one.id) ?? NOBODY_REACHED)
        : { sentCount, notReachedCount, waitingCount: 0 }
    return { ...one, ...reached, question: askedOf(one, reached, answered.get(one.id) ?? 0) }
  })
}

type QuestionColumns = Pick<
  FoundNotification,
  'question' | 'questionEndTimestamp' | 'questionClosedTimestamp' | 'questionClosedBy'
>
/** The question of a notification with its progress; null for none. */
export function askedOf(
  { question, questionEndTimestamp, questionClosedTimestamp, questionClosedBy }: QuestionColumns,
  { sentCount, waitingCount, notReachedCount }: Reached,
  answeredCount: number,
): AskedQuestion | null {
  if (question === null || questionEndTimestamp === null) return null
  const times = { endTimestamp: questionEndTimestamp, closedTimestamp: questionClosedTimestamp }
  return {
    ...question,
    ...times,
    closedBy: questionClosedBy,
    isOpen: takesAnswers(times, clock.now()),
    askedCount: sentCount + waitingCount + notReachedCount,
    answeredCount,
  }
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
  const result = found.question && (await countAnswers(db, id, found.question))
  return { ...sent!, ...(await countNotified(db, id)), deliveries, result }
}

/** The state of a recipient's message of one type. */
function messageTo(told: ToldMessages, type: NotificationType): RecipientMessage {
  const state = told[type]
  const said = { type, problem: null, reason: null }
  if (state === 'SENT' || state === 'KEPT') return { ...said, state: 'SENT' }
  if (state === 'FAILED') return { ...said, state, reason: told[`reasonOf${type}`] }
  if (state !== null) return { ...said, state: 'WAITING', reason: told[`reasonOf${type}`] }
  const { email, phone, phoneProblem: problem } = told
  if (type === 'EMAIL') return { ...said, state: 'NOT_SENT', problem: email === null ? 'NO_EMAIL' : null }
  return { ...said, state: 'NOT_SENT', problem: problem ?? (phone === null ? 'NO_PHONE' : null) }
}
/** The states of a recipient's messages. */
export const messagesTo = (told: ToldMessages): RecipientMessage[] =>
  told.types.map((type) => messageTo(told, type))
const recipientOf = (told: ToldPerson): Recipient => ({ ...told, messages: messagesTo(told) })

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
const ANSWER_COLUMNS = ['Answer', 'Note', 'Answered at', 'Answered by way of', 'Entered by', 'Reason']
/** Cells of the answer that counts. */
const answerCells = ({ question }: FoundNotification, given: GivenAnswer | undefined): string[] =>
  given
    ? [
        question?.answers[given.answer]?.label ?? '',
        given.note,
        given.createTimestamp,
        CHANNEL_LABELS[given.channel],
        given.answeredBy ?? '',
        given.reason ?? '',
      ]
    : ANSWER_COLUMNS.map(() => '')
/** The recipients of a notification as a CSV file, those first to whom nothing was sent. */
export async function recipientsFile(db: OrgDb, id: string): Promise<FileReply> {
  const found = await findNotification(db, id, false)
  if (!found) throw notFound('This notification')
  const { default: Papa } = await import('papaparse')
  const told = await listTold(db, id, {})
  const asks = found.question !== null
  const answers = asks ? await listCounting(db, id) : new Map<number, GivenAnswer>()
  const headings = [
    ...FILE_COLUMNS,
    ...found.types.map((type) => TYPE_LABELS[type]),
    ...(asks ? ANSWER_COLUMNS : []),
  ]
  const rows = told.map(({ person, ...one }) => {
    const { outcome, name, email, phone, lists, shqGroupName } = one
    return [
      OUTCOME_LABELS[outcome],
      name,
      email ?? '',
      phone ?? '',
      lists.join('; '),
      shqGroupName ?? '',
      ...messagesTo({ ...one }).map(messageInWords),
      ...(asks ? answerCells(found, answers.get(person)) : []),
    ]
  })
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
