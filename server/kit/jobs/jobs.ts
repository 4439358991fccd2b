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
  /** True when this process is about to end: leave remaining work to the next attempt. */
  readonly isStopping: () => boolean
}
/** An error fails the attempt. A job may run again after a crash, so it must skip finished work. */
export type JobHandler<Data extends object> = (job: Job<Data>) => Promise<void>
export interface QueueOptions {
  /** Concurrent jobs of the queue per process. */
  readonly parallel?: number
  /** Time limit of an attempt. */
  readonly timeoutSeconds?: number
  /** Interval of polling: the earliest retry, and the time to find the jobs of a process that died. */
  readonly pollSeconds?: number
  /** Number of retries after a failed attempt. */
  readonly retries?: number
}

/** Work after the request that caused it, at least once, even if the process dies. */
export interface Jobs {
  /** Registers the handler of a queue; call before the start. */
  handle<Data extends object>(queue: string, handler: JobHandler<Data>, options?: QueueOptions): void
  /** Registers periodic work for one process; call before the start. `run` returns a count for the log. */
  every(name: string, period: number, run: () => Promise<number>): void
  /** Enqueues in the causing transaction, so that jobs commit or roll back with it. */
  enqueue(db: TransactionDb, queue: string, ...data: readonly object[]): Promise<void>
  /** Enqueues in the causing transaction for a later time, an ISO timestamp. */
  enqueueAt(db: TransactionDb, queue: string, at: string, ...data: readonly object[]): Promise<void>
  /** Makes the waiting jobs of a reopened organisation due, after the commit. */
  release(db: TransactionDb, organisationId: string): void
  /** Makes retries of queues that wait due. */
  hasten(...queues: readonly string[]): Promise<void>
  start(): Promise<void>
  /** Allows to enqueue without doing any of the work, beside the processes that do. */
  open(): Promise<void>
  /** Stops taking jobs and waits some seconds for those in progress. */
  stop(): Promise<void>
}

export interface JobsParts {
  readonly database: Database
  readonly connection: pg.PoolConfig
  /** True without another process. */
  readonly isAlone: boolean
  readonly blobs: Pick<Blobs, 'sweep' | 'remove'>
  readonly log: Logger
}

const DAY_SECONDS = 86_400
/** Fourteen retries, after 1 s, 2 s and so on up to a quarter of an hour: more than an hour in all. */
const RETRIES = { retryLimit: 14, retryDelay: 1, retryBackoff: true, retryDelayMax: 900 }
/** Silence after which a worker's job is given to another, where there are several processes. */
const HEARTBEAT_SECONDS = 60
const TIMEOUT_SECONDS = 300
const POLL_SECONDS = 2
const HOUSEWORK = 'housekeeping'
const STOP_MS = 10_000
/** Database connections for jobs, beside the product's own. */
const CONNECTIONS = 4

/** Slows the maintenance of pg-boss down as far as possible: an idle server should be idle. */
function bossOptions({ connection, isAlone }: JobsParts): ConstructorOptions {
  const rarely = { flowIntervalSeconds: 3_600, bamIntervalSeconds: 3_600, queueCacheIntervalSeconds: 3_600 }
  // Interval of looking for jobs of dead processes, which need another process to exist.
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

/** Creates the queues and updates their options. */
async function openQueues(boss: PgBoss, works: ReadonlyMap<string, Work>, isAlone: boolean): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  for (const [name, { options }] of works) {
    const wanted = {
      ...RETRIES,
      retryLimit: options.retries ?? RETRIES.retryLimit,
      expireInSeconds: options.timeoutSeconds ?? TIMEOUT_SECONDS,
      deleteAfterSeconds: DAY_SECONDS,
      // Notifications within a transaction take a lock of the whole server.
      notify: false,
      heartbeatSeconds: isAlone ? null : HEARTBEAT_SECONDS,
    }
    const queue = known.get(name) as Record<string, unknown> | undefined
    if (!queue) await boss.createQueue(name)
    if (!queue || Object.entries(wanted).some(([key, value]) => (queue[key] ?? null) !== value))
      await boss.updateQueue(name, wanted)
    // Caches the queue, so that no transaction waits for a second connection to look it up.
    await boss.insert(name, [])
  }
}

async function openBoss(
  boss: PgBoss,
  works: ReadonlyMap<string, Work>,
  { database, isAlone }: JobsParts,
): Promise<void> {
  await boss.start()
  await openQueues(boss, works, isAlone)
  await letMembersSend(database.pool)
}

interface Conditions {
  readonly log: Logger
  readonly isStopping: () => boolean
  /** Defers a job of a closed organisation. Returns false where its organisation is open. */
  readonly defer: (job: JobWithMetadata<Stored>) => Promise<boolean>
}

/** Seconds until a closed organisation's job is tried again. */
const CLOSED_SECONDS = 3_600

/** True when the organisation of a job is suspended or deleted. */
async function isClosed({ directory }: Database, organisationId: string): Promise<boolean> {
  if (organisationId === '') return false
  const { rows } = await sql`select from organisations where id = ${organisationId} and is_closed`.execute(
    directory,
  )
  return rows.length > 0
}

/** Defers a job of a closed organisation. Returns false where its organisation is open. */
async function defer(
  boss: PgBoss,
  database: Database,
  { name, data }: JobWithMetadata<Stored>,
): Promise<boolean> {
  if (!(await isClosed(database, data.organisationId))) return false
  await boss.send(name, data, { startAfter: CLOSED_SECONDS })
  return true
}

/** Makes the waiting jobs of an organisation due with the next poll. */
const makeDue = (pool: pg.Pool, organisationId: string) =>
  pool.query(
    `update pgboss.job set start_after = now()
      where data ->> 'organisationId' = $1 and state in ('created', 'retry')`,
    [organisationId],
  )

/** Makes the retries of queues that wait due with the next poll. */
const makeRetriesDue = (pool: pg.Pool, queues: readonly string[]) =>
  pool.query(
    `update pgboss.job set start_after = now()
      where name = any($1) and state = 'retry' and start_after > now()`,
    [queues],
  )

/** Inserts jobs in a transaction of their organisation. */
async function insertJobs(
  boss: PgBoss,
  db: TransactionDb,
  queue: string,
  data: readonly object[],
  startAfter?: Date,
): Promise<void> {
  const { organisationId } = unitOf(db)
  const jobs = data.map((one) => ({
    data: { organisationId, data: one } satisfies Stored,
    ...(startAfter && { startAfter }),
  }))
  await boss.insert(queue, jobs, { db: inTransaction(db, `job_${queue}`) })
}

/** Runs a job once, and returns the outcome for pg-boss. */
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
    // Message and stack only: other properties of an error may name people.
    const { message, stack } = error as Error
    log.warn({ queue: job.name, job: job.id, attempt: job.retryCount + 1, message, stack }, 'job failed')
    return { id: job.id, status: 'failed' as const, output: { message } }
  }
}

/** Runs the due chores. */
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
        // A full batch means that there may be more: poll again immediately.
        wake(name)
        return Promise.all(jobs.map((job) => attempt(job, work, conditions)))
      })
      workers.set(name, worker)
    }
  }

  /** Enqueues due chores. Skips those that are done in this period already. */
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
      await insertJobs(boss, db, queue, data)
      // Wakes this process at once; other processes poll the database.
      afterCommit(db, () => wake(queue))
    },
    enqueueAt: (db, queue, at, ...data) => insertJobs(boss, db, queue, data, new Date(at)),
    release(db, organisationId) {
      const wakeAll = () => [...works.keys()].forEach(wake)
      const failed = (error: unknown) => log.error(error, 'jobs')
      afterCommit(db, () => void makeDue(database.pool, organisationId).then(wakeAll, failed))
    },
    hasten: (...queues) => makeRetriesDue(database.pool, queues).then(() => queues.forEach(wake)),
    open: () => openBoss(boss, works, parts),
    async start() {
      await openBoss(boss, works, parts)
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
