import { clock, DAY, HOUR, MINUTE, SECOND } from '../core/clock.ts'
import type { Database, OrgDb } from '../database/db.ts'
import type { Job, Jobs } from '../jobs/jobs.ts'
import type { Carrier, InboundSms } from './messages.ts'

/** Hooks of a noun with questions for SMS that come in. */
export interface ReplyHooks {
  /** True while the question of a notification takes answers. */
  readonly isAwaited: (db: OrgDb, notificationId: string) => Promise<boolean>
  /** Takes an SMS, once. */
  readonly take: (reply: InboundSms) => Promise<void>
  /** Takes a key of a call. */
  readonly press: (organisationId: string, messageId: string, key: string) => Promise<unknown>
}

const LOOK = 'texts-replies'
/** Overlap of two looks: the carrier's clock is not ours, and what is seen twice is taken once. */
const OVERLAP = 2 * MINUTE
/** Pauses between looks by the age of a question: most people answer at once. */
const PAUSES = [
  [10 * MINUTE, 15 * SECOND],
  [2 * HOUR, MINUTE],
  [DAY, 5 * MINUTE],
  [Infinity, 30 * MINUTE],
] as const

/** A question whose replies are looked for. */
interface Look {
  readonly notificationId: string
  /** The number that is replied to. */
  readonly to: string
  /** Time of the send, and of the last look. */
  readonly from: string
  readonly since: string
}

const lookAt = (jobs: Pick<Jobs, 'enqueueAt'>, db: OrgDb, look: Look) => {
  const now = clock.now()
  const age = now - Date.parse(look.from)
  const [, pause] = PAUSES.find(([until]) => age < until)!
  return jobs.enqueueAt(db, LOOK, new Date(now + pause).toISOString(), look)
}
/** Looks for replies to a question while it is open, where the carrier cannot hand them over itself. */
export function lookForReplies(
  jobs: Pick<Jobs, 'enqueueAt'>,
  db: OrgDb,
  { notificationId, to }: Pick<Look, 'notificationId' | 'to'>,
): Promise<void> {
  const now = clock.timestamp()
  return lookAt(jobs, db, { notificationId, to, from: now, since: now })
}

interface LookParts {
  readonly database: Database
  readonly jobs: Jobs
}
/** Registers the job that looks for replies. */
export function handleLooks(parts: LookParts, carrier: Carrier, hooks: ReplyHooks): void {
  parts.jobs.handle<Look>(LOOK, (job) => look(parts, carrier, hooks, job))
}

async function look(
  { database, jobs }: LookParts,
  carrier: Carrier,
  hooks: ReplyHooks,
  { organisationId, data }: Job<Look>,
): Promise<void> {
  const actor = () => ({ kind: 'system', id: null, name: 'messages' }) as const
  const inside = <T>(work: (db: OrgDb) => Promise<T>) =>
    database.withOrganisation({ organisationId, actor }, work)
  if (!(await inside((db) => hooks.isAwaited(db, data.notificationId)))) return
  const since = clock.timestamp()
  const replies = await carrier.listInbound!(data.to, Date.parse(data.since) - OVERLAP)
  for (const reply of replies) await hooks.take(reply)
  await inside((db) => lookAt(jobs, db, { ...data, since }))
}
