import { keysLine, readReply, takesAnswers } from '#contract/notification-questions/rules.ts'
import { isStart, isStop } from '#contract/suppressions/rules.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb, ProviderDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { startSms, stopSms } from '#server/kit/messages/suppressions.ts'
import type { InboundSms } from '#server/kit/messages/messages.ts'
import type { SpokenReply } from '#server/kit/messages/twilio-callbacks.ts'
import { inWords, wordsOf } from '#server/kit/messages/words.ts'
import type { Services } from '#server/kit/services.ts'

import { answeredByPerson, isAnsweredByPerson, type OwnAnswer, storeOwnAnswer } from './answers.flows.ts'
import { type AskedPerson, findAsked } from './answers.store.ts'
import {
  findCall,
  findRepliedQuestion,
  insertInbound,
  markAnswer,
  type RepliedQuestion,
} from './replies.store.ts'
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
    const found = await findRepliedQuestion(
      db,
      { ...reply, now },
      { ours: settings.twilio?.from ?? null, isAny: settings.carriers !== null },
    )
    if (!(await insertInbound(db, reply, found, now))) return undefined
    const isKnown = (await subscribe(db, reply, settings.twilio?.from ?? null)) > 0
    if (!found) {
      if (isKnown) return undefined
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

/** Ends or begins SMS to a number that has written STOP or START. Returns the number of organisations that had sent any. */
async function subscribe(db: ProviderDb, reply: InboundSms, ours: string | null): Promise<number> {
  if (isStop(reply.text)) return stopSms(db, reply, ours)
  return isStart(reply.text) ? startSms(db, reply, ours) : 0
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
    isAnswer = (await answerByTelephone(services, db, asked, { channel: 'SMS', ...read }, person)) || isAnswer
  }
  return isAnswer
}

/** Stores an answer by telephone. One that repeats what counts is not stored again. Returns false beyond the limit. */
async function answerByTelephone(
  { attempts, jobs, hints }: Pick<Parts, 'attempts' | 'jobs' | 'hints'>,
  db: OrgDb,
  asked: AskedPerson,
  own: OwnAnswer,
  place: number,
): Promise<boolean> {
  const { notificationId, given } = asked
  const { channel, answer, note } = own
  if (isAnsweredByPerson(asked)) return true
  if (
    given?.channel === (asked.deputy === null ? channel : 'ON_BEHALF') &&
    given.answer === answer &&
    given.note === note
  )
    return true
  if (await attempts.takeAnswer(db, `${notificationId} ${place}`)) return false
  await storeOwnAnswer({ jobs, hints }, db, asked, own)
  return true
}

/** A key that was pressed in a call. */
export interface PressedKey {
  readonly organisationId: string
  readonly messageId: string
  readonly key: string
}
/** Takes a key of a call as the person's answer, and returns what the call says. Null for an unknown call. */
export async function takeKey(
  services: Parts,
  { organisationId, messageId, key }: PressedKey,
): Promise<SpokenReply | null> {
  const actor = () => ACTOR
  const taken = await services.database.withOrganisation({ organisationId, actor }, async (db) => {
    const call = await findCall(db, messageId)
    const asked = call && (await findAsked(db, call, call.person, true))
    if (!asked) return null
    const { language } = call
    const { words } = wordsOf(language ?? '')
    const said = (text: string, isAgain = false) => ({ text, language, isAgain })
    if (!takesAnswers(asked, clock.now())) return { ...call, ...said(words.over) }
    const index = /^[1-9]$/.test(key) ? Number(key) - 1 : -1
    const answer = asked.question.answers[index]
    if (!answer) return { ...call, ...said(`${words.noSuchKey} ${keysLine(asked.question, words)}`, true) }
    if (isAnsweredByPerson(asked)) return { ...call, ...said(answeredByPerson(asked)) }
    const own = { channel: 'VOICE_CALL', answer: index, note: '' } as const
    const isTaken = await answerByTelephone(services, db, asked, own, call.person)
    return { ...call, ...said(isTaken ? inWords(words.thanks, { answer: answer.label }) : words.tooManyKeys) }
  })
  if (!taken) return null
  const { text, language, isAgain, notificationId: record } = taken
  if (!isAgain) services.hints.changed({ organisationId, noun: 'mass-notifications', record })
  return { text, language, isAgain }
}
