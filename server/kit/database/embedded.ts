import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'

import {
  checkDatabaseFolder,
  databaseFolder,
  forgetSizes,
  noteSizes,
} from '#server/kit/database/database-folder.ts'
import type { WorkerCommand, WorkerMessage, WorkerTask } from '#server/kit/database/embedded-worker.ts'
import { makePrivate } from '#server/kit/database/lock.ts'
import { CannotStart } from '#server/kit/start-problems.ts'

export interface Embedded {
  /** For `pg.Pool`. */
  readonly connection: {
    readonly host: string
    readonly port: number
    readonly user: string
    readonly password: string | undefined
    readonly database: string
  }
  /** Resolves, with a sentence, if the database ever stops by itself. The process should end then. */
  readonly failed: Promise<Error>
  /** Number of the database's fsync calls. */
  fsyncs(): Promise<number>
  /** Writes everything to its place and ends the thread. Connections that are still open are cut: end pools first. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  /** How long a transaction may keep others waiting without a statement. */
  readonly idleInTransactionMs?: number
  /** How long a statement of a heavy client may take (`HEAVY_CLIENT`). */
  readonly heavyLimitMs?: number
  /** How long a heavy client waits, at most, while others come. */
  readonly heavyWaitMs?: number
  /** Listen on a port of the loopback address, for systems without unix sockets. */
  readonly loopback?: boolean
}

const DEFAULTS: Required<EmbeddedOptions> = {
  idleInTransactionMs: 10_000,
  heavyLimitMs: 10_000,
  heavyWaitMs: 50,
  loopback: process.platform === 'win32',
}
const PORT = 5432
/** The shortest limit of a unix socket's path is macOS's, 103 bytes. */
const MAX_SOCKET_PATH = 100

/**
 * Starts PostgreSQL inside this process, in a thread of its own, on `dataDir`/postgres. Hold the folder first: the
 * database itself takes no lock. All connections share one session: only SET LOCAL, named statements by `sessionNames`, no LISTEN,
 * no COPY FROM STDIN.
 * @throws Error with a sentence for a person when it does not start
 */
export async function startEmbedded(dataDir: string, options: EmbeddedOptions = {}): Promise<Embedded> {
  const { loopback, ...limits } = { ...DEFAULTS, ...options }
  const whole = resolve(dataDir)
  makePrivate(whole)
  const folder = databaseFolder(whole)
  if (!checkDatabaseFolder(whole)) await makeDatabase(folder)
  forgetSizes(whole)

  // Only this user can open the socket's folder. A loopback port is open to the whole machine, so it requires a
  // password.
  const place = loopback ? undefined : socketFolder(whole)
  const password = loopback ? randomBytes(24).toString('base64url') : undefined
  const socket = place && join(place.folder, `.s.PGSQL.${PORT}`)
  if (socket) rmSync(socket, { force: true })
  const database = launch({ folder, socket, password, ...limits })

  const first = await Promise.race([database.first, database.exited.then(() => null)])
  if (first?.kind !== 'ready') {
    if (first) database.send('stop')
    const code = await database.exited
    place?.remove()
    throw new CannotStart(
      first
        ? `The embedded database in ${folder} is damaged: ${first.what}. Restore the data folder from a backup.`
        : `The embedded database in ${folder} did not start: ${database.reason(code)}.`,
    )
  }

  const connection = {
    host: place?.folder ?? '127.0.0.1',
    port: first.port ?? PORT,
    user: 'postgres',
    password,
    database: 'postgres',
  }

  let stopping: Promise<void> | undefined
  return {
    connection,
    failed: new Promise((resolve) => {
      void database.exited.then((code) => {
        if (stopping) return
        place?.remove()
        resolve(
          new Error(
            `The embedded database stopped by itself: ${database.reason(code)}. ` +
              'What it has confirmed is on disk; start Muster again.',
          ),
        )
      })
    }),
    fsyncs: database.fsyncs,
    stop: () => {
      stopping ??= (async () => {
        database.send('stop')
        const code = await database.exited
        place?.remove()
        if (code !== 0)
          throw new Error(`The embedded database did not stop cleanly: ${database.reason(code)}.`)
        noteSizes(whole)
      })()
      return stopping
    },
  }
}

/**
 * In a process that ends, because making a database needs hundreds of megabytes for two seconds, of which a thread would
 * leave a good part behind.
 */
async function makeDatabase(folder: string): Promise<void> {
  const child = fork(join(import.meta.dirname, 'embedded-create.ts'), [folder], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  const reason = /(?:Error|FATAL|PANIC): +(.*)/.exec(said)?.[1] ?? `its process ended with code ${code}`
  if (code !== 0)
    throw new CannotStart(
      `The embedded database could not be made in ${folder}: ${reason.replace(/\.$/, '')}.`,
    )
}

/** A folder for the socket: in the data folder, or under a short name when its path would be too long for a socket. */
function socketFolder(dataDir: string): { folder: string; remove(): void } {
  const folder = join(dataDir, 'socket')
  if (Buffer.byteLength(join(folder, `.s.PGSQL.${PORT}`)) <= MAX_SOCKET_PATH) {
    makePrivate(folder)
    return { folder, remove: () => {} }
  }
  const short = mkdtempSync(join(tmpdir(), 'muster-'))
  return { folder: short, remove: () => rmSync(short, { recursive: true, force: true }) }
}

/** The worker, with its messages as promises. */
function launch(task: WorkerTask) {
  // Each thread that has helped to compile the engine keeps some 30 MB of scratch space for good. One is enough.
  setFlagsFromString('--wasm-num-compilation-tasks=1')
  const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), {
    workerData: task,
    execArgv: [],
    // Enough for PostgreSQL to meet its own limit on nesting first and refuse: overrunning the thread's ends it.
    resourceLimits: { stackSizeMb: 64 },
  })
  let reason: string | undefined
  const first = Promise.withResolvers<WorkerMessage & { kind: 'ready' | 'damaged' }>()
  const exited = Promise.withResolvers<number>()
  const counts: ((count: number) => void)[] = []
  worker.on('message', (said: WorkerMessage) => {
    if (said.kind === 'ready' || said.kind === 'damaged') first.resolve(said)
    else if (said.kind === 'fsyncs') counts.shift()?.(said.count)
    else reason = said.reason
  })
  worker.on('error', (error) => {
    reason ??= error.message
  })
  worker.on('exit', (code) => exited.resolve(code))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  const send = (command: WorkerCommand) => worker.postMessage(command)
  return {
    first: first.promise,
    exited: exited.promise,
    reason: (code: number) => (reason ?? `its thread ended with code ${code}`).replace(/\.$/, ''),
    send,
    fsyncs: () =>
      new Promise<number>((resolve) => {
        counts.push(resolve)
        send('fsyncs')
      }),
  }
}
