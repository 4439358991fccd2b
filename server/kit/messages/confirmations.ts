import { sql } from 'kysely'
import type { Logger } from 'pino'

import { clock, DAY, HOUR, MINUTE } from '../core/clock.ts'
import type { Database, OrgDb } from '../database/db.ts'
import type { Job, Jobs } from '../jobs/jobs.ts'
import { confirm, type Confirmation } from './ledger.ts'
import {
  type Carrier,
  type Channel,
  holdNotification,
  inTurns,
  isSettled,
  type Settled,
  type Share,
  shareNotification,
} from './messages.ts'

export interface ConfirmationHooks {
  /** Called in the transaction in which the last message of a notification comes to an end. */
  readonly settled?: Settled
  /** Called in the transaction that changes messages of notifications, which it holds a share of. */
  readonly confirmed?: (db: OrgDb, notificationIds: readonly string[]) => Promise<void>
}

/** Takes reports of carriers about messages of one organisation. Returns the number of messages that have changed. */
export async function takeConfirmations(
  db: OrgDb,
  { settled, confirmed }: ConfirmationHooks,
  reports: readonly Confirmation[],
): Promise<number> {
  const ids = [...new Set(reports.map(({ messageId }) => messageId))]
  if (ids.length === 0) return 0
  const messages = await db
    .selectFrom('messages')
    .select(['notification_id', 'state'])
    .where('id', 'in', ids)
    .where('notification_id', 'is not', null)
    .orderBy('notification_id')
    .execute()
  const waits = new Map<string, boolean>()
  for (const { notification_id: id, state } of messages)
    waits.set(id!, (waits.get(id!) ?? false) || state === 'QUEUED' || state === 'SENDING')
  // In the order of ids, so that two transactions never wait for each other.
  for (const [id, isWaiting] of waits)
    await (isWaiting ? holdNotification(db, id) : shareNotification(db, id))

  const changed = await confirm(db, reports)
  const concerned = [...new Set(changed.flatMap(({ notificationId }) => notificationId ?? []))]
  if (concerned.length > 0) await confirmed?.(db, concerned)
  for (const id of concerned)
    if (settled && waits.get(id) === true && (await isSettled(db, id))) await settled(db, id)
  return changed.length
}

const ASK = 'texts-status'
/** Times after a send at which the carrier is asked about what has no end yet. */
const ASK_AFTER = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, DAY] as const
/** Messages whose reports are taken in one transaction. */
const TOGETHER = 100
const TIMEOUT_SECONDS = 3_600
/** Retries of a question that could not be asked; the next one follows in any case. */
const RETRIES = 2

/** Messages of a share, and the question about them by its place in `ASK_AFTER`. */
interface Question extends Share {
  readonly step: number
  /** Time of the send. */
  readonly from: string
}

const askAt = (jobs: Pick<Jobs, 'enqueueAt'>, db: OrgDb, ...questions: readonly Question[]) => {
  const [first] = questions
  if (!first) return Promise.resolve()
  const at = new Date(Date.parse(first.from) + ASK_AFTER[first.step]!).toISOString()
  return jobs.enqueueAt(db, ASK, at, ...questions)
}

/** The first question about messages that the carrier reports itself: a report may be lost on its way. */
const FIRST_WHERE_CALLED = ASK_AFTER.indexOf(30 * MINUTE)
/**
 * Asks the carrier about messages later.
 * @param isCalled true where it reports them itself as well
 */
export function askLater(
  jobs: Pick<Jobs, 'enqueueAt'>,
  db: OrgDb,
  shares: readonly Share[],
  isCalled: boolean,
): Promise<void> {
  const step = isCalled ? FIRST_WHERE_CALLED : 0
  return askAt(jobs, db, ...shares.map((share) => ({ ...share, step, from: clock.timestamp() })))
}

interface AskParts {
  readonly database: Database
  readonly jobs: Jobs
  readonly log: Logger
}

/** Registers the job that asks a carrier about what it has accepted, until all of a share has come to an end. */
export function handleQuestions(parts: AskParts, carrier: Carrier, hooks: ConfirmationHooks): void {
  parts.jobs.handle<Question>(ASK, (job) => askAbout(parts, carrier, hooks, job), {
    timeoutSeconds: TIMEOUT_SECONDS,
    retries: RETRIES,
  })
}

async function askAbout(
  { database, jobs, log }: AskParts,
  carrier: Carrier,
  hooks: ConfirmationHooks,
  { organisationId, data: question, isStopping }: Job<Question>,
): Promise<void> {
  const actor = () => ({ kind: 'system', id: null, name: 'messages' }) as const
  const inside = <T>(work: (db: OrgDb) => Promise<T>) =>
    database.withOrganisation({ organisationId, actor }, work)
  const { sent, areOpen } = await inside(async (db) => ({
    sent: await listSent(db, question),
    areOpen: await hasWaiting(db, question),
  }))
  let isOpen = areOpen
  for (let from = 0; from < sent.length; from += TOGETHER) {
    if (isStopping()) throw new Error('The server stops.')
    const reports = await inTurns(sent.slice(from, from + TOGETHER), carrier.parallel, async (one) => {
      try {
        const report = await carrier.ask!(one.channel, one.providerId, one.carrier)
        const { providerId, carrier: name } = one
        return report && { ...report, messageId: one.id, carrier: name ?? carrier.name, providerId }
      } catch (error) {
        log.debug({ carrier: carrier.name, reason: (error as Error).message }, 'carrier could not be asked')
        return null
      }
    })
    const known = reports.filter((report) => report !== null)
    isOpen ||= known.length < reports.length
    if (known.length > 0) await inside((db) => takeConfirmations(db, hooks, known))
  }
  const step = question.step + 1
  if (isOpen && step < ASK_AFTER.length) await inside((db) => askAt(jobs, db, { ...question, step }))
}

/** Messages of a share that a carrier has accepted, and nothing more is known of. */
async function listSent(db: OrgDb, { notificationId, first, last }: Share) {
  const { rows } = await sql<{
    id: string
    channel: Channel
    providerId: string
    carrier: string | null
  }>`
    select id, channel, provider_id as "providerId", carrier from messages
    where notification_id = ${notificationId} and id between ${first} and ${last}
      and state = 'SENT' and channel <> 'EMAIL' and provider_id is not null
    order by id`.execute(db)
  return rows
}
/** True where messages of a share wait. */
async function hasWaiting(db: OrgDb, { notificationId, first, last }: Share): Promise<boolean> {
  const { rows } = await sql`
    select from messages where notification_id = ${notificationId} and id between ${first} and ${last}
      and state in ('QUEUED', 'SENDING') limit 1`.execute(db)
  return rows.length > 0
}
