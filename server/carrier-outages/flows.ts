import { setTimeout as wait } from 'node:timers/promises'

import type { Logger } from 'pino'

import { clock, DAY, HOUR, MINUTE } from '#server/kit/core/clock.ts'
import type { EventActor, OrgDb, ProviderDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { emailMessage } from '#server/kit/messages/email-messages.ts'
import { QUEUES } from '#server/kit/messages/mailer.ts'
import type { Channel } from '#server/kit/messages/messages.ts'
import type { Services } from '#server/kit/services.ts'
import { notifyWithoutLink } from '#server/notifications/flows.ts'
import { listWithRoles } from '#server/users/store.ts'

import {
  deleteOutages,
  holdOutages,
  insertNotice,
  insertOutage,
  listOutages,
  listTold,
  listWaiting,
  type Outage,
  updateEnded,
  type Waiting,
} from './store.ts'

const SYSTEM: EventActor = { kind: 'system', id: null, name: 'messages' }
const EVERY = MINUTE
/** Time for which a carrier may serve nobody before anybody is told. */
const TOLD_AFTER = 3 * MINUTE
/** Longer than messages are tried. */
const TRIED_FOR = 25 * HOUR
const KEPT_FOR = 90 * DAY

const NAMES: { readonly [C in Channel]: string } = {
  EMAIL: 'emails',
  SMS: 'SMS',
  VOICE_CALL: 'automated voice calls',
}
const CHANNELS = ['EMAIL', 'SMS', 'VOICE_CALL'] as const satisfies readonly Channel[]
const named = (channels: readonly Channel[]) =>
  new Intl.ListFormat('en-GB').format(
    CHANNELS.filter((channel) => channels.includes(channel)).map((one) => NAMES[one]),
  )
const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)
const timeOf = (at: string) => `${at.slice(11, 16)} UTC`

interface Notice {
  readonly title: string
  readonly details: string
}
const beganNotice = (outages: readonly Outage[]): Notice => {
  const channels = outages.map(({ channel }) => channel)
  const since = outages.map((one) => one.since).toSorted()[0]!
  return {
    title: `${capital(named(channels))} cannot be sent at the moment`,
    details: `The service has taken none since ${timeOf(since)}. What you sent waits and goes on by itself, for up to a day. Reach whoever must know now in another way.`,
  }
}
const endedNotice = (outages: readonly Outage[]): Notice => ({
  title: `${capital(named(outages.map(({ channel }) => channel)))} are sent again`,
  details: 'The service takes messages again. What waited is on its way, and nobody has to send it anew.',
})

type Telling = Pick<Services, 'post' | 'publicUrl'>
/** Tells the administrators of an organisation in the product, and by email unless no mails are sent. */
async function tell(
  { post, publicUrl }: Telling,
  db: OrgDb,
  notice: Notice,
  isMailOut: boolean,
): Promise<void> {
  const administrators = await listWithRoles(db, ['ADMIN'])
  await notifyWithoutLink(
    db,
    administrators.map(({ id }) => id),
    notice,
  )
  if (isMailOut) return
  const message = emailMessage({
    subject: notice.title,
    before: [notice.details],
    link: { href: `${publicUrl()}/mass-notifications`, label: 'Look at the notifications' },
  })
  await post.mail(db, ...administrators.map(({ email: to }) => ({ to, ...message })))
}

/** Records a change of a carrier in the provider's log, which the console shows. */
function recordOutage(db: ProviderDb, { channel, since }: Outage, verb: string, reason?: string): void {
  record(db, {
    noun: 'instance',
    record: channel,
    verb,
    changes: {
      since: { from: null, to: since },
      ...(reason !== undefined && { reason: { from: null, to: reason } }),
    },
  })
}

/** Begins and ends outages. Returns those that last and those that have ended. */
async function update(db: ProviderDb, waiting: readonly Waiting[], now: number) {
  const lasting: Outage[] = []
  const ended: Outage[] = []
  const before = await listOutages(db)
  for (const outage of before) {
    const still = waiting.some(
      ({ channel, servedTimestamp: served }) =>
        channel === outage.channel && (served === null || served <= outage.since),
    )
    if (still) lasting.push(outage)
    else ended.push(outage)
  }
  for (const one of waiting) {
    const isKnown = lasting.some(({ channel }) => channel === one.channel)
    if (isKnown || now - Date.parse(one.since) < TOLD_AFTER) continue
    for (const over of ended.filter(({ channel }) => channel === one.channel))
      await updateEnded(db, over.id, new Date(now).toISOString())
    const outage = await insertOutage(db, one)
    recordOutage(db, outage, 'carrier out', one.reason)
    lasting.push(outage)
  }
  for (const outage of ended) {
    await updateEnded(db, outage.id, new Date(now).toISOString())
    recordOutage(db, outage, 'carrier back')
  }
  return { lasting, ended }
}

/** Adds an outage to those of an organisation. */
const push = (all: Map<string, Outage[]>, id: string, outage: Outage) =>
  all.set(id, [...(all.get(id) ?? []), outage])

/**
 * Looks for carriers that have served nobody for some minutes while messages wait, and tells the administrators of the
 * organisations that wait, once; and once more when it is over. Returns the channels that serve again.
 */
export async function lookForOutages(
  services: Pick<Services, 'database' | 'jobs'> & Telling,
): Promise<Channel[]> {
  const { database, jobs } = services
  const back = await database.withProvider(SYSTEM, async (db) => {
    if (!(await holdOutages(db))) return []
    const now = clock.now()
    const at = new Date(now).toISOString()
    const waiting = await listWaiting(db, new Date(now - TRIED_FOR).toISOString())
    const { lasting, ended } = await update(db, waiting, now)
    const isMailOut = lasting.some(({ channel }) => channel === 'EMAIL')

    const over = new Map<string, Outage[]>()
    for (const outage of ended) for (const id of await listTold(db, outage.id)) push(over, id, outage)
    for (const [id, outages] of over)
      await database.enterOrganisation(db, id, (inner) =>
        tell(services, inner, endedNotice(outages), isMailOut),
      )

    const begun = new Map<string, Outage[]>()
    for (const outage of lasting) {
      const told = new Set(await listTold(db, outage.id))
      const one = waiting.find(({ channel }) => channel === outage.channel)
      for (const id of one?.organisationIds ?? []) if (!told.has(id)) push(begun, id, outage)
    }
    for (const [id, outages] of begun)
      await database.enterOrganisation(db, id, async (inner) => {
        for (const outage of outages) await insertNotice(inner, outage.id, at)
        await tell(services, inner, beganNotice(outages), isMailOut)
      })
    await deleteOutages(db, new Date(now - KEPT_FOR).toISOString())
    return ended.map(({ channel }) => channel)
  })
  // Jobs that wait for their next try go on at once.
  if (back.length > 0) await jobs.hasten(...new Set(back.flatMap((channel) => QUEUES[channel])))
  return back
}

/** Looks for outages every minute, in the background. */
export function watchOutages(
  services: Pick<Services, 'database' | 'jobs'> & Telling,
  log: Logger,
): { stop(): Promise<void> } {
  const ended = new AbortController()
  const pause = () => wait(EVERY, undefined, { ref: false, signal: ended.signal }).catch(() => {})
  async function watch(): Promise<void> {
    // Not at once: what waits over a start is tried first.
    await pause()
    while (!ended.signal.aborted) {
      await lookForOutages(services).catch((error: unknown) =>
        log.error(error, 'carriers could not be watched'),
      )
      await pause()
    }
  }
  const watching = watch()
  return {
    stop: async () => {
      ended.abort()
      await watching
    },
  }
}
