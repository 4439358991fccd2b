import {
  callText,
  correctionTitle,
  mailFooter,
  markedAsTest,
  needsApproval,
  needsSms,
  notificationsNeeded,
  recipientProblem,
  smsSegments,
  smsText,
  smsTooLong,
  takesAnswersBy,
  wordProblems,
} from '#contract/mass-notifications/rules.ts'
import { channelsOf, planMinutes, planProblems, stepCount } from '#contract/notification-escalations/rules.ts'
import {
  ESCALATION_NEEDS_QUESTION,
  ESCALATION_TOO_LONG,
  NO_ORDER,
  ORDER_NEEDS_GROUP,
  ORDER_NEEDS_QUESTION,
  ORDER_OR_PLAN,
} from '#contract/notification-escalations/schema.ts'
import {
  type Delivery,
  type NewNotification,
  type NotificationDetail,
  type NotificationType,
  type NotifiedPerson,
  SMS_OFF,
  TYPE_OFF,
} from '#contract/mass-notifications/schema.ts'
import { type Price, readPrices, roundedPrice } from '#contract/kit/message-prices.ts'
import { QUESTION_NEEDS_LINK } from '#contract/notification-questions/schema.ts'
import { clock, DAY, MINUTE } from '#server/kit/core/clock.ts'
import { findIncident } from '#server/incidents/reading.store.ts'
import { demand, FORBIDDEN, notFound, Refusal, wrongField } from '#server/kit/core/refusal.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import { emailMessage as emailMessageOf, plainTextEmail } from '#server/kit/messages/email-messages.ts'
import type { Post, Spread } from '#server/kit/messages/mailer.ts'
import { OWN_LINK } from '#server/kit/messages/own-links.ts'
import { findWithheld } from '#server/kit/messages/suppressions.ts'
import { wordsOf } from '#server/kit/messages/words.ts'
import type { Services } from '#server/kit/services.ts'
import { listAdministrators } from '#server/users/store.ts'

import { answerPrefix, longestLink } from './answers.flows.ts'
import { beginEscalation } from './escalation.flows.ts'
import { listGroupOrder } from './escalation.store.ts'
import { findRemaining, remainingOf } from './flows.ts'
import { askedOf } from './history.flows.ts'
import {
  addressedOf,
  choose,
  type Chooser,
  type Chosen,
  groupNamesOf,
  keyCount,
  membersOf,
  reach,
  readsIncidents,
  type Requested,
  takes,
  type Targets,
  waitingCount,
} from './recipients.flows.ts'
import { listNotified, NAMES_SHOWN } from './recipients.store.ts'
import {
  addUsed,
  findNotification,
  insertNotification,
  type Member,
  type WholeNotification,
} from './store.ts'

const NO_SUCH_INCIDENT = 'This incident does not exist.'
const APPROVAL_REQUIRED = 'A second person has to approve this notification. Nothing was sent.'
const NOBODY = 'Nobody who was selected can be reached by the selected notification types.'

const PRIORITIES = { CRITICAL: 'high', NORMAL: 'normal', LOW: 'low' } as const
/** The sender and their organisation. */
export interface Sender extends Chooser {
  /** Email address, or name of an API key. */
  readonly name: string
  readonly organisation: Pick<Caller['organisation'], 'displayName'>
}

/** A notification to send, with what only the program itself asks for. */
export type Sent = Omit<NewNotification, 'question'> &
  Partial<Pick<NewNotification, 'question'>> &
  Pick<Requested, 'waitingUserIds' | 'everybody'> & { readonly isTest?: boolean }

/** The message for a correction that no SMS can carry; null for one that can be sent. */
const correctionTooLong = (
  { config: { massNotifsSmsMessageLimit: limit } }: Pick<Sender, 'config'>,
  types: readonly NotificationType[],
  text: string,
): string | null => (needsSms(types) && text.trim().length > limit ? smsTooLong(limit) : null)

const notOffered = (post: Pick<Post, 'offers'>): string =>
  post.offers('SMS') || post.offers('VOICE_CALL') ? TYPE_OFF : SMS_OFF

/** @throws Refusal 400 for missing contents, and people that are missing or do not exist */
async function demandChosen(post: Pick<Post, 'offers' | 'takesKeys'>, db: OrgDb, by: Sender, given: Sent) {
  const words = { ...given, types: [...given.types, ...channelsOf(given.escalation)] }
  const problems: Record<string, string> = wordProblems(words, by.config.massNotifsSmsMessageLimit)
  const correctionProblem = correctionTooLong(by, given.types, given.correction ?? '')
  if (correctionProblem) problems['correction'] = correctionProblem
  if (!given.types.every((type) => post.offers(type))) problems['types'] = notOffered(post)
  if (given.question && !given.types.some((type) => takesAnswersBy(type, post.takesKeys)))
    problems['question'] = QUESTION_NEEDS_LINK
  Object.assign(problems, escalationProblems(post, by, given))
  const nobody = given.everybody ? null : recipientProblem(given)
  if (nobody) problems['contactListIds'] = nobody
  const { chosen, problems: unknown } = await choose(db, by, given)
  Object.assign(problems, unknown)
  const incidentId = given.incidentId ?? given.waitingIncidentId ?? chosen.followedIncidentId
  const incident = incidentId === null ? null : await findSubject(db, by, incidentId)
  if (incidentId !== null && !incident) problems['incidentId'] = NO_SUCH_INCIDENT
  const [first] = Object.values(problems)
  if (first !== undefined) throw new Refusal(400, first, { fields: problems })
  return { chosen, incident }
}

/** True for recipients that are one group and nobody else. */
const isOneGroup = ({ contactListIds, contactIds, groupIds, waitingIncidentId, followUp }: Sent): boolean =>
  groupIds.length === 1 && contactListIds.length + contactIds.length === 0 && !waitingIncidentId && !followUp

/** The problems of an escalation, and of asking in order, by field. */
function escalationProblems(
  post: Pick<Post, 'offers' | 'takesKeys'>,
  { config }: Pick<Sender, 'config'>,
  given: Sent,
): Record<string, string> {
  const problems: Record<string, string> = {}
  const { escalation, inOrderMinutes, question } = given
  if (escalation) {
    const inner = planProblems(escalation, (by) => post.offers(by), post.takesKeys, SMS_OFF)
    for (const [field, sentence] of Object.entries(inner)) problems[`escalation.${field}`] = sentence
    if (!question) problems['escalation'] = ESCALATION_NEEDS_QUESTION
    else if (planMinutes(escalation) * MINUTE >= config.massNotifsAnswerDays * DAY)
      problems['escalation'] = ESCALATION_TOO_LONG
  }
  if (inOrderMinutes) {
    if (!question) problems['inOrderMinutes'] = ORDER_NEEDS_QUESTION
    else if (escalation) problems['inOrderMinutes'] = ORDER_OR_PLAN
    else if (!isOneGroup(given)) problems['inOrderMinutes'] = ORDER_NEEDS_GROUP
  }
  return problems
}

/**
 * The incident that a notification is about; undefined where there is none.
 * @throws Refusal 403 without the permission to read incidents
 */
async function findSubject(db: OrgDb, { permissions }: Sender, id: string) {
  demand(readsIncidents(permissions), 403, FORBIDDEN)
  return findIncident(db, id)
}

/** @throws Refusal 409 where the remaining quota is too small */
function demandQuota(needed: number, remaining: number): void {
  if (needed <= remaining) return
  throw new Refusal(
    409,
    `This takes ${needed} ${needed === 1 ? 'notification' : 'notifications'}, and your organization has ${remaining} remaining. Nothing was sent.`,
    { code: 'quota_exceeded' },
  )
}

/** Mails the administrators once for each configured threshold of the remaining quota that was passed. */
export async function warnOfQuota(
  post: Pick<Post, 'mail'>,
  db: OrgDb,
  by: Pick<Sender, 'config'>,
  before: number,
  after: number,
) {
  const isPassed = by.config.massNotifsQuotaWarnings.some((number) => before >= number && after < number)
  if (!isPassed) return
  const message = emailMessageOf({
    subject: `${after} mass notifications remain`,
    before: [
      `Your organization has ${after} remaining mass notifications, each one an email, an SMS or a call to one person.`,
      'More can be requested on the Mass Notifications page.',
    ],
  })
  const administrators = await listAdministrators(db)
  await post.mail(db, ...administrators.map(({ email: to }) => ({ to, ...message })))
}

/**
 * The messages of a notification. Mails name the organisation at their end, because readers may know only the product's
 * address.
 * @param prefix beginning of the recipients' own links; null without a question
 */
function spreadsOf(
  by: Sender,
  sent: Pick<
    WholeNotification,
    | 'title'
    | 'emailMessage'
    | 'smsMessage'
    | 'level'
    | 'question'
    | 'language'
    | 'types'
    | 'notifiedUserHistoryData'
  >,
  { emails, phones }: Targets,
  { prefix, ...takes }: { readonly prefix: string | null } & Pick<Post, 'takesReplies' | 'takesKeys'>,
): Spread[] {
  const addressed = (type: NotificationType, shared: ReadonlySet<string>) => {
    if (prefix === null || !takesAnswersBy(type, takes.takesKeys)) return { to: [...shared] }
    const { to, places } = addressedOf(sent.notifiedUserHistoryData, type)
    return { to, links: { prefix, places } }
  }
  return sent.types.map((channel) => ({
    ...messageOf(by, sent, channel, { ...takes, hasLink: prefix !== null }),
    ...addressed(channel, channel === 'EMAIL' ? emails : phones),
  }))
}

interface MessageOptions extends Pick<Post, 'takesReplies' | 'takesKeys'> {
  /** True for recipients with links of their own. */
  readonly hasLink: boolean
  /** Sentence before the message. */
  readonly intro?: string
}
/** The message of a notification by one type, without its recipients. */
export function messageOf(
  { organisation, name, config }: Pick<Sender, 'organisation' | 'name' | 'config'>,
  {
    title,
    emailMessage,
    smsMessage,
    level,
    question,
    language,
  }: Pick<WholeNotification, 'title' | 'emailMessage' | 'smsMessage' | 'level' | 'question' | 'language'>,
  channel: NotificationType,
  { hasLink, takesReplies, takesKeys, intro }: MessageOptions,
): Omit<Spread, 'to'> {
  const spokenIn = language ?? config.voiceLanguage
  const { words } = wordsOf(spokenIn)
  const link = hasLink ? { href: OWN_LINK, label: words.answer } : undefined
  const before = (text: string, gap: string) => (intro === undefined ? text : `${intro}${gap}${text}`)
  if (channel === 'EMAIL') {
    // Subjects are single lines.
    const subject = title!.replace(/[\r\n]+/g, ' ')
    const { displayName: sender } = organisation
    const footer = mailFooter(level, sender, name)
    const email = plainTextEmail(subject, before(emailMessage!, '\n\n'), footer, link)
    return { channel, ...email, sender, priority: PRIORITIES[level] }
  }
  const from = config.twilioFromPhoneNumber || null
  const message = before(smsMessage!, ' ')
  if (channel === 'SMS')
    return {
      channel,
      text: smsText(level, message, link?.href, takesReplies && hasLink ? question : null, words),
      sender: from,
    }
  const asked = takesKeys && hasLink ? question : null
  const spoken = { text: callText(message, asked, words), language: spokenIn }
  return { channel, ...spoken, ...(asked && { keys: asked.answers.length }), sender: from }
}

/** A number of a question as long as most: one that is only weighed has none. */
const LIKELY_QUESTION = 1_000

/** Estimated price of messages; null without a price list. The links of a question are counted as long as the longest. */
function priceOf(
  { messagePrices, messageCurrency }: Sender['config'],
  spreads: readonly Spread[],
): Price | null {
  if (messagePrices.length === 0) return null
  const priceTo = readPrices(messagePrices)
  let amount = 0
  for (const { channel, text, to, links, withheld } of spreads) {
    if (channel === 'EMAIL') continue
    const parts =
      channel === 'SMS' ? smsSegments(text.replaceAll(OWN_LINK, longestLink(links?.prefix ?? ''))).count : 1
    for (const number of to) if (withheld?.(number) == null) amount += parts * (priceTo(channel, number) ?? 0)
  }
  return { currency: messageCurrency, amount: roundedPrice(amount) }
}

/** Records a notification in the audit log: counts and names of lists and groups, never an address. */
function recordSent(db: OrgDb, sent: WholeNotification, needed: number): void {
  const told = {
    title: sent.title,
    types: sent.types,
    level: sent.level,
    contactLists: sent.contactListIds,
    groups: sent.groupNames,
    contactsChosen: sent.contactIds.length,
    peopleNotified: sent.notifiedCount,
    notificationsUsed: needed,
    ...(sent.incidentId !== null && { incident: sent.incidentId }),
    ...(sent.approvedBy !== null && { approvedBy: sent.approvedBy }),
    ...(sent.correctsId !== null && { corrects: sent.correctsId }),
    ...(sent.escalation && { escalationSteps: stepCount(sent.escalation) }),
    ...(sent.inOrderMinutes !== null && { inOrderMinutes: sent.inOrderMinutes }),
    ...(sent.question && { answers: sent.question.answers.map(({ label }) => label) }),
  }
  record(db, {
    noun: 'mass-notifications',
    record: sent.id,
    parent: sent.incidentId,
    verb: 'sent',
    changes: Object.fromEntries(Object.entries(told).map(([field, to]) => [field, { from: null, to }])),
  })
}

/** The notification as shown right after sending. */
function detailOf(sent: WholeNotification, deliveries: Delivery[], withPeople: boolean): NotificationDetail {
  const { notifiedUserHistoryData: people, contactIds, ...rest } = sent
  const question = askedOf(sent, sent, 0)
  const names = new Map(people.map(({ email, name }) => [email, name]))
  return {
    ...rest,
    question,
    contactIds,
    ...(withPeople && { notifiedUserHistoryData: people }),
    contactCount: people.filter(
      ({ shqGroupId, lists, targeted }) => shqGroupId === null || targeted || lists.length > 0,
    ).length,
    memberCount: people.filter(({ shqGroupId }) => shqGroupId !== null).length,
    contactNames: contactIds.slice(0, NAMES_SHOWN).map((email) => names.get(email) || email),
    deliveries,
    correctionId: null,
    // Everybody who was reached has not answered yet.
    result: sent.question && {
      answers: sent.question.answers.map(() => 0),
      standings: {
        ATTENTION: 0,
        NOT_REACHED: sent.notReachedCount,
        NO_ANSWER: sent.notifiedCount,
        ANSWERED: 0,
      },
    },
  }
}

/** A notification whose recipients are resolved. */
interface Resolved extends Pick<
  WholeNotification,
  | 'title'
  | 'emailMessage'
  | 'smsMessage'
  | 'types'
  | 'level'
  | 'contactListIds'
  | 'contactIds'
  | 'groupNames'
  | 'isExercise'
  | 'isTest'
  | 'incidentId'
  | 'question'
  | 'approvedBy'
  | 'correction'
  | 'correctsId'
  | 'escalation'
  | 'inOrderMinutes'
  | 'language'
> {
  readonly targets: Targets
  /** Members of a group in order, who are asked after the first one; empty otherwise. */
  readonly queue: readonly string[]
  /** Notifications taken from the quota. */
  readonly needed: number
}

type Dispatching = {
  readonly post: Pick<Post, 'mail' | 'offers' | 'spread' | 'takesReplies' | 'takesKeys'>
} & Pick<Services, 'publicUrl'> & { readonly jobs: Pick<Services['jobs'], 'enqueueAt'> }

/**
 * Resolves the recipients of a notification.
 * @throws Refusal 400 for missing contents, and people that are missing or do not exist, 403 where the organisation has
 * no groups, 409 where the quota is too small
 */
async function resolve(
  post: Pick<Post, 'offers' | 'takesKeys'>,
  db: OrgDb,
  by: Sender,
  given: Sent,
  approvedBy: string | null,
): Promise<Resolved> {
  const types = [...new Set(given.types)]
  const allTypes = [...types, ...channelsOf(given.escalation)]
  const [{ chosen, incident }, known] = await Promise.all([
    demandChosen(post, db, by, given),
    findRemaining(db, by.config),
  ])
  const countries = by.config.twilioAllowedCountryCodes
  const { targets, queue, needed } = await targetsOf(db, given, chosen, { types, countries })
  demandQuota(needed, known)
  if (targets.people.length === 0) throw wrongField('types', NOBODY)
  const isTest = chosen.isTest || given.isTest === true
  const marked = (text: string | null) => (isTest && text ? markedAsTest(text) : text)
  return {
    title: marked(given.title || null),
    emailMessage: allTypes.includes('EMAIL') ? marked(given.emailMessage) : null,
    smsMessage: needsSms(allTypes) ? marked(given.smsMessage) : null,
    types,
    level: given.level,
    contactListIds: [...chosen.lists],
    contactIds: [...chosen.emails],
    groupNames: groupNamesOf(chosen),
    isExercise: chosen.isExercise || incident?.isTabletop === true,
    isTest,
    incidentId: incident?.id ?? null,
    question: given.question ?? null,
    approvedBy,
    correction: given.correction || null,
    correctsId: null,
    escalation: given.escalation ?? null,
    inOrderMinutes: given.inOrderMinutes ?? null,
    language: given.language ?? by.config.voiceLanguage,
    targets,
    queue,
    needed,
  }
}

/**
 * Recipients and the quota that they take. Of a group that is asked in order the first member, with those who follow.
 * @throws Refusal 400 for a group without an order
 */
async function targetsOf(
  db: OrgDb,
  given: Sent,
  chosen: Chosen,
  by: Parameters<typeof reach>[2],
): Promise<Pick<Resolved, 'targets' | 'queue' | 'needed'>> {
  const members = await membersOf(db, chosen)
  if (!given.inOrderMinutes) {
    const groups = [...chosen.groups, waitingCount(chosen.waiting, by.countries)]
    const needed = notificationsNeeded(chosen.contacts.length, groups, by.types)
    return { targets: reach(chosen, members, by), queue: [], needed }
  }
  const order = await orderOf(db, given.groupIds[0]!)
  const { targets, queue } = firstOf(order, members, (some) => reach(chosen, some, by))
  const needed = by.types.filter((type) => targets.people.some((person) => takes(person, type))).length
  return { targets, queue, needed }
}

/**
 * The members of a group in its order.
 * @throws Refusal 400 for a group without one
 */
async function orderOf(db: OrgDb, groupId: string): Promise<readonly string[]> {
  const order = await listGroupOrder(db, groupId.toLowerCase())
  if (!order) throw wrongField('inOrderMinutes', NO_ORDER)
  return order
}

/** The first member in an order who can be reached, and those who follow. */
function firstOf(
  order: readonly string[],
  members: readonly Member[],
  reachOf: (some: readonly Member[]) => Targets,
): { readonly targets: Targets; readonly queue: readonly string[] } {
  const byId = new Map(members.map((member) => [member.id, member] as const))
  for (const [n, id] of order.entries()) {
    const member = byId.get(id)
    const targets = member && reachOf([member])
    if (targets && targets.people.length > 0) return { targets, queue: order.slice(n + 1) }
  }
  return { targets: reachOf([]), queue: [] }
}

/**
 * Sends a notification to its recipients, each once per type.
 * @throws Refusal 409 where the quota is too small by now
 */
async function dispatch(
  { post, publicUrl, jobs }: Dispatching,
  db: OrgDb,
  by: Sender,
  { targets, needed, queue, ...resolved }: Resolved,
  withPeople: boolean,
): Promise<NotificationDetail> {
  const { people, unreached } = targets
  const { question, types } = resolved
  const counted = addUsed(db, needed, question ? 1 : 0)
  const questionNumber = question && (await counted).questions
  const now = clock.now()
  const sent: WholeNotification = {
    ...resolved,
    id: crypto.randomUUID(),
    createTimestamp: new Date(now).toISOString(),
    createdBy: by.name,
    notifiedCount: keyCount(people),
    sentCount: 0,
    reachedCount: 0,
    waitingCount: 0,
    notReachedCount: unreached.length,
    notifiedUserHistoryData: people,
    unreached,
    questionNumber,
    questionEndTimestamp: question && new Date(now + by.config.massNotifsAnswerDays * DAY).toISOString(),
    questionClosedTimestamp: null,
    questionClosedBy: null,
  }
  const prefix = questionNumber === null ? null : await answerPrefix({ publicUrl }, db, questionNumber)
  const withheld = await findWithheld(db, [...targets.emails, ...targets.phones])
  const spreads = spreadsOf(by, sent, targets, {
    prefix,
    takesReplies: post.takesReplies,
    takesKeys: post.takesKeys,
  }).map((one) => ({ ...one, withheld: (address: string) => withheld(one.channel, address) }))
  sent.price = priceOf(by.config, spreads)
  const { states, queued } = post.spread(db, sent.id, ...spreads)
  const deliveries = spreads.map((spread, n): Delivery => {
    const waits = states[n] === 'QUEUED'
    const failed = spread.to.filter((address) => spread.withheld(address) !== undefined).length
    const out = spread.to.length - failed
    return { type: spread.channel, sent: waits ? 0 : out, delivered: 0, waiting: waits ? out : 0, failed }
  })
  const kept = new Set(types.filter((_, n) => states[n] !== 'QUEUED'))
  const isTried = (person: NotifiedPerson, type: NotificationType) =>
    takes(person, type) && withheld(type, (type === 'EMAIL' ? person.email : person.phone)!) === undefined
  const tried = people.filter((person) => types.some((type) => isTried(person, type)))
  sent.sentCount = keyCount(
    tried.filter((person) => types.some((type) => kept.has(type) && isTried(person, type))),
  )
  const triedCount = keyCount(tried)
  sent.waitingCount = triedCount - sent.sentCount
  sent.notReachedCount += sent.notifiedCount - triedCount
  const written = Promise.all([counted, queued, insertNotification(db, sent)])
  // Computed while the database writes.
  const detail = detailOf(sent, deliveries, withPeople)
  const [{ before: used }] = await written
  // Concurrent sends may have changed the quota.
  const remaining = remainingOf(by.config, used)
  demandQuota(needed, remaining)
  await warnOfQuota(post, db, by, remaining, remaining - needed)
  const { escalation: plan, inOrderMinutes: minutes } = sent
  await beginEscalation({ jobs }, db, {
    notificationId: sent.id,
    at: now,
    plan,
    order: minutes === null ? null : { minutes, queue },
  })
  recordSent(db, sent, needed)
  return detail
}

interface SendOptions {
  /** Includes all recipients in the result. */
  readonly withPeople?: boolean
  /** Refuses a notification that a second person has to approve. */
  readonly isGuarded?: boolean
  /** The second person, who approved it. */
  readonly approvedBy?: string | null
}
/**
 * Notifies the chosen people, each once per type.
 * @throws Refusal 400 for missing contents, and people that are missing or do not exist, 403 where the organisation has
 * no groups, 409 where the quota is too small or a second person has to approve it: then nothing is sent or used
 */
export async function sendNotification(
  services: Dispatching,
  db: OrgDb,
  by: Sender,
  given: Sent,
  { withPeople = true, isGuarded = false, approvedBy = null }: SendOptions = {},
): Promise<NotificationDetail> {
  const resolved = await resolve(services.post, db, by, given, approvedBy)
  const people = keyCount(resolved.targets.people) + resolved.queue.length
  if (isGuarded && needsApproval(by.config, people, given.level))
    throw new Refusal(409, APPROVAL_REQUIRED, { code: 'approval_required' })
  return dispatch(services, db, by, resolved, withPeople)
}

/**
 * Whom a notification would be sent to, and what it would take from the quota.
 * @throws Refusal like sending it
 */
export async function weighNotification(
  { post, publicUrl }: Pick<Dispatching, 'post' | 'publicUrl'>,
  db: OrgDb,
  by: Sender,
  given: Sent,
): Promise<
  Pick<Resolved, 'groupNames' | 'isExercise' | 'needed'> & {
    readonly peopleCount: number
    readonly price: Price | null
  }
> {
  const resolved = await resolve(post, db, by, given, null)
  const { targets, queue, groupNames, isExercise, needed } = resolved
  const prefix = given.question ? await answerPrefix({ publicUrl }, db, LIKELY_QUESTION) : null
  const spreads = spreadsOf(by, { ...resolved, notifiedUserHistoryData: targets.people }, targets, {
    prefix,
    takesReplies: post.takesReplies,
    takesKeys: post.takesKeys,
  })
  return {
    peopleCount: keyCount(targets.people) + queue.length,
    groupNames,
    isExercise,
    needed,
    price: priceOf(by.config, spreads),
  }
}

/**
 * Sends a correction to those whom a notification was sent to. Nobody approves it: what is wrong has to be put right at
 * once, and those people had a message already.
 * @throws Refusal 400, 404, 409 where the quota is too small
 */
export async function sendCorrection(
  services: Dispatching,
  db: OrgDb,
  by: Sender,
  id: string,
  { text, withPeople }: { readonly text: string; readonly withPeople: boolean },
): Promise<NotificationDetail> {
  const found = await findNotification(db, id, false)
  if (!found) throw notFound('This notification')
  const problem = correctionTooLong(by, found.types, text)
  if (problem) throw wrongField('text', problem)
  const people = await listNotified(db, id)
  const addressesOf = (type: 'EMAIL' | 'SMS') =>
    new Set(
      people.flatMap((one) => (takes(one, type) ? ((type === 'EMAIL' ? one.email : one.phone) ?? []) : [])),
    )
  const [emails, phones] = [addressesOf('EMAIL'), addressesOf('SMS')]
  const { types, level, contactListIds, contactIds, groupNames, isExercise, isTest, incidentId, language } =
    found
  const resolved: Resolved = {
    title: found.title && correctionTitle(found.title),
    emailMessage: types.includes('EMAIL') ? text : null,
    smsMessage: needsSms(types) ? text : null,
    types,
    level,
    contactListIds,
    contactIds,
    groupNames,
    isExercise,
    isTest,
    incidentId,
    question: null,
    approvedBy: null,
    correction: null,
    correctsId: id,
    escalation: null,
    inOrderMinutes: null,
    language,
    queue: [],
    targets: { people, unreached: [], emails, phones },
    needed: types.reduce((sum, type) => sum + (type === 'EMAIL' ? emails : phones).size, 0),
  }
  demandQuota(resolved.needed, await findRemaining(db, by.config))
  return dispatch(services, db, by, resolved, withPeople)
}
