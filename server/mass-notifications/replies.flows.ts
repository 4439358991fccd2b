import { readReply, takesAnswers } from '#contract/notification-questions/rules.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { type InboundSms, shareNotification } from '#server/kit/messages/messages.ts'
import type { Services } from '#server/kit/services.ts'

import { type AskedPerson, findAsked, insertAnswer } from './answers.store.ts'
import { recountLater } from './history.flows.ts'
import { findRepliedQuestion, insertInbound, markAnswer, type RepliedQuestion } from './replies.store.ts'
import { findNotification } from './store.ts'

/** True while the question of a notification takes answers. */
export async function isQuestionOpen(db: OrgDb, notificationId: string): Promise<boolean> {
  const found = await findNotification(db, notificationId, false)
  if (!found?.question || found.questionEndTimestamp === null) return false
  const { questionEndTimestamp: endTimestamp, questionClosedTimestamp: closedTimestamp } = found
  return takesAnswers({ endTimestamp, closedTimestamp }, clock.now())
}

const TEXT_MAX = 1_600
const ACTOR = { kind: 'system', id: null, name: 'telephone' } as const

type Parts = Pick<Services, 'database' | 'attempts' | 'jobs' | 'hints' | 'settings'>

/**
 * Takes an SMS that came in, once: as the answer of its number's newest open question, otherwise as a note of that
 * person. One from an unknown number is kept for the provider.
 */
export async function takeReply(services: Parts, { text, ...rest }: InboundSms): Promise<void> {
  const reply = { ...rest, text: text.replaceAll('\u0000', '').slice(0, TEXT_MAX) }
  const now = clock.timestamp()
  const { database, settings, hints } = services
  const question = await database.withProvider(ACTOR, async (db) => {
    const found = await findRepliedQuestion(db, { ...reply, now }, settings.twilio?.from ?? null)
    if (!(await insertInbound(db, reply, found, now))) return undefined
    if (!found) {
      record(db, {
        noun: 'replies',
        record: crypto.randomUUID(),
        verb: 'unknown number',
        // The stream never has an address.
        changes: {
          number: { from: null, to: `…${reply.from.slice(-4)}` },
          text: { from: null, to: reply.text },
        },
      })
      return undefined
    }
    const isAnswer = await database.enterOrganisation(db, found.organisationId, (inner) =>
      answerBySms(services, inner, found, reply.text),
    )
    if (isAnswer) await markAnswer(db, reply)
    return found
  })
  if (question)
    hints.changed({
      organisationId: question.organisationId,
      noun: 'mass-notifications',
      record: question.notificationId,
    })
}

/**
 * Answers for the people of a number. Of several people who share one an SMS cannot tell who writes: a call for attention
 * counts for all of them, another answer for nobody.
 */
async function answerBySms(
  services: Parts,
  db: OrgDb,
  { notificationId, people }: RepliedQuestion,
  text: string,
): Promise<boolean> {
  let isAnswer = false
  for (const person of people) {
    const asked = await findAsked(db, { notificationId }, person, true)
    if (!asked || !takesAnswers(asked, clock.now())) continue
    const read = readReply(asked.question, text)
    if (!read) continue
    if (people.length > 1 && asked.question.answers[read.answer]?.tone !== 'ATTENTION') continue
    isAnswer = (await answerByTelephone(services, db, asked, { person, channel: 'SMS', ...read })) || isAnswer
  }
  return isAnswer
}

/** An answer by telephone. */
export interface TelephoneAnswer {
  readonly person: number
  readonly channel: 'SMS' | 'VOICE_CALL'
  readonly answer: number
  readonly note: string
}
/** Stores an answer by telephone. One that repeats what counts is not stored again. Returns false beyond the limit. */
export async function answerByTelephone(
  { attempts, jobs, hints }: Pick<Parts, 'attempts' | 'jobs' | 'hints'>,
  db: OrgDb,
  { notificationId, given }: AskedPerson,
  { person, channel, answer, note }: TelephoneAnswer,
): Promise<boolean> {
  if (given?.channel === channel && given.answer === answer && given.note === note) return true
  if (await attempts.takeAnswer(db, `${notificationId} ${person}`)) return false
  await shareNotification(db, notificationId)
  await insertAnswer(db, {
    notificationId,
    person,
    answer,
    note,
    channel,
    answeredBy: null,
    reason: null,
    createTimestamp: clock.timestamp(),
  })
  if (given === null || given.channel === 'ON_BEHALF')
    await recountLater({ jobs, hints }, db, [notificationId])
  return true
}
