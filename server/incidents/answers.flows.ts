import type { HelpCalls } from '#contract/incidents/schema.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { notFound } from '#server/kit/core/refusal.ts'

import {
  countHelpCalls,
  findAnswering,
  type IncidentAnswer,
  listHelpCalls,
  replaceAnswer,
} from './answers.store.ts'
import { findIsTargeted } from './reading.store.ts'
import { holdIncident, insertCheckIn } from './store.ts'

/** An answer as it was given. */
export interface Answered extends Omit<IncidentAnswer, 'userId'> {
  readonly email: string | null
  /** The reason to believe an answer that was entered on behalf of the person; null for their own. */
  readonly reason: string | null
}

/** Records only answers that somebody has to act on, or that somebody with an account entered (decision 106). */
function recordAnswer(db: OrgDb, answer: IncidentAnswer, reason: string | null, needed: boolean): void {
  const needs = answer.tone === 'ATTENTION'
  if (!needs && !needed && reason === null) return
  const told = {
    person: answer.name,
    answer: answer.label,
    note: answer.note,
    ...(reason !== null && { reason }),
  }
  record(db, {
    noun: 'incident-answers',
    record: answer.userId ?? answer.notificationId,
    parent: answer.incidentId,
    verb: needs ? 'called for help' : needed ? 'needs no more help' : 'answered on behalf',
    changes: Object.fromEntries(Object.entries(told).map(([field, to]) => [field, { from: null, to }])),
    at: answer.createTimestamp,
  })
}

/**
 * Takes the answer to a question of a notification about an incident. One that calls for help stands until the person
 * answers otherwise; every other one checks a person with an account in.
 */
export async function takeIncidentAnswer(db: OrgDb, { email, reason, ...given }: Answered): Promise<void> {
  const { incidentId, createTimestamp: timestamp } = given
  await holdIncident(db, incidentId, 'read')
  const user = await findAnswering(db, incidentId, email)
  const answer: IncidentAnswer = { ...given, userId: user?.id ?? null }
  const before = await replaceAnswer(db, answer)
  if (user?.mayCheckIn && answer.tone !== 'ATTENTION')
    await insertCheckIn(db, { incidentId, userId: user.id, timestamp })
  recordAnswer(db, answer, reason, before === 'ATTENTION')
}

/**
 * A page of the people who call for help.
 * @throws Refusal 404 where the caller sees no such incident
 */
export async function helpCalls(
  db: OrgDb,
  id: string,
  slice: { readonly offset: number; readonly size: number },
): Promise<HelpCalls> {
  if ((await findIsTargeted(db, id)) === undefined) throw notFound('This incident')
  const [data, total] = await Promise.all([listHelpCalls(db, id, slice), countHelpCalls(db, id)])
  return { data, total }
}
