import type { AnswerOnBehalf, Respondent } from '#contract/mass-notifications/schema.ts'
import { CHANNEL_LABELS, takesAnswers } from '#contract/notification-questions/rules.ts'
import {
  ANSWER_REQUIRED,
  type GivenAnswer,
  NO_QUESTION,
  NO_SUCH_ANSWER,
  NOTE_MAX,
  NOTE_TOO_LONG,
  QUESTION_OVER,
} from '#contract/notification-questions/schema.ts'
import { clock } from '#server/kit/core/clock.ts'
import { demand, notFound, Refusal, wrongField } from '#server/kit/core/refusal.ts'
import { takeIncidentAnswer } from '#server/incidents/answers.flows.ts'
import { afterCommit, type OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import type { Page } from '#server/kit/http/answers.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import { cancelWaiting, shareNotification } from '#server/kit/messages/messages.ts'
import { placeText, SIGNATURE_LENGTH } from '#server/kit/messages/own-links.ts'
import { sameText } from '#server/kit/security/secrets.ts'
import type { Services } from '#server/kit/services.ts'

import {
  type AskedPerson,
  findAsked,
  findOrganisationId,
  findOrganisationNumber,
  insertAnswer,
  listRespondents,
  type NewAnswer,
} from './answers.store.ts'
import { endEscalation, followAnswer } from './escalation.flows.ts'
import { messagesTo, recordDelivered, recountLater } from './history.flows.ts'
import { findNotification, updateClosed } from './store.ts'

const NO_SUCH_PERSON = 'This person was not asked.'

/** Path of the answer page. */
export const ANSWER_PATH = '/answer'
const INTEGER_MAX = 2_147_483_647
/** Numbers of the organisation, the question and the person in base 36, and the signature. */
const TOKEN = new RegExp(`^([0-9a-z]{1,6})-([0-9a-z]{1,6})-([0-9a-z]{1,4})-([0-9a-z]{${SIGNATURE_LENGTH}})$`)

/** Beginning of the links to a question, without the recipient's part. */
export async function answerPrefix(
  { publicUrl }: Pick<Services, 'publicUrl'>,
  db: OrgDb,
  questionNumber: number,
): Promise<string> {
  const organisation = placeText(await findOrganisationNumber(db))
  return `${publicUrl()}${ANSWER_PATH}/${organisation}-${placeText(questionNumber)}`
}

/** A link like those of the next question, and as long as the longest of a thousand recipients. */
export const sampleLink = async (services: Pick<Services, 'publicUrl'>, db: OrgDb, questions: number) =>
  longestLink(await answerPrefix(services, db, questions + 1))
export const longestLink = (prefix: string): string => `${prefix}-rr-${'0'.repeat(SIGNATURE_LENGTH)}`

/** The parts of a token; null for one that cannot be ours. */
function readToken(token: string) {
  const match = TOKEN.exec(token.toLowerCase())
  if (!match) return null
  const [organisation, questionNumber, person] = match.slice(1, 4).map((part) => Number.parseInt(part, 36))
  if (organisation! > INTEGER_MAX || questionNumber! > INTEGER_MAX) return null
  return {
    organisation: organisation!,
    questionNumber: questionNumber!,
    person: person!,
    signature: match[4]!,
  }
}

/**
 * Runs `work` with the question of a link, in its organisation. Returns null for a link that does not exist, and in a
 * suspended or deleted organisation.
 */
async function withLink<T>(
  { database, ownLinks }: Services,
  token: string,
  isHeld: boolean,
  work: (db: OrgDb, asked: AskedPerson, place: number) => Promise<T>,
): Promise<T | null> {
  const parts = readToken(token)
  const organisationId = parts && (await findOrganisationId(database, parts.organisation))
  if (!parts || organisationId === undefined) return null
  const actor = () => ({ kind: 'link', id: null, name: 'answer' }) as const
  return database.withOrganisation({ organisationId: organisationId!, actor }, async (db) => {
    const { questionNumber, person, signature } = parts
    const asked = await findAsked(db, { questionNumber }, person, isHeld)
    const right = asked && ownLinks.signature(organisationId!, asked.notificationId, person)
    if (!asked || !sameText(right!, signature)) return null
    return work(db, asked, person)
  })
}

/** The question of a link; null for a link that does not exist. */
export const openAsked = (services: Services, token: string): Promise<AskedPerson | null> =>
  withLink(services, token, false, async (_, asked) => asked)

/** An answer as a form sends it. */
export interface SentAnswer {
  readonly answer: number | null
  readonly note: string
}

/** @throws Refusal 400 for an answer that the question lacks */
function demandAnswer({ question }: AskedPerson, answer: number | null): number {
  if (answer === null) throw wrongField('answer', ANSWER_REQUIRED)
  if (!Number.isInteger(answer) || !question.answers[answer]) throw wrongField('answer', NO_SUCH_ANSWER)
  return answer
}

/** Stores an answer, which counts from now on, also in the incident that the question is about. */
async function storeAnswer(
  { hints, jobs }: Pick<Services, 'hints' | 'jobs'>,
  db: OrgDb,
  asked: AskedPerson,
  given: NewAnswer,
): Promise<void> {
  const { incidentId, organisationId, question, email } = asked
  await insertAnswer(db, given)
  await followAnswer({ jobs }, db, given.notificationId, {
    person: given.person,
    tone: question.answers[given.answer]!.tone,
  })
  if (incidentId === null) return
  const { notificationId, person, note, reason, createTimestamp } = given
  const { label, tone } = question.answers[given.answer]!
  await takeIncidentAnswer(db, {
    incidentId,
    notificationId,
    person,
    name: nameOf(asked),
    email,
    label,
    tone,
    note,
    reason,
    createTimestamp,
  })
  afterCommit(db, () => hints.changed({ organisationId, noun: 'incident-answers', record: incidentId }))
}

/** An answer of the person who was asked, or of their deputy. */
export interface OwnAnswer {
  readonly answer: number
  readonly note: string
  readonly channel: 'LINK' | 'SMS' | 'VOICE_CALL'
}
/** The person's name, or their address. */
const nameOf = ({ name, email }: Pick<AskedPerson, 'name' | 'email'>): string => name || (email ?? '')
/** True for a deputy once the person has answered: the person's own word counts. */
export const isAnsweredByPerson = ({ deputy, given }: AskedPerson): boolean =>
  deputy !== null && given !== null && given.channel !== 'ON_BEHALF'
/** The refusal for a deputy of somebody who has answered. */
export const answeredByPerson = (asked: AskedPerson): string => `${nameOf(asked)} has answered already.`

/**
 * Stores an answer of the person who was asked; the first one shows that they were reached. That of a deputy is an
 * answer on behalf.
 */
export async function storeOwnAnswer(
  services: Pick<Services, 'hints' | 'jobs'>,
  db: OrgDb,
  asked: AskedPerson,
  own: OwnAnswer,
): Promise<void> {
  const { notificationId, given, person, deputy } = asked
  await shareNotification(db, notificationId)
  const stored = { ...own, notificationId, person, createTimestamp: clock.timestamp() }
  if (deputy !== null) {
    const reason = `As deputy: ${CHANNEL_LABELS[own.channel]}`
    await storeAnswer(services, db, asked, { ...stored, channel: 'ON_BEHALF', answeredBy: deputy, reason })
    recordOnBehalf(db, asked, { answer: own.answer, reason, by: deputy })
    return
  }
  await storeAnswer(services, db, asked, { ...stored, answeredBy: null, reason: null })
  if (given === null || given.channel === 'ON_BEHALF') await recountLater(services, db, [notificationId])
}

/**
 * Takes the answer of a link's recipient. An answer that repeats the one that counts is not stored again.
 * @returns null for a link that does not exist, otherwise the question as it was, with the refusal of the answer if any
 */
export async function takeAnswer(
  services: Services,
  token: string,
  { answer: index, note }: SentAnswer,
): Promise<{ asked: AskedPerson; refusal: Refusal | null } | null> {
  let changed: { organisationId: string; record: string } | undefined
  const taken = await withLink(services, token, true, async (db, asked, place) => {
    const refuse = (refusal: Refusal) => ({ asked, refusal })
    if (!takesAnswers(asked, clock.now())) return refuse(new Refusal(409, QUESTION_OVER))
    if (index === null) return refuse(wrongField('answer', ANSWER_REQUIRED))
    if (!asked.question.answers[index]) return refuse(wrongField('answer', NO_SUCH_ANSWER))
    if (note.length > NOTE_MAX) return refuse(wrongField('note', NOTE_TOO_LONG))
    if (isAnsweredByPerson(asked)) return refuse(new Refusal(409, answeredByPerson(asked)))
    const { given, notificationId } = asked
    if (
      given?.channel === (asked.deputy === null ? 'LINK' : 'ON_BEHALF') &&
      given.answer === index &&
      given.note === note
    )
      return { asked, refusal: null }
    const tooMany = await services.attempts.takeAnswer(db, `${notificationId} ${place}`)
    if (tooMany) return refuse(tooMany)
    await storeOwnAnswer(services, db, asked, { answer: index, note, channel: 'LINK' })
    changed = { organisationId: asked.organisationId, record: notificationId }
    return { asked, refusal: null }
  })
  if (changed) services.hints.changed({ ...changed, noun: 'mass-notifications' })
  return taken
}

/** Records an answer on behalf, with the deputy who gave it if any. */
function recordOnBehalf(
  db: OrgDb,
  { notificationId, name, question }: AskedPerson,
  { answer, reason, by }: { readonly answer: number; readonly reason: string; readonly by?: string },
): void {
  const told = {
    person: name,
    answer: question.answers[answer]?.label ?? '',
    reason,
    ...(by !== undefined && { deputy: by }),
  }
  record(db, {
    noun: 'mass-notifications',
    record: notificationId,
    verb: 'answered on behalf',
    changes: Object.fromEntries(Object.entries(told).map(([field, to]) => [field, { from: null, to }])),
  })
}

/**
 * Enters the answer of a person for them, with the reason and who did it.
 * @throws Refusal 400, 404, 409 where the question is closed or there is none
 */
export async function answerOnBehalf(
  services: Pick<Services, 'hints' | 'jobs'>,
  db: OrgDb,
  by: Pick<Caller, 'name'>,
  notificationId: string,
  { person, answer, note, reason }: AnswerOnBehalf,
): Promise<void> {
  await demandQuestion(db, notificationId)
  const isPlace = person >= 0 && person <= INTEGER_MAX
  const asked = isPlace ? await findAsked(db, { notificationId }, person, true) : undefined
  if (!asked || asked.deputy !== null) throw wrongField('person', NO_SUCH_PERSON)
  demand(takesAnswers(asked, clock.now()), 409, QUESTION_OVER)
  const given: GivenAnswer = {
    answer: demandAnswer(asked, answer),
    note,
    channel: 'ON_BEHALF',
    answeredBy: by.name,
    reason,
    createTimestamp: clock.timestamp(),
  }
  await storeAnswer(services, db, asked, { ...given, notificationId, person })
  recordOnBehalf(db, asked, { answer, reason })
}

/** @throws Refusal 404 without such a notification, 409 where it asks nothing */
async function demandQuestion(db: OrgDb, id: string) {
  const found = await findNotification(db, id, false)
  if (!found) throw notFound('This notification')
  const { question } = found
  demand(question !== null, 409, NO_QUESTION)
  return { ...found, question }
}

/**
 * Closes a question for good. Closing it again changes nothing.
 * @throws Refusal 404, 409 where there is no question
 */
export async function closeQuestion(db: OrgDb, by: Pick<Caller, 'name'>, id: string): Promise<void> {
  await demandQuestion(db, id)
  const at = clock.timestamp()
  await endEscalation(db, id, 'CLOSED', by.name)
  if (!(await updateClosed(db, id, by.name, at))) return
  record(db, {
    noun: 'mass-notifications',
    record: id,
    verb: 'question closed',
    changes: { questionClosedTimestamp: { from: null, to: at } },
  })
}

/**
 * Cancels the messages of a notification that wait. Returns their number.
 * @throws Refusal 404
 */
export async function cancelMessages(db: OrgDb, by: Pick<Caller, 'name'>, id: string): Promise<number> {
  if (!(await findNotification(db, id, false))) throw notFound('This notification')
  const reason = `Cancelled by ${by.name}.`
  await endEscalation(db, id, 'CANCELLED', by.name)
  const cancelled = await cancelWaiting(db, id, { reason, settled: recordDelivered })
  if (cancelled > 0)
    record(db, {
      noun: 'mass-notifications',
      record: id,
      verb: 'cancelled',
      changes: { messages: { from: null, to: cancelled } },
    })
  return cancelled
}

/**
 * The people of a question with their answers, a page or all of them.
 * @throws Refusal 404, 409 where there is no question
 */
export async function respondentsOf(
  db: OrgDb,
  id: string,
  query: Parameters<typeof listRespondents>[2],
): Promise<Page<Respondent>> {
  await demandQuestion(db, id)
  const rows = await listRespondents(db, id, query)
  const [first] =
    rows.length > 0 || !query.range?.[0]
      ? rows
      : await listRespondents(db, id, { ...query, range: undefined })
  return { rows: rows.map((row) => ({ ...row, messages: messagesTo(row) })), total: first?.total ?? 0 }
}
