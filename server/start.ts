import { randomInt } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'

import type { Logger } from 'pino'

import { UsageCounter } from '#server/api-keys/flows.ts'
import { CallsFeed } from '#server/calls/live.flows.ts'
import { watchOutages } from '#server/carrier-outages/flows.ts'
import { type ChatMirror, mirrorChats } from '#server/chat/hosted.flows.ts'
import { ChatFeed } from '#server/chat/live.flows.ts'
import { findReplyTo } from '#server/config/flows.ts'
import { playExercises } from '#server/demo/exercise.flows.ts'
import { seedDemo } from '#server/demo/flows.ts'
import { watchDutyClocks } from '#server/duties/flows.ts'
import { remindOfFollowUps } from '#server/follow-ups/flows.ts'
import { readFileTexts } from '#server/file-texts/flows.ts'
import { makeReports } from '#server/incident-reports/flows.ts'
import { keepRhythms } from '#server/incident-roles/rhythm.flows.ts'
import { makeDeletions } from '#server/managed-organisations/deletion.flows.ts'
import {
  recordDelivered,
  recountLater,
  recountNotifications,
} from '#server/mass-notifications/history.flows.ts'
import { takeEscalationSteps } from '#server/mass-notifications/escalation-steps.flows.ts'
import { isQuestionOpen, takeKey, takeReply } from '#server/mass-notifications/replies.flows.ts'
import { sendPlannedTests } from '#server/readiness/tests.flows.ts'
import { endApprovals } from '#server/notification-approvals/flows.ts'
import { makePlaybookExports } from '#server/playbook-exports/flows.ts'
import { emptyBins } from '#server/playbooks/bin.flows.ts'
import { remindOfMessages } from '#server/chat/saved.flows.ts'
import type { HookHandlers } from '#server/kit/database/hooks.ts'
import { remindOfTasks } from '#server/incidents/due.flows.ts'
import { sendScheduledMessages } from '#server/chat/scheduled.flows.ts'
import { remindOwners } from '#server/playbooks/reviews.flows.ts'
import { makeShares } from '#server/playbook-shares/copies.flows.ts'
import { makeExports } from '#server/room-exports/flows.ts'
import { hasNoOrganisation } from '#server/organisations/store.ts'
import { ActivityLog } from '#server/users/activity.flows.ts'

import { buildApp } from './app.ts'
import { HOOKS } from './nouns.ts'
import { type PlannedBackups, planBackups } from './kit/backup/plan.ts'
import { makeAttempts } from './kit/security/attempts.ts'
import { blobsOn, type Shelf } from './kit/blobs/blobs.ts'
import { type Bus, openBus } from './kit/events/bus.ts'
import { connect, type Database } from './kit/database/db.ts'
import { diskSpace } from './kit/http/disk-space.ts'
import { eventSink } from './kit/events/events.ts'
import { openSecret, openShelf } from './kit/blobs/installation.ts'
import { type FileCheck, watchFiles } from './kit/blobs/file-check.ts'
import { makeJobs } from './kit/jobs/jobs.ts'
import { makeHints } from './kit/live/hints.ts'
import { watchBounces } from './kit/messages/bounces.ts'
import { makePost, type PostParts } from './kit/messages/mailer.ts'
import { makeOwnLinks } from './kit/messages/own-links.ts'
import { demandMigrated, listMigrations, migrate } from './kit/database/migrate.ts'
import { noteMigrations, type Update } from './kit/database/update-copy.ts'
import { type StartedDatabase, startDatabase } from './kit/database/start-database.ts'
import { makeOrigins } from './kit/http/origins.ts'
import { isOutboxOpen } from './kit/messages/outbox.ts'
import { loadOutboxKey, makeSecrets } from './kit/security/secrets.ts'
import type { Services } from './kit/services.ts'
import type { Settings } from './kit/core/settings.ts'
import { unusable } from './kit/core/start-problems.ts'
import { makeTokens } from './kit/security/tokens.ts'
import { sendWebhooks } from '#server/webhooks/sending.flows.ts'
import { populateSubmitted } from '#server/welcome/population.flows.ts'

export interface Muster {
  readonly url: string
  readonly services: Services
  /** Lines for the terminal. */
  readonly welcome: readonly string[]
  /** Resolves when an essential part stops unexpectedly. */
  readonly failed: Promise<Error>
  stop(): Promise<void>
}

/** Maximum number of connections per process. */
const POOL_SIZE = 20

/**
 * The matching parts of an installation: the database, the secret that it was created with, and the files that it
 * refers to.
 */
export async function openInstallation(
  database: Database,
  settings: Settings,
): Promise<{ secret: Buffer; shelf: Shelf }> {
  try {
    const secret = await openSecret(database, settings)
    return { secret, shelf: await openShelf(database, settings, secret) }
  } catch (error) {
    // Only errors of the folder itself are system errors.
    if ((error as NodeJS.ErrnoException).syscall) throw unusable(settings.dataDir, error)
    throw error
  }
}

const MIGRATIONS = join(import.meta.dirname, 'migrations')
const BACKUP = join(import.meta.dirname, 'backup.ts')

/** Length to which the log cuts a slow statement. */
const STATEMENT_LOGGED = 2_000

/** Levels of PostgreSQL's log above informational ones. */
const LOG_LEVELS: { readonly [level: string]: 'warn' | 'error' } = {
  WARNING: 'warn',
  FATAL: 'warn',
  PANIC: 'error',
}

export type Undo = (() => Promise<unknown> | void)[]

/**
 * The database with the newest schema, its connections, and the bus of its changes. Handlers that need the services are
 * added to `hooks`.
 */
export async function openDatabase(
  settings: Settings,
  log: Logger,
  undo: Undo,
  starting: Promise<StartedDatabase> = startDatabase(settings, MIGRATIONS),
) {
  const started = await starting
  const { connection, failed } = started
  undo.push(() => started.stop())
  started.onLog(({ level, text }) =>
    log[LOG_LEVELS[level] ?? 'info']({ database: `${level}: ${text}` }, 'database'),
  )
  if (started.update) log.info(started.update, 'the database is updated, and a copy of it as it was is kept')
  await (started.isShared ? demandMigrated : migrate)(connection, MIGRATIONS)
  if (!settings.databaseUrl && !started.isShared)
    await noteMigrations(settings.dataDir, listMigrations(MIGRATIONS))
  const bus = await openBus(connection, (error) => log.error(error, 'bus'))
  undo.push(() => bus.close())
  const hooks: HookHandlers[] = [...HOOKS]
  const database = connect(
    { ...connection, max: POOL_SIZE },
    eventSink((organisationId) => bus.publish('events', organisationId)),
    (error) => log.error(error, 'database connection'),
    hooks,
    (text, ms) => {
      if (ms >= settings.slowStatementMs)
        log.warn({ statement: text.slice(0, STATEMENT_LOGGED), ms: Math.round(ms) }, 'slow statement')
    },
  )
  undo.push(() => database.close())
  return { connection, failed, bus, database, hooks, update: started.update ?? null }
}

/** A line about an update of the database. */
const updateLines = (update: Update | null): string[] =>
  update
    ? [
        `The database was updated${update.pending.length > 0 ? `: ${update.pending.join(', ')}` : ''}. It is kept as it was in ${update.copy}.`,
      ]
    : []

/** Lines about the outbox, which keeps the messages of services that are not configured. */
function outboxLines(settings: Settings, port: number, key: string): string[] {
  if (settings.keptInOutbox.length === 0) return []
  const what = new Intl.ListFormat('en-GB').format(settings.keptInOutbox).replace(/^m/, 'M')
  if (!isOutboxOpen(settings))
    return [`${what} are only kept, and TRUST_PROXY closes the outbox. Set ALLOW_OUTBOX=1 to read it.`]
  const host = settings.host === '::' ? '[::1]' : settings.host === '0.0.0.0' ? '127.0.0.1' : settings.host
  return [`${what} are kept at http://${host}:${port}/outbox?key=${encodeURIComponent(key)}`]
}

/** Creates the demonstration organisations, on the first start only, and returns the sign-in lines. */
async function seed(services: Services): Promise<string[]> {
  const { demo, demoPassword } = services.settings
  if (!demo) return []
  const password = demoPassword ?? newPassword()
  if (!(await seedDemo(services, password))) return []
  return [
    '',
    'A demonstration organisation was made. Sign in with',
    '  organisation  demo',
    '  email         admin@demo.example',
    `  password      ${password}`,
    '',
    'The password is shown only now. Set DEMO=0 on an empty data folder to start without a demonstration.',
  ]
}

/** Starts the write-behind caches. */
function startCounters(database: Database, log: Logger, undo: Undo) {
  const usage = new UsageCounter(database, log)
  const activity = new ActivityLog(database, log)
  undo.push(
    () => usage.stop(),
    () => activity.stop(),
  )
  return { usage, activity }
}

/** The feeds of the live socket that carry more than ids. */
function startFeeds(database: Database, bus: Bus, settings: Settings, log: Logger, undo: Undo) {
  const chat = new ChatFeed({ database, bus, onError: (error) => log.error(error, 'chat') })
  const calls = new CallsFeed({
    database,
    bus,
    isAlone: !settings.databaseUrl,
    onError: (error) => log.error(error, 'calls'),
  })
  undo.push(
    () => chat.close(),
    () => calls.close(),
  )
  return { chat, calls }
}

/** Sign-in lines for the console, until there is an organisation besides the demonstration. */
async function consoleLines(
  { settings, database, publicUrl }: Services,
  isFirst: boolean,
): Promise<string[]> {
  const [email] = settings.staffEmails
  if (email === undefined || !(isFirst || (await hasNoOrganisation(database)))) return []
  const kept = settings.smtpUrl === null ? ', which the outbox keeps' : ''
  return [
    '',
    `${isFirst ? 'Organisations are managed' : 'No organisation exists yet. Create one'} at ${publicUrl()}/management-login:`,
    `enter ${email} and open the link in the mail${kept}.`,
  ]
}

/** Registers the handlers of all queues, and of hooks that enqueue; call before the jobs begin. */
function handleJobs(services: Services, hooks: HookHandlers[]): void {
  hooks.push(remindOfTasks(services))
  makeReports(services)
  playExercises(services)
  makeExports(services)
  makePlaybookExports(services)
  makeDeletions(services)
  makeShares(services)
  remindOwners(services)
  remindOfMessages(services)
  remindOfFollowUps(services)
  watchDutyClocks(services)
  sendScheduledMessages(services)
  endApprovals(services)
  takeEscalationSteps(services)
  keepRhythms(services)
  sendPlannedTests(services)
  emptyBins(services)
  populateSubmitted(services)
  readFileTexts(services)
  recountNotifications(services)
}

/** Messages to people, with what mass notifications do about their outcomes. */
const openPost = ({
  hints,
  attempts,
  ...parts
}: Pick<PostParts, 'settings' | 'database' | 'jobs' | 'log' | 'ownLinks'> &
  Pick<Services, 'hints' | 'settings' | 'attempts'>) =>
  makePost({
    ...parts,
    replies: {
      isAwaited: isQuestionOpen,
      take: (reply) => takeReply({ ...parts, hints, attempts }, reply),
      press: (organisationId, messageId, key) =>
        takeKey({ ...parts, hints, attempts }, { organisationId, messageId, key }),
    },
    settled: recordDelivered,
    confirmed: (db, ids) => recountLater({ jobs: parts.jobs, hints }, db, ids),
    findReplyTo,
  })

/** Starts planned backups. */
function startBackups({ backups }: Settings, log: Logger, undo: Undo): PlannedBackups {
  const planned = planBackups(backups, BACKUP, log)
  undo.push(() => planned.stop())
  return planned
}

/** Starts comparing stored files with their records. */
function checkFiles(shelf: Shelf, database: Database, log: Logger, undo: Undo): FileCheck {
  const check = watchFiles(shelf, database, log)
  undo.push(() => check.stop())
  return check
}

/** Starts mirroring rooms to hosted chat services. */
async function startMirror(services: Services, log: Logger, undo: Undo): Promise<ChatMirror> {
  const mirror = await mirrorChats(services, ({ message }, organisationId) =>
    log.warn({ organisationId, message }, 'hosted chat'),
  )
  undo.push(mirror.stop)
  return mirror
}

/** Starts reading mails that came back, looking for carriers that serve nobody, and sending to webhooks. */
async function watchOutside(services: Services, log: Logger, undo: Undo): Promise<void> {
  const bounces = watchBounces({ ...services, log })
  const outages = watchOutages(services, log)
  const webhooks = await sendWebhooks(services, log)
  undo.push(
    () => webhooks.stop(),
    () => bounces.stop(),
    () => outages.stop(),
  )
}

/** Lines for the terminal once the product listens. */
const welcomeLines = async (
  services: Services,
  parts: { readonly port: number; readonly demo: readonly string[]; readonly update: Update | null },
): Promise<string[]> => [
  `Muster is ready at ${services.publicUrl()}`,
  ...updateLines(parts.update),
  ...outboxLines(services.settings, parts.port, services.outboxKey),
  ...parts.demo,
  ...(await consoleLines(services, parts.demo.length > 0)),
]

/**
 * Starts everything: the folder, the database, the schema, the jobs, the site. `stop` undoes it in reverse.
 * @param starting the database, where it is starting already
 */
export async function startMuster(
  settings: Settings,
  { log, siteDir, starting }: { log: Logger; siteDir: string; starting?: Promise<StartedDatabase> },
): Promise<Muster> {
  const undo: Undo = []
  const stop = async () => {
    for (const step of undo.splice(0).toReversed()) await step()
  }
  try {
    return await start()
  } catch (error) {
    await stop()
    throw error
  }

  async function start(): Promise<Muster> {
    const opened = await openDatabase(settings, log, undo, starting)
    const { connection, failed, bus, database, hooks, update } = opened

    const { secret, shelf } = await openInstallation(database, settings)
    const secrets = makeSecrets(secret)
    const space = diskSpace(settings.dataDir)
    const blobs = blobsOn(shelf, database, secret, settings.s3 ? undefined : space.demandRoom)
    const jobs = makeJobs({ database, connection, isAlone: !settings.databaseUrl, blobs, log })
    const ownLinks = makeOwnLinks(secrets)
    const hints = makeHints(bus)
    const attempts = makeAttempts(secrets)
    const post = openPost({ settings, database, jobs, log, hints, attempts, ownLinks })
    const outboxKey = await loadOutboxKey(settings.outboxKey, settings.dataDir).catch((error: unknown) => {
      throw unusable(settings.dataDir, error)
    })
    const { chat, calls } = startFeeds(database, bus, settings, log, undo)
    let port = 0
    const origins = makeOrigins(settings, () => port)
    const backups = startBackups(settings, log, undo)
    const services: Services = {
      settings,
      database,
      bus,
      tokens: makeTokens(secret),
      secrets,
      attempts,
      blobs,
      jobs,
      post,
      ownLinks,
      publicUrl: origins.publicUrl,
      origins,
      outboxKey,
      chat,
      calls,
      hints,
      backups,
    }
    handleJobs(services, hooks)
    const mirror = await startMirror(services, log, undo)
    await jobs.start()
    undo.push(() => jobs.stop())
    // Before the server listens, because seeding moves the clock.
    const demo = await seed(services)

    const counters = startCounters(database, log, undo)
    const files = checkFiles(shelf, database, log, undo)
    await watchOutside(services, log, undo)
    const warnings = () => [space, files, post, backups].flatMap((part) => part.warnings())
    const parts = { services, bus, feeds: [chat, calls], log, ...counters, siteDir, space, mirror, warnings }
    const built = buildApp(parts)
    const { app, hub, consoleHub } = built
    // Sockets first, because the server waits for its connections to end.
    undo.push(closing(built), () => [hub, consoleHub].forEach((sockets) => sockets.close()))
    await app.listen({
      port: settings.port,
      host: settings.host,
      listenTextResolver: (address) => `listening at ${address}`,
    })
    ;({ port } = app.server.address() as AddressInfo)
    const url = makeOrigins({ ...settings, publicUrl: null }, () => port).publicUrl()
    const welcome = await welcomeLines(services, { port, demo, update })
    return { url, services, failed, stop, welcome }
  }
}

/**
 * Returns the function that closes the server. It ends connections that have carried no request, which browsers open
 * ahead: the server would wait for them for ever.
 */
function closing({ app }: Pick<ReturnType<typeof buildApp>, 'app'>): () => Promise<void> {
  const unused = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  const used = ({ socket }: IncomingMessage) => void unused.delete(socket)
  app.server.on('request', used)
  app.server.on('upgrade', used)
  return () => {
    const closed = app.close()
    for (const socket of unused) socket.destroy()
    return closed
  }
}

/** A password that satisfies the product's rules and can be read out. */
function newPassword(): string {
  const pick = (from: string, count: number) =>
    Array.from({ length: count }, () => from[randomInt(from.length)]).join('')
  return `${pick('ABCDEFGHJKLMNPQRSTUVWXYZ', 1)}${pick('abcdefghjkmnpqrstuvwxyz', 11)}-${pick('23456789', 4)}`
}
