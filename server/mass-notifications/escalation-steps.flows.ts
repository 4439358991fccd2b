import { withoutDirectionMarks } from '#contract/kit/direction.ts'
import { takesAnswersBy } from '#contract/mass-notifications/rules.ts'
import type { NotificationType } from '#contract/mass-notifications/schema.ts'
import { dueAt, type PlannedStep, plannedStep } from '#contract/notification-escalations/rules.ts'
import type { AskedKind } from '#contract/notification-escalations/schema.ts'
import { takesAnswers } from '#contract/notification-questions/rules.ts'
import { findConfig } from '#server/config/flows.ts'
import { clock, MINUTE } from '#server/kit/core/clock.ts'
import type { EventActor, OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import type { Spread } from '#server/kit/messages/mailer.ts'
import { OWN_NAME } from '#server/kit/messages/own-links.ts'
import { inWords, wordsOf } from '#server/kit/messages/words.ts'
import { isReachable, readPhone } from '#server/kit/messages/phones.ts'
import type { Services } from '#server/kit/services.ts'

import { answerPrefix } from './answers.flows.ts'
import { type DueStep, ESCALATIONS } from './escalation.flows.ts'
import {
  addRecipient,
  type EscalationRow,
  findGroupOf,
  findOrganisationName,
  holdEscalation,
  insertDeputies,
  insertStep,
  listAnswersGiven,
  listDeputies,
  listQueued,
  listUnanswered,
  type NewDeputy,
  type Skip,
  updateEnded,
  updateNext,
} from './escalation.store.ts'
import { remainingOf } from './flows.ts'
import { recountLater } from './history.flows.ts'
import { dialledOf, memberOf, takes } from './recipients.flows.ts'
import { messageOf, warnOfQuota } from './sending.flows.ts'
import { addUsed, findNotification, type FoundNotification } from './store.ts'

const SYSTEM: EventActor = { kind: 'system', id: null, name: 'escalation' }

type Parts = Pick<Services, 'jobs' | 'post' | 'publicUrl' | 'hints'>
type Config = Awaited<ReturnType<typeof findConfig>>
/** A step that is taken now, with its notification. */
interface Taking {
  readonly found: FoundNotification & { readonly question: NonNullable<FoundNotification['question']> }
  readonly row: EscalationRow
  readonly config: Config
}

/** A message to one person. */
interface Target {
  readonly person: number
  readonly name: string
  readonly to: string
  /** Place of the link; null for none. */
  readonly place: number | null
  readonly type: NotificationType
  /** Name of the person for a deputy. */
  readonly about?: string
}

/** Takes from the quota what remains of it. Returns the targets that it is enough for. */
async function takeQuota(
  { post }: Pick<Parts, 'post'>,
  db: OrgDb,
  config: Config,
  targets: readonly Target[],
): Promise<readonly Target[]> {
  if (targets.length === 0) return targets
  // The row is the lock of the quota.
  const { before } = await addUsed(db, 0, 0)
  const remaining = remainingOf(config, before)
  const kept = targets.slice(0, remaining)
  if (kept.length === 0) return kept
  await addUsed(db, kept.length, 0)
  await warnOfQuota(post, db, { config }, remaining, remaining - kept.length)
  return kept
}

/** Makes the messages of a step, one statement for each channel. */
async function ask(
  { post, publicUrl }: Parts,
  db: OrgDb,
  { found, config }: Taking,
  targets: readonly Target[],
): Promise<void> {
  const prefix = await answerPrefix({ publicUrl }, db, found.questionNumber!)
  const sender = {
    organisation: { displayName: await findOrganisationName(db) },
    name: found.createdBy,
    config,
  }
  const { takesReplies, takesKeys } = post
  const intro = inWords(wordsOf(found.language ?? config.voiceLanguage).words.asDeputy, { name: OWN_NAME })
  const spreads = [...Map.groupBy(targets, ({ type }) => type)].map(([type, some]): Spread => {
    const isLinked = some.every(({ place }) => place !== null)
    const isAbout = some.some(({ about }) => about !== undefined)
    return {
      ...messageOf(sender, found, type, {
        // A call without keys has nothing to answer by.
        hasLink: isLinked && takesAnswersBy(type, takesKeys),
        takesReplies,
        takesKeys,
        ...(isAbout && { intro }),
      }),
      to: some.map(({ to }) => to),
      ...(isLinked && { links: { prefix, places: some.map(({ place }) => place!) } }),
      ...(isAbout && { names: some.map(({ about }) => withoutDirectionMarks(about ?? '')) }),
    }
  })
  await post.spread(db, found.id, ...spreads).queued
}

/** The people who have not answered, at their own addresses. */
async function personTargets(
  takesKeys: boolean,
  db: OrgDb,
  id: string,
  type: NotificationType,
): Promise<{ targets: Target[]; skips: Skip[]; isOver: boolean }> {
  const rows = await listUnanswered(db, id)
  const hasLink = takesAnswersBy(type, takesKeys)
  const targets: Target[] = []
  const seen = new Set<string>()
  const asked = new Set<number>()
  for (const { person, ...row } of rows) {
    const to = takes(row, type) ? (type === 'EMAIL' ? row.email : row.phone) : null
    if (to === null) continue
    asked.add(person)
    // Without links, people who share a number get one call.
    const key = hasLink ? `${person} ${to}` : to
    if (seen.has(key)) continue
    seen.add(key)
    targets.push({ person, name: row.name, to, type, place: hasLink ? person : null })
  }
  const people = new Map(
    rows.map(({ person, name, email, phone }) => [person, name || (email ?? phone ?? '')]),
  )
  const skips = [...people]
    .filter(([person]) => !asked.has(person))
    .map(([person, name]): Skip => ({ person, name, reason: 'NO_ADDRESS' }))
  return { targets, skips, isOver: people.size === 0 }
}

/** The deputies of the people who have not answered. */
async function deputyTargets(
  db: OrgDb,
  id: string,
  type: NotificationType,
  countries: readonly string[],
): Promise<{ targets: Target[]; skips: Skip[]; isOver: boolean }> {
  const rows = await listDeputies(db, id)
  const skips: Skip[] = []
  const deputies: (NewDeputy & { readonly to: string; readonly about: string })[] = []
  for (const { person, name, isUsable, deputyName, deputyEmail, phone: first, secondPhone } of rows) {
    const skip = (reason: Skip['reason']) => skips.push({ person, name, reason })
    if (deputyEmail === null) {
      skip('NO_DEPUTY')
      continue
    }
    if (!isUsable) {
      skip('DEPUTY_ARCHIVED')
      continue
    }
    const dialled = dialledOf(first, secondPhone, countries)
    const phone = isReachable(dialled, countries) ? (readPhone(dialled)?.number ?? null) : null
    const to = type === 'EMAIL' ? deputyEmail : phone
    if (to === null) skip('NO_ADDRESS')
    else
      deputies.push({ person, name: deputyName || deputyEmail, email: deputyEmail, phone, to, about: name })
  }
  const places = await insertDeputies(db, id, deputies)
  const targets = deputies.map(({ person, name, to, about }): Target => {
    return { person, name, to, type, about, place: places.get(person)! }
  })
  return { targets, skips, isOver: rows.length === 0 }
}

interface Taken {
  readonly asked: AskedKind
  readonly round: number
  readonly types: readonly NotificationType[]
  readonly people: number
  readonly skips: readonly Skip[]
}
/** Stores a step that was taken, and records it once with its number of people. */
async function keepStep(
  { jobs, hints }: Parts,
  db: OrgDb,
  { found, row }: Taking,
  { asked, round, types, people, skips }: Taken,
): Promise<void> {
  const step = {
    number: row.number,
    round,
    asked,
    types: [...types],
    people,
    createTimestamp: clock.timestamp(),
  }
  await insertStep(db, found.id, step, skips)
  if (people > 0) await recountLater({ jobs, hints }, db, [found.id])
  const told = {
    title: found.title ?? found.smsMessage,
    step: row.number + 1,
    round,
    asked,
    types,
    peopleNotified: people,
    ...(skips.length > 0 && { skipped: skips.length }),
  }
  record(db, {
    noun: 'mass-notifications',
    record: found.id,
    parent: found.incidentId,
    verb: 'escalated',
    changes: Object.fromEntries(Object.entries(told).map(([field, to]) => [field, { from: null, to }])),
  })
}

const end = (db: OrgDb, { notificationId }: EscalationRow, ended: 'ANSWERED' | 'DONE' | 'CLOSED') =>
  updateEnded(db, notificationId, { ended, by: null, at: clock.timestamp() })

/** Lateness of a step above which the ones after it are moved: a server that was down does not take all at once. */
const LATE = MINUTE

/** Takes a step of a plan, and plans the next one. */
async function takePlanned(parts: Parts, db: OrgDb, taking: Taking, step: PlannedStep): Promise<void> {
  const { found, row, config } = taking
  const plan = found.escalation!
  const { by: type, to: asked, round } = step
  const { targets, skips, isOver } =
    asked === 'PERSON'
      ? await personTargets(parts.post.takesKeys, db, found.id, type)
      : await deputyTargets(db, found.id, type, config.twilioAllowedCountryCodes)
  if (isOver) {
    await end(db, row, 'ANSWERED')
    return
  }
  const kept = await takeQuota(parts, db, config, targets)
  if (kept.length > 0) await ask(parts, db, taking, kept)
  const left = new Map(targets.slice(kept.length).map(({ person, name }) => [person, name]))
  const people = new Set(kept.map(({ person }) => person))
  await keepStep(parts, db, taking, {
    asked,
    round,
    types: [type],
    people: people.size,
    skips: [
      ...skips,
      ...[...left]
        .filter(([person]) => !people.has(person))
        .map(([person, name]): Skip => {
          return { person, name, reason: 'QUOTA' }
        }),
    ],
  })
  const next = plannedStep(plan, row.number + 1)
  if (!next) {
    await end(db, row, 'DONE')
    return
  }
  const late = clock.now() - Date.parse(row.nextTimestamp!)
  const start = Date.parse(row.startTimestamp) + (late > LATE ? late : 0)
  await planNext(parts, db, row, { at: dueAt(start, next), startTimestamp: new Date(start).toISOString() })
}

async function planNext(
  { jobs }: Pick<Parts, 'jobs'>,
  db: OrgDb,
  { notificationId: id, number }: EscalationRow,
  { at, ...more }: { readonly at: number; readonly startTimestamp?: string; readonly queue?: string[] },
): Promise<void> {
  const nextTimestamp = new Date(at).toISOString()
  await updateNext(db, id, { ...more, nextTimestamp, number: number + 1 })
  await jobs.enqueueAt(db, ESCALATIONS, nextTimestamp, { id, number: number + 1 } satisfies DueStep)
}

/** Asks the next member of a group who can be reached. */
async function takeNext(parts: Parts, db: OrgDb, taking: Taking): Promise<void> {
  const { found, row, config } = taking
  const tones = (await listAnswersGiven(db, found.id)).map((answer) => found.question.answers[answer]?.tone)
  if (tones.includes('GOOD')) {
    await end(db, row, 'ANSWERED')
    return
  }
  const group = await findGroupOf(db, found.id)
  const skips: Skip[] = []
  const queue = await listQueued(db, row.queue)
  let people = 0
  while (queue.length > 0 && people === 0) {
    const { isUsable, id: _, ...member } = queue.shift()!
    const of = { groupId: group.shqGroupId!, groupName: group.shqGroupName! }
    const person = memberOf({ ...member, ...of }, config.twilioAllowedCountryCodes)
    const types = found.types.filter((type) => takes(person, type))
    const skip = (reason: Skip['reason']) => skips.push({ person: skips.length, name: member.name, reason })
    const wanted = types.map((type): Target => ({
      person: 0,
      name: member.name,
      to: (type === 'EMAIL' ? person.email : person.phone)!,
      place: null,
      type,
    }))
    if (!isUsable) skip('MEMBER_ARCHIVED')
    else if (types.length === 0) skip('NO_ADDRESS')
    else {
      const kept = await takeQuota(parts, db, config, wanted)
      if (kept.length === 0) {
        skip('QUOTA')
        continue
      }
      const place = await addRecipient(db, found.id, person)
      const linked = kept.map((target) => ({
        ...target,
        place: takesAnswersBy(target.type, parts.post.takesKeys) ? place : null,
      }))
      await ask(parts, db, taking, linked)
      people = 1
    }
  }
  await keepStep(parts, db, taking, { asked: 'NEXT', round: 1, types: found.types, people, skips })
  if (queue.length === 0) await end(db, row, 'DONE')
  else
    await planNext(parts, db, row, {
      at: clock.now() + found.inOrderMinutes! * MINUTE,
      queue: queue.map(({ id }) => id),
    })
}

/**
 * Takes the step of an escalation that is due, and enqueues the next one in the same transaction. A repetition finds
 * another step due; one that runs early waits on.
 */
export async function takeStep(parts: Parts, db: OrgDb, { id, number }: DueStep): Promise<void> {
  const row = await holdEscalation(db, id)
  if (!row || row.nextTimestamp === null || row.number !== number) return
  if (Date.parse(row.nextTimestamp) > clock.now()) {
    await parts.jobs.enqueueAt(db, ESCALATIONS, row.nextTimestamp, { id, number } satisfies DueStep)
    return
  }
  const found = await findNotification(db, id, false)
  const question = found?.question
  if (!found || !question || !takesAnswers(timesOf(found), clock.now())) {
    await end(db, row, 'CLOSED')
    return
  }
  const taking: Taking = { found: { ...found, question }, row, config: await findConfig(db) }
  const step = found.escalation && plannedStep(found.escalation, number)
  if (found.inOrderMinutes !== null) await takeNext(parts, db, taking)
  else if (step) await takePlanned(parts, db, taking, step)
  else await end(db, row, 'DONE')
}
const timesOf = ({ questionEndTimestamp, questionClosedTimestamp }: FoundNotification) => ({
  endTimestamp: questionEndTimestamp!,
  closedTimestamp: questionClosedTimestamp,
})

/** Registers the job that takes the steps of escalations; call before the jobs begin. */
export function takeEscalationSteps(services: Services): void {
  services.jobs.handle<DueStep>(ESCALATIONS, ({ organisationId, data }) =>
    services.database.withOrganisation({ organisationId, actor: () => SYSTEM }, (db) =>
      takeStep(services, db, data),
    ),
  )
}
