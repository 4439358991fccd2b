import type { Logger } from 'pino'

import { TEST_TYPE } from '#contract/webhooks/schema.ts'
import { clock, DAY, HOUR, SECOND } from '#server/kit/core/clock.ts'
import { limitConcurrency } from '#server/kit/core/concurrency.ts'
import type { EventActor, OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import type { Services } from '#server/kit/services.ts'
import { notifyWithoutLink } from '#server/notifications/flows.ts'
import { listWithRoles } from '#server/users/store.ts'

import {
  bodyOf,
  incidentIdOf,
  type Known,
  NOUNS,
  peopleIn,
  type StreamEvent,
  typeOf,
} from './payload.content.ts'
import { makeRequests, type Outcome, type Requests } from './request.flows.ts'
import {
  type Claimed,
  claimDue,
  countFailure,
  deleteOld,
  type DueDelivery,
  findDue,
  findNewest,
  giveUp,
  holdSender,
  insertDeliveries,
  listEvents,
  listIncidents,
  listPeople,
  listReceiving,
  listTasks,
  type NewDelivery,
  releaseAll,
  releaseClaim,
  type Sender,
  updateAttempt,
  updateNext,
  updateOff,
  updateSequence,
  updateSucceeded,
} from './store.ts'

const SYSTEM: EventActor = { kind: 'system', id: null, name: 'webhooks' }
/** Interval of looking for what is due. New events are looked for at once. */
const EVERY = 2 * SECOND
/** Silence after which another process takes a webhook over; longer than an attempt. */
const LEASE = 30 * SECOND
/** Webhooks that one process sends for at once. They wait for answers, without a connection to the database. */
const AT_ONCE = 500
/** Transactions of all webhooks at once, so that people's requests find a free connection. */
const TRANSACTIONS = 4
const EVENTS_AT_ONCE = 200
const FIRST_PAUSE = 5 * SECOND
const LONGEST_PAUSE = HOUR
/** Failed attempts in a row that switch a webhook off. */
export const FAILURES_MAX = 50
/** Time for which a delivery is tried. */
export const TRIED_FOR = DAY
const GIVEN_UP = 'It could not be delivered within a day.'
export const SWITCHED_OFF = 'The webhook was switched off before it was delivered.'

/** The pause after a number of failures. */
export const pauseAfter = (failures: number): number =>
  Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(failures - 1, 20))
const after = (ms: number): string => new Date(clock.now() + ms).toISOString()
/** Owner of a sealed secret. */
export const secretOwner = (organisationId: string): string => `webhooks of ${organisationId}`

/** The records that events name. */
async function knownIn(db: OrgDb, events: readonly StreamEvent[]): Promise<Known> {
  const incidents = await listIncidents(db, [...new Set(events.map(incidentIdOf).filter(Boolean))])
  const tasks = await listTasks(
    db,
    events.filter(({ noun }) => noun === 'activities').map(({ record: id }) => id),
  )
  const assigned = tasks.flatMap(({ assignedTo }) => assignedTo ?? [])
  const people = await listPeople(db, [...new Set([...events.flatMap(peopleIn), ...assigned])])
  const byId = <T extends { readonly id: string }>(rows: readonly T[]) =>
    new Map(rows.map((row) => [row.id, row]))
  return { incidents: byId(incidents), tasks: byId(tasks), people }
}

/** Turns the events since the last look into deliveries, in the transaction that moves the webhook's place in the stream. */
async function takeUp(db: OrgDb, id: string, sender: Sender): Promise<void> {
  if (!sender.isOn) return
  const newest = await findNewest(db)
  let reached = sender.eventSequence
  while (reached < newest) {
    const events = await listEvents(db, { after: reached, to: newest, nouns: NOUNS, limit: EVENTS_AT_ONCE })
    const chosen = events.flatMap((event) => {
      const type = typeOf(event)
      return type !== undefined && sender.events.includes(type) ? [{ type, event }] : []
    })
    const known = await knownIn(
      db,
      chosen.map(({ event }) => event),
    )
    const rows = chosen.flatMap(({ type, event }): NewDelivery[] => {
      const envelope = { id: crypto.randomUUID(), organisation: sender.code }
      const body = bodyOf(envelope, type, event, known)
      if (body === undefined) return []
      return [
        {
          id: envelope.id,
          webhookId: id,
          type,
          body,
          incidentId: incidentIdOf(event),
          occurredTimestamp: event.at,
          dueTimestamp: clock.timestamp(),
          expireTimestamp: after(TRIED_FOR),
        },
      ]
    })
    await insertDeliveries(db, rows)
    reached = events.length < EVENTS_AT_ONCE ? newest : events.at(-1)!.sequence
  }
  if (reached > sender.eventSequence) await updateSequence(db, id, reached)
}

/** Tells the administrators that a webhook was switched off. */
async function tellOff(db: OrgDb, name: string, problem: string | null): Promise<void> {
  const administrators = await listWithRoles(db, ['ADMIN'])
  await notifyWithoutLink(
    db,
    administrators.map(({ id }) => id),
    {
      title: `The webhook ${name} was switched off`,
      details: `${FAILURES_MAX} attempts in a row have failed. ${problem ?? ''} Its address can be checked and the webhook switched on again under Settings, Outbound Webhooks.`,
    },
  )
}

/** Stores a failed attempt. Returns whether the webhook's next delivery may be sent now. */
async function settleFailure(
  db: OrgDb,
  id: string,
  { name }: Sender,
  delivery: DueDelivery,
  { isDown, ...attempt }: Outcome,
): Promise<boolean> {
  const at = clock.timestamp()
  if (delivery.type === TEST_TYPE) {
    await updateAttempt(db, delivery.id, { ...attempt, state: 'FAILED', at, due: at })
    return true
  }
  const failures = await countFailure(db, id)
  const due = after(pauseAfter(isDown ? failures : delivery.attempts + 1))
  const isOver = due >= delivery.expireTimestamp
  const problem = isOver ? `${GIVEN_UP} ${attempt.problem}` : attempt.problem
  await updateAttempt(db, delivery.id, { ...attempt, problem, state: isOver ? 'FAILED' : 'WAITING', at, due })
  if (isDown) await updateNext(db, id, due)
  await giveUp(db, id, GIVEN_UP, at)
  if (failures < FAILURES_MAX || !(await updateOff(db, id, at))) return !isDown
  await giveUp(db, id, SWITCHED_OFF)
  record(db, {
    noun: 'webhooks',
    record: id,
    verb: 'switched off',
    changes: { isOn: { from: true, to: false } },
  })
  await tellOff(db, name, attempt.problem)
  return false
}

/** Stores the outcome of an attempt. Returns whether the webhook's next delivery may be sent now. */
async function settle(
  db: OrgDb,
  id: string,
  sender: Sender,
  delivery: DueDelivery,
  outcome: Outcome,
): Promise<boolean> {
  if (!(await holdSender(db, id, after(LEASE)))) return false
  const { isDown: _, ...attempt } = outcome
  const isTaken = outcome.problem === null
  const at = clock.timestamp()
  if (isTaken) {
    await updateAttempt(db, delivery.id, { ...attempt, state: 'DELIVERED', at, due: at })
    await updateSucceeded(db, id)
  }
  const goesOn = isTaken || (await settleFailure(db, id, sender, delivery, outcome))
  await deleteOld(db, id)
  return goesOn
}

type Parts = Pick<Services, 'database' | 'secrets' | 'bus' | 'settings'>
const limited = limitConcurrency({ concurrency: TRANSACTIONS })

/** Sends what is due for one webhook, one delivery after the other. */
async function drain(
  { database, secrets }: Parts,
  requests: Requests,
  { organisationId, id }: Claimed,
  signal: AbortSignal,
): Promise<void> {
  const inside = <T>(work: (db: OrgDb) => Promise<T>) =>
    limited(() => database.withOrganisation({ organisationId, actor: () => SYSTEM }, work))
  const next = () =>
    inside(async (db) => {
      const sender = await holdSender(db, id, after(LEASE))
      if (!sender) return undefined
      await takeUp(db, id, sender)
      const now = clock.timestamp()
      const delivery = sender.nextTimestamp <= now ? await findDue(db, id, now) : undefined
      return delivery && { sender, delivery }
    })
  try {
    for (let goesOn = true; goesOn && !signal.aborted;) {
      const due = await next()
      if (!due) return
      const { sender, delivery } = due
      const secret = secrets.open(sender.secret, secretOwner(organisationId))
      const sending = { url: sender.url, secret, id: delivery.id, body: delivery.body }
      const outcome = await requests.send(sending, signal)
      // An attempt that a stop breaks off is made again after the start.
      if (signal.aborted) return
      goesOn = await inside((db) => settle(db, id, sender, delivery, outcome))
    }
  } finally {
    await inside((db) => releaseClaim(db, id, clock.timestamp()))
  }
}

/** Sends events to the endpoints of webhooks, in the background, until it is stopped (decision 124). */
export async function sendWebhooks(parts: Parts, log: Logger): Promise<{ stop(): Promise<void> }> {
  const { database, bus, settings } = parts
  const requests = makeRequests(settings)
  const stopping = new AbortController()
  const { signal } = stopping
  const running = new Set<Promise<void>>()
  let receiving: ReadonlySet<string> = new Set()
  let looking: Promise<void> | undefined
  let isWanted = false

  const failed = (error: unknown): void => {
    if (!signal.aborted) log.error(error, 'webhooks')
  }
  function begin(claimed: Claimed): void {
    const work = drain(parts, requests, claimed, signal)
      // Events may have come while the claim ended.
      .then(look, failed)
      .finally(() => running.delete(work))
    running.add(work)
  }
  async function lookOnce(): Promise<void> {
    const limit = AT_ONCE - running.size
    if (limit <= 0) return
    const due = await database.withProvider(SYSTEM, async (db) => {
      receiving = new Set(await listReceiving(db))
      return claimDue(db, { now: clock.timestamp(), until: after(LEASE), limit })
    })
    due.forEach(begin)
  }
  function look(): void {
    isWanted = true
    looking ??= (async () => {
      while (isWanted && !signal.aborted) {
        isWanted = false
        await lookOnce().catch(failed)
      }
      looking = undefined
    })()
  }
  // Claims of a process that has died.
  if (settings.databaseUrl === null) await database.withProvider(SYSTEM, releaseAll)
  const timer = setInterval(look, EVERY).unref()
  const stopListening = bus.subscribe('events', (id) => {
    if (id === null || receiving.has(id)) look()
  })
  look()
  return {
    stop: async () => {
      stopping.abort()
      clearInterval(timer)
      stopListening()
      await looking
      await Promise.all(running)
      await requests.close()
    },
  }
}
