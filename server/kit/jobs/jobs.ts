import { setTimeout as wait } from 'node:timers/promises'

import { sql } from 'kysely'
import type pg from 'pg'
import { type ConstructorOptions, type JobWithMetadata, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'

import type { Blobs } from '../blobs/blobs.ts'
import { SECOND } from '../core/clock.ts'
import { afterCommit, type Database, type TransactionDb, unitOf } from '../database/db.ts'
import { type Chore, chores, FIRST_ROUND_AFTER, ROUND_EVERY } from './housekeeping.ts'
import { freeAbandonedJobs, inTransaction, letMembersSend } from './jobs-database.ts'

/** One attempt at a job. */
export interface Job<Data extends object = object> {
  readonly organisationId: string
  readonly data: Data
  /** No further attempt follows when this one fails. */
  readonly last: boolean
  /** Whether this process is about to end: what can be left for the next attempt should be. */
  readonly isStopping: () => boolean
}
/** An error fails the attempt. A job may run again after a crash, so it must skip finished work. */
export type JobHandler<Data extends object> = (job: Job<Data>) => Promise<void>
export interface QueueOptions {
  /** Jobs of the queue that one process works on at once. */
  readonly parallel?: number
  /** An attempt that takes longer has failed. */
  readonly timeoutSeconds?: number
  /** How soon an attempt is retried, at the earliest, and how soon the jobs of a process that died are found. */
  readonly pollSeconds?: number
  /** How often an attempt that failed is retried. */
  readonly retries?: number
}

/** Work that happens after the call that caused it, at least once, even if the process dies. */
export interface Jobs {
  /** Says, before the start, who does the jobs of a queue. */
  handle<Data extends object>(queue: string, handler: JobHandler<Data>, options?: QueueOptions): void
  /** Says, before the start, what one process does each time a period has passed; it returns a count for the log. */
  every(name: string, period: number, run: () => Promise<number>): void
  /** Enqueues in the transaction that causes it: all are committed or none. */
  enqueue(db: TransactionDb, queue: string, ...data: readonly object[]): Promise<void>
  /** Has the jobs of an organisation that was closed done at once, after the transaction has committed. */
  release(db: TransactionDb, organisationId: string): void
  start(): Promise<void>
  /** Takes no more jobs and lets those that were begun finish, for some seconds. */
  stop(): Promise<void>
}

export interface JobsParts {
  readonly database: Database
  readonly connection: pg.PoolConfig
  /** There is no other process. */
  readonly isAlone: boolean
  readonly blobs: Pick<Blobs, 'sweep' | 'remove'>
  readonly log: Logger
}

const DAY_SECONDS = 86_400
/** Fourteen retries, after 1 s, 2 s and so on to a quarter of an hour: more than an hour in all. */
const RETRIES = { retryLimit: 14, retryDelay: 1, retryBackoff: true, retryDelayMax: 900 }
/** Where others work too, a job whose worker is silent for so long is given to another. */
const HEARTBEAT_SECONDS = 60
const TIMEOUT_SECONDS = 300
const POLL_SECONDS = 2
const HOUSEWORK = 'housekeeping'
const STOP_MS = 10_000
/** Connections of a server that the jobs may use beside the product's own. */
const CONNECTIONS = 4

/** What pg-boss does besides jobs is slowed down as far as it goes: an idle server should be idle. */
function bossOptions({ connection, isAlone }: JobsParts): ConstructorOptions {
  const rarely = { flowIntervalSeconds: 3_600, bamIntervalSeconds: 3_600, queueCacheIntervalSeconds: 3_600 }
  // Finds jobs whose process has died, which takes another process.
  const often = isAlone ? 600 : 30
  return {
    ...rarely,
    schedule: false,
    maintenanceIntervalSeconds: 3_600,
    superviseIntervalSeconds: often,
    monitorIntervalSeconds: often,
    ...(connection as ConstructorOptions),
    max: CONNECTIONS,
  }
}

interface Stored {
  readonly organisationId: string
  readonly data: object
}
interface Work {
  readonly handler: JobHandler<object>
  readonly options: QueueOptions
}

/** Makes the queues and brings their options up to date. */
async function openQueues(boss: PgBoss, works: ReadonlyMap<string, Work>, isAlone: boolean): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  for (const [name, { options }] of works) {
    const wanted = {
      ...RETRIES,
      retryLimit: options.retries ?? RETRIES.retryLimit,
      expireInSeconds: options.timeoutSeconds ?? TIMEOUT_SECONDS,
      deleteAfterSeconds: DAY_SECONDS,
      // A notification within a transaction takes a lock of the whole server.
      notify: false,
      heartbeatSeconds: isAlone ? null : HEARTBEAT_SECONDS,
    }
    const queue = known.get(name) as Record<string, unknown> | undefined
    if (!queue) await boss.createQueue(name)
    if (!queue || Object.entries(wanted).some(([key, value]) => (queue[key] ?? null) !== value))
      await boss.updateQueue(name, wanted)
    // Known from here on, so that no transaction waits for a second connection to ask for it.
    await boss.insert(name, [])
  }
}

interface Conditions {
  readonly log: Logger
  readonly isStopping: () => boolean
  /** Puts a job of a closed organisation back for later. Returns false where its organisation is open. */
  readonly defer: (job: JobWithMetadata<Stored>) => Promise<boolean>
}

/** How often a job of a closed organisation is looked at again. */
const CLOSED_SECONDS = 3_600

/** Whether the organisation of a job is suspended or deleted. */
async function isClosed({ directory }: Database, organisationId: string): Promise<boolean> {
  if (organisationId === '') return false
  const { rows } = await sql`select from organisations where id = ${organisationId} and is_closed`.execute(
    directory,
  )
  return rows.length > 0
}

/** Puts a job of a closed organisation back for later. Returns false where its organisation is open. */
async function defer(
  boss: PgBoss,
  database: Database,
  { name, data }: JobWithMetadata<Stored>,
): Promise<boolean> {
  if (!(await isClosed(database, data.organisationId))) return false
  await boss.send(name, data, { startAfter: CLOSED_SECONDS })
  return true
}

/** Has the waiting jobs of an organisation done with the next look into their queues. */
const makeDue = (pool: pg.Pool, organisationId: string) =>
  pool.query(
    `update pgboss.job set start_after = now()
      where data ->> 'organisationId' = $1 and state in ('created', 'retry')`,
    [organisationId],
  )

/** Runs a job once, and returns how pg-boss is to note it. */
async function attempt(
  job: JobWithMetadata<Stored>,
  { handler }: Work,
  { log, isStopping, defer }: Conditions,
) {
  const completed = { id: job.id, status: 'completed' as const }
  try {
    if (await defer(job)) return completed
    const last = job.retryCount >= job.retryLimit
    await handler({ ...job.data, last, isStopping })
    return completed
  } catch (error) {
    // No more of it: what else an error carries may name people.
    const { message, stack } = error as Error
    log.warn({ queue: job.name, job: job.id, attempt: job.retryCount + 1, message, stack }, 'job failed')
    return { id: job.id, status: 'failed' as const, output: { message } }
  }
}

/** Does the chores that are due. */
const houseworkOf = (all: ReadonlyMap<string, Chore>, log: Logger): Work => ({
  handler: async ({ data }) => {
    const { chore } = data as { chore: string }
    const done = await all.get(chore)?.run()
    log.debug({ chore, done }, 'housekeeping')
  },
  options: { pollSeconds: 60 },
})

/** A job queue in the application's database, so that jobs commit or roll back with the change that adds them. */
export function makeJobs(parts: JobsParts): Jobs {
  const { database, isAlone, log } = parts
  const boss = new PgBoss(bossOptions(parts))
  boss.on('error', (error) => log.error(error, 'jobs'))
  boss.on('warning', (warning) => log.warn(warning, 'jobs'))
  const works = new Map<string, Work>()
  const workers = new Map<string, string>()
  const wake = (queue: string) => boss.notifyWorker(workers.get(queue) ?? '')
  const all = chores(parts)
  let rounds: NodeJS.Timeout | undefined
  let isStopping = false

  const conditions: Conditions = {
    log,
    isStopping: () => isStopping,
    defer: (job) => defer(boss, database, job),
  }
  async function beginWork(): Promise<void> {
    for (const [name, work] of works) {
      const options = {
        batchSize: work.options.parallel ?? 1,
        includeMetadata: true,
        perJobResults: true,
        pollingIntervalSeconds: work.options.pollSeconds ?? POLL_SECONDS,
      } as const
      const worker = await boss.work<Stored, object, typeof options>(name, options, (jobs) => {
        // Where there was something there may be more: looked for at once, not with the next poll.
        wake(name)
        return Promise.all(jobs.map((job) => attempt(job, work, conditions)))
      })
      workers.set(name, worker)
    }
  }

  /** Puts the chores that are due into their queue. Where that is done in one period already, nothing happens. */
  async function goRound(): Promise<void> {
    rounds = setTimeout(() => void goRound(), ROUND_EVERY)
    try {
      for (const [chore, { every }] of all) {
        const job = { organisationId: '', data: { chore } } satisfies Stored
        await boss.send(HOUSEWORK, job, { singletonKey: chore, singletonSeconds: every / SECOND })
      }
      wake(HOUSEWORK)
    } catch (error) {
      log.error(error, 'housekeeping')
    }
  }
  works.set(HOUSEWORK, houseworkOf(all, log))

  return {
    handle(queue, handler, options = {}) {
      works.set(queue, { handler: handler as JobHandler<object>, options })
    },
    every(name, period, run) {
      all.set(name, { every: period, run })
    },
    async enqueue(db, queue, ...data) {
      const { organisationId } = unitOf(db)
      const jobs = data.map((one) => ({ data: { organisationId, data: one } satisfies Stored }))
      await boss.insert(queue, jobs, { db: inTransaction(db, `job_${queue}`) })
      // Wakes this process at once; other processes poll the database.
      afterCommit(db, () => wake(queue))
    },
    release(db, organisationId) {
      const wakeAll = () => [...works.keys()].forEach(wake)
      const failed = (error: unknown) => log.error(error, 'jobs')
      afterCommit(db, () => void makeDue(database.pool, organisationId).then(wakeAll, failed))
    },
    async start() {
      await boss.start()
      await openQueues(boss, works, isAlone)
      await letMembersSend(database.pool)
      if (isAlone) await freeAbandonedJobs(boss, database.pool)
      await beginWork()
      rounds = setTimeout(() => void goRound(), FIRST_ROUND_AFTER)
    },
    async stop() {
      isStopping = true
      clearTimeout(rounds)
      // Unfinished jobs return to the queue and run after the next start.
      const done = Promise.all([...workers.keys()].map((queue) => boss.offWork(queue)))
      await Promise.race([done, wait(STOP_MS, undefined, { ref: false })])
      await boss.stop({ graceful: false })
    },
  }
}
