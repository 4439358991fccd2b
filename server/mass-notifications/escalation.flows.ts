import { dueAt, plannedStep } from '#contract/notification-escalations/rules.ts'
import type { Escalation, EscalationPlan } from '#contract/notification-escalations/schema.ts'
import type { AnswerTone } from '#contract/notification-questions/schema.ts'
import { clock, MINUTE } from '#server/kit/core/clock.ts'
import { notFound, Refusal } from '#server/kit/core/refusal.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import {
  countUnanswered,
  type EscalationEnd,
  type EscalationRow,
  findEscalation,
  findLastPlace,
  holdEscalation,
  insertEscalation,
  listSteps,
  updateEnded,
  updateNext,
} from './escalation.store.ts'
import { findNotification } from './store.ts'

const NO_ESCALATION = 'This notification has no escalation.'
const NOTIFICATION = 'This notification'

/** Queue of the steps that are due. */
export const ESCALATIONS = 'escalations'
/** Data of the job of a step. A step that is not the next one is done already. */
export interface DueStep {
  readonly id: string
  readonly number: number
}
const isoOf = (at: number): string => new Date(at).toISOString()

/** The escalation of a notification. */
export interface Escalating {
  readonly notificationId: string
  readonly at: number
  readonly plan: EscalationPlan | null
  /** Minutes after which the next member of a group is asked, and those who follow; null unless in order. */
  readonly order: { readonly minutes: number; readonly queue: readonly string[] } | null
}
/** Begins the escalation of a notification that is sent, if it has one. */
export async function beginEscalation(
  { jobs }: { readonly jobs: Pick<Services['jobs'], 'enqueueAt'> },
  db: OrgDb,
  { notificationId, at, plan, order }: Escalating,
): Promise<void> {
  const first = plan && plannedStep(plan, 0)
  const next = order ? at + order.minutes * MINUTE : first && dueAt(at, first)
  if (next === null || next === undefined) return
  const row = { notificationId, startTimestamp: isoOf(at), nextTimestamp: isoOf(next) }
  await insertEscalation(db, { ...row, queue: [...(order?.queue ?? [])] })
  if (order?.queue.length === 0)
    await updateEnded(db, notificationId, { ended: 'DONE', by: null, at: isoOf(at) })
  else await jobs.enqueueAt(db, ESCALATIONS, row.nextTimestamp, { id: notificationId, number: 0 })
}

/**
 * Ends an escalation that goes on. Call before other changes of the notification. Returns false where there is none.
 */
export async function endEscalation(
  db: OrgDb,
  id: string,
  ended: EscalationEnd,
  by: string | null = null,
): Promise<boolean> {
  const row = await holdEscalation(db, id)
  return row !== undefined && updateEnded(db, id, { ended, by, at: clock.timestamp() })
}

/**
 * Follows an answer: the escalation ends with the last one. Of a group that is asked in order, a good answer ends it, and
 * another one asks the next member at once. While a step is taken, that step sees the answer itself.
 */
export async function followAnswer(
  { jobs }: Pick<Services, 'jobs'>,
  db: OrgDb,
  id: string,
  { person, tone }: { readonly person: number; readonly tone: AnswerTone },
): Promise<void> {
  const row = await holdEscalation(db, id, false)
  if (!row || row.ended !== null) return
  const found = await findNotification(db, id, false)
  const now = clock.timestamp()
  const isOver = found?.inOrderMinutes === null ? (await countUnanswered(db, id)) === 0 : tone === 'GOOD'
  if (isOver) {
    await updateEnded(db, id, { ended: 'ANSWERED', by: null, at: now })
    return
  }
  const isNewest = (await findLastPlace(db, id)) === person
  if (found?.inOrderMinutes === null || row.queue.length === 0 || !isNewest) return
  await updateNext(db, id, { nextTimestamp: now })
  await jobs.enqueueAt(db, ESCALATIONS, now, { id, number: row.number } satisfies DueStep)
}

/**
 * Stops an escalation. Stopping one that has ended changes nothing.
 * @throws Refusal 404, 409 where there is none
 */
export async function stopEscalation(db: OrgDb, by: Pick<Caller, 'name'>, id: string): Promise<void> {
  const found = await findNotification(db, id, false)
  if (!found) throw notFound(NOTIFICATION)
  if (!(await findEscalation(db, id))) throw new Refusal(409, NO_ESCALATION)
  if (!(await endEscalation(db, id, 'STOPPED', by.name))) return
  record(db, {
    noun: 'mass-notifications',
    record: id,
    parent: found.incidentId,
    verb: 'escalation stopped',
    changes: { title: { from: null, to: found.title ?? found.smsMessage } },
  })
}

type Found = NonNullable<Awaited<ReturnType<typeof findNotification>>>
/** The next step; null for an escalation that has ended. */
async function nextOf(db: OrgDb, found: Found, row: EscalationRow): Promise<Escalation['next']> {
  if (row.nextTimestamp === null) return null
  const at = row.nextTimestamp
  if (found.inOrderMinutes !== null)
    return { at, round: 1, asked: 'NEXT', types: found.types, people: Math.min(1, row.queue.length) }
  const step = found.escalation && plannedStep(found.escalation, row.number)
  if (!step) return null
  return {
    at,
    round: step.round,
    asked: step.to,
    types: [step.by],
    people: await countUnanswered(db, found.id),
  }
}

/**
 * The escalation of a notification with what comes next and what was done; null for one without.
 * @throws Refusal 404
 */
export async function openEscalation(db: OrgDb, id: string): Promise<Escalation | null> {
  const found = await findNotification(db, id, false)
  if (!found) throw notFound(NOTIFICATION)
  const row = await findEscalation(db, id)
  if (!row) return null
  const { ended, endedBy, endedTimestamp } = row
  return {
    notificationId: id,
    next: await nextOf(db, found, row),
    ended,
    endedBy,
    endedTimestamp,
    steps: await listSteps(db, id),
  }
}
