import { cut } from '#contract/kit/cut.ts'
import { CSV_FORMULA } from '#contract/kit/files.ts'
import { pick } from '#contract/kit/pick.ts'
import { CHANNEL_LABELS, takesAnswers } from '#contract/notification-questions/rules.ts'
import type { AskedQuestion, GivenAnswer } from '#contract/notification-questions/schema.ts'
import { messageInWords, OUTCOME_LABELS, TYPE_LABELS } from '#contract/mass-notifications/rules.ts'
import type {
  Delivery,
  IncidentNotification,
  NotificationDetail,
  NotificationType,
  PersonMessage,
  Recipient,
  RecipientMessage,
  SentNotification,
} from '#contract/mass-notifications/schema.ts'
import { countIncidentAnswers } from '#server/incidents/answers.store.ts'
import { findIsTargeted } from '#server/incidents/reading.store.ts'
import { clock, SECOND } from '#server/kit/core/clock.ts'
import { notFound } from '#server/kit/core/refusal.ts'
import { afterCommit, type OrgDb, unitOf } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import type { FileReply, Page } from '#server/kit/http/answers.ts'
import { listAttempts } from '#server/kit/messages/ledger.ts'
import { holdNotification, isSettled, type MessageState } from '#server/kit/messages/messages.ts'
import type { Services } from '#server/kit/services.ts'

import { countAnswered, countAnswers, listCounting } from './answers.store.ts'
import {
  countNotified,
  countReached,
  hasPerson,
  listMessagesTo,
  listTold,
  type ToldMessages,
  type ToldPerson,
} from './recipients.store.ts'
import { listReplies } from './replies.store.ts'
import {
  findCorrection,
  findNotification,
  forgetReached,
  type FoundNotification,
  listAbout,
  listDeliveries,
  listNotifications,
  type Reached,
  updateReached,
  updateSettled,
} from './store.ts'

/** Counts of a deleted notification. */
const NOBODY_REACHED: Reached = { sentCount: 0, reachedCount: 0, waitingCount: 0, notReachedCount: 0 }
/** Notifications with their counts, taken anew while messages wait and until a change of theirs is recounted. */
async function withCounts(db: OrgDb, found: readonly FoundNotification[]): Promise<SentNotification[]> {
  const open = found.filter(({ sentCount }) => sentCount === null).map(({ id }) => id)
  const asking = found.filter(({ question }) => question !== null).map(({ id }) => id)
  const [counted, answered] = await Promise.all([countReached(db, open), countAnswered(db, asking)])
  return found.map(({ sentCount, reachedCount, notReachedCount, ...one }) => {
    const reached =
      sentCount === null || notReachedCount === null
        ? (counted.get(one.id) ?? NOBODY_REACHED)
        : { sentCount, reachedCount, notReachedCount, waitingCount: 0 }
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
  { sentCount, waitingCount, notReachedCount }: Omit<Reached, 'reachedCount'>,
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
  const none = (type: Delivery['type']): Delivery => ({ type, sent: 0, delivered: 0, waiting: 0, failed: 0 })
  // Steps of an escalation may have further channels.
  const types = new Set([...found.types, ...counted.keys()])
  const deliveries = [...types].map((type) => counted.get(type) ?? none(type))
  const [sent] = await withCounts(db, [found])
  const result = found.question && (await countAnswers(db, id, found.question))
  const correctionId = await findCorrection(db, id)
  return { ...sent!, ...(await countNotified(db, id)), deliveries, correctionId, result }
}

/** The state of a message as it is shown: what the outbox keeps counts as sent. */
function shownState(state: MessageState): Exclude<RecipientMessage['state'], 'NOT_SENT'> {
  if (state === 'KEPT') return 'SENT'
  return state === 'QUEUED' || state === 'SENDING' ? 'WAITING' : state
}
/** Characters of a message about an incident that the incident shows. */
const BEGINNING = 200
/**
 * A page of the notifications about an incident, with the answers so far.
 * @throws Refusal 404 where the caller sees no such incident
 */
export async function notificationsAbout(
  db: OrgDb,
  incidentId: string,
  slice: Parameters<typeof listAbout>[2],
): Promise<{ data: IncidentNotification[]; total: number }> {
  if ((await findIsTargeted(db, incidentId)) === undefined) throw notFound('This incident')
  const { rows, total } = await listAbout(db, incidentId, slice)
  const counts = await countIncidentAnswers(
    db,
    rows.filter(({ question }) => question !== null).map(({ id }) => id),
  )
  const data = rows.map(({ question, askedCount, ...one }): IncidentNotification => {
    const { questionEndTimestamp: endTimestamp, questionClosedTimestamp: closedTimestamp } = one
    return {
      ...pick(one, ['id', 'title', 'level', 'notifiedCount', 'createTimestamp', 'createdBy']),
      message: cut(one.emailMessage ?? one.smsMessage ?? '', BEGINNING),
      question: question && {
        isOpen: takesAnswers({ endTimestamp: endTimestamp!, closedTimestamp }, clock.now()),
        askedCount,
        answers: question.answers.map((answer) => ({
          ...answer,
          count: counts.get(one.id)?.get(answer.label) ?? 0,
        })),
      },
    }
  })
  return { data, total }
}

/** The state of a recipient's message of one type. */
function messageTo(told: ToldMessages, type: NotificationType): RecipientMessage {
  const state = told[type]
  if (state !== null) {
    const shown = shownState(state)
    return {
      type,
      state: shown,
      problem: null,
      reason: shown === 'FAILED' || shown === 'WAITING' ? told[`reasonOf${type}`] : null,
      doneTimestamp: shown === 'WAITING' ? null : told[`timeOf${type}`],
    }
  }
  const none = { type, state: 'NOT_SENT', reason: null, doneTimestamp: null } as const
  const { email, phone, phoneProblem: problem } = told
  if (type === 'EMAIL') return { ...none, problem: email === null ? 'NO_EMAIL' : null }
  return { ...none, problem: problem ?? (phone === null ? 'NO_PHONE' : null) }
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

/**
 * The messages to a person of a notification with their attempts.
 * @throws Refusal 404
 */
export async function personMessages(db: OrgDb, id: string, person: number): Promise<PersonMessage[]> {
  if (!(await hasPerson(db, id, person))) throw notFound('This person')
  const messages = await listMessagesTo(db, id, person)
  const attempts = Map.groupBy(
    await listAttempts(
      db,
      messages.map(({ id }) => id),
    ),
    ({ messageId }) => messageId,
  )
  return messages.map(({ id, state, reason, ...rest }) => ({
    ...rest,
    state: shownState(state),
    reason: state === 'SENT' ? null : reason,
    attempts: attempts.get(id) ?? [],
  }))
}

const FILE_COLUMNS = ['Outcome', 'Name', 'Email', 'Phone Number', 'Contact lists', 'Group']
const ANSWER_COLUMNS = ['Answer', 'Note', 'Answered at', 'Answered by way of', 'Entered by', 'Reason']
/** Words by SMS that were no answer, a line each. */
const REPLIES_COLUMN = 'Wrote by SMS'
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
  const replies = asks ? await listReplies(db, id) : new Map<number, string[]>()
  const headings = [
    ...FILE_COLUMNS,
    ...found.types.flatMap((type) => [TYPE_LABELS[type], `${TYPE_LABELS[type]} at`]),
    ...(asks ? [...ANSWER_COLUMNS, REPLIES_COLUMN] : []),
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
      ...messagesTo({ ...one }).flatMap((message) => [messageInWords(message), message.doneTimestamp ?? '']),
      ...(asks ? [...answerCells(found, answers.get(person)), (replies.get(person) ?? []).join('\n')] : []),
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

/** Stores the counts of a notification once none of its messages waits, and records it the first time. */
export async function recordDelivered(db: OrgDb, id: string): Promise<void> {
  await storeReached(db, id)
  if (!(await updateSettled(db, id, clock.timestamp()))) return
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
async function storeReached(db: OrgDb, id: string): Promise<void> {
  const counts = (await countReached(db, [id])).get(id)
  if (counts?.waitingCount === 0) await updateReached(db, id, counts)
}

const RECOUNT = 'recount-notifications'
/** Pause before a recount, so that thousands of confirmations are counted a few times. */
const RECOUNT_AFTER = 5 * SECOND

/**
 * Forgets the counts of notifications that confirmations and answers change, until a job has stored them anew.
 * Call while holding a share of the notification, so that no recount misses the change.
 */
export async function recountLater(
  { jobs, hints }: Pick<Services, 'jobs' | 'hints'>,
  db: OrgDb,
  ids: readonly string[],
): Promise<void> {
  const { organisationId } = unitOf(db)
  const at = new Date(clock.now() + RECOUNT_AFTER).toISOString()
  const forgotten = await forgetReached(db, ids)
  if (forgotten.length > 0) await jobs.enqueueAt(db, RECOUNT, at, ...forgotten.map((id) => ({ id })))
  afterCommit(db, () => {
    for (const record of ids) hints.changed({ organisationId, noun: 'mass-notifications', record })
  })
}

/** Registers the job that stores the counts of notifications anew. */
export function recountNotifications({ jobs, database }: Pick<Services, 'jobs' | 'database'>): void {
  const actor = () => ({ kind: 'system', id: null, name: 'messages' }) as const
  jobs.handle<{ id: string }>(RECOUNT, ({ organisationId, data: { id } }) =>
    database.withOrganisation({ organisationId, actor }, async (db) => {
      await holdNotification(db, id)
      if (await isSettled(db, id)) await storeReached(db, id)
    }),
  )
}
