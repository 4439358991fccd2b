import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  fsyncSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  closeSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

import pg from 'pg'

import { CannotStart } from '../core/start-problems.ts'
import { checkDatabaseFolder, databaseFolder, findDamage, forgetSizes, noteSizes } from './database-folder.ts'
import { makePrivate } from './lock.ts'
import { END_SIGNALS, endOf, ENDS_WITHIN, launch, type LogLine } from './postgres-process.ts'
import { findPrograms, findUser, noDatabase, type Programs, type User } from './postgres-program.ts'

export interface LocalDatabase {
  /** Options for `pg.Pool`, as the owner of the tables. */
  readonly connection: Connection
  /** As a superuser, who bypasses row-level security. */
  readonly superuser: Connection
  readonly pid: number
  /** Resolves with a sentence when the database ends unexpectedly. The process should end then. */
  readonly failed: Promise<Error>
  /** Calls the listener for each line of the log, including earlier ones. */
  onLog(listener: (line: LogLine) => void): void
  /** Closes connections and stops the server. */
  stop(): Promise<void>
}
export interface Connection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string | undefined
  readonly database: string
}

export interface LocalOptions {
  /** Additional settings of the server. */
  readonly settings?: Readonly<Record<string, string>>
  /** Listens on a loopback port: Node has no unix sockets on Windows. */
  readonly loopback?: boolean
}

/** Durable and small: most servers are idle, with one organisation, on a laptop. */
const SETTINGS = {
  shared_buffers: '32MB',
  max_connections: '60',
  min_wal_size: '32MB',
  max_wal_size: '128MB',
  // No processes for read-ahead or parallel queries: they take memory and the other cores.
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  max_logical_replication_workers: '0',
  // A shrunken file counts as damage (`findDamage`).
  vacuum_truncate: 'off',
  timezone: 'UTC',
  log_destination: 'stderr',
  log_line_prefix: '',
  // Statements and error details would contain user content.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_autovacuum_min_duration: '-1',
  lc_messages: 'C',
} as const
const PORT = 5432
/** macOS has the shortest limit for a unix socket's path, 103 bytes. */
const MAX_SOCKET_PATH = 100
export const [OWNER, SUPERUSER] = ['muster', 'postgres']
const POLL_MS = 20

/**
 * Starts PostgreSQL on `dataDir`/database, after ending a server that a killed process left there. Lock the folder
 * first.
 * @throws CannotStart when it cannot run here, does not start or is damaged
 */
export async function startLocal(dataDir: string, options: LocalOptions = {}): Promise<LocalDatabase> {
  const { loopback = process.platform === 'win32', settings = {} } = options
  makePrivate(dataDir)
  const whole = realpathSync(dataDir)
  const isThere = checkDatabaseFolder(whole)
  const user = findUser(whole)
  letIn(user, whole)
  const socket = loopback ? undefined : socketFolder(whole, user)
  const programs = await findPrograms(whole, user, socket)
  const folder = databaseFolder(whole)
  const passwordFile = join(whole, 'database-password')
  if (isThere) {
    makePrivate(folder)
    give(user, folder)
    await endSurvivor(folder)
  } else await makeDatabase(programs, folder, loopback ? passwordFile : undefined)
  forgetSizes(whole)

  const place = socket
    ? { host: socket, port: PORT, password: undefined }
    : { host: '127.0.0.1', port: await freePort(), password: readFileSync(passwordFile, 'utf8') }
  const where = loopback
    ? { listen_addresses: place.host, port: String(place.port), unix_socket_directories: '' }
    : { listen_addresses: '', port: String(PORT), unix_socket_directories: quoted(place.host) }
  const server = await launch(programs, folder, {
    ...SETTINGS,
    ...where,
    unix_socket_permissions: '0700',
    ...settings,
  })
  const superuser = { ...place, user: SUPERUSER, database: 'postgres' }
  const stop = onceAsync(async () => {
    await server.stop()
    noteSizes(whole)
  })
  const damage = await inspect(superuser)
  if (damage !== null) {
    await server.stop()
    throw new CannotStart(
      `The database in ${folder} is damaged: ${damage.replace(/\.$/, '')}. Restore the data folder from a backup.`,
    )
  }
  return {
    connection: { ...superuser, user: OWNER },
    superuser,
    pid: server.pid,
    failed: server.failed,
    onLog: (listener) => server.onLog(listener),
    stop,
  }
}

const onceAsync = (work: () => Promise<void>): (() => Promise<void>) => {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}

/** A quoted value of a list setting, which may contain spaces and commas. */
const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`

/** Grants the server's user passage through the data folder, which only its owner can read. */
function letIn(user: User | undefined, dataDir: string): void {
  const { uid } = statSync(dataDir)
  if (!user || uid === user.uid) return
  changing(() => {
    chownSync(dataDir, uid, user.gid)
    chmodSync(dataDir, 0o710)
  })
}

/** Changes the owner of a folder and its contents to the server's user, because restored backups belong to root. */
function give(user: User | undefined, folder: string): void {
  if (!user || lstatSync(folder).uid === user.uid) return
  changing(() => {
    for (const { parentPath, name } of readdirSync(folder, { recursive: true, withFileTypes: true }))
      lchownSync(join(parentPath, name), user.uid, user.gid)
    lchownSync(folder, user.uid, user.gid)
  })
}

/** Runs ownership changes, which a restricted root may lack the right to. */
function changing(work: () => void): void {
  try {
    work()
  } catch (error) {
    throw noDatabase(`PostgreSQL does not run as root, and ${(error as Error).message}`, error)
  }
}

/** The socket's folder: the data folder, or a temporary folder where the path would be too long. */
function socketFolder(dataDir: string, user: User | undefined): string {
  const inside = join(dataDir, 'socket')
  const fits = (folder: string) => Buffer.byteLength(join(folder, `.s.PGSQL.${PORT}`)) <= MAX_SOCKET_PATH
  const name = `muster-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`
  const folder = [inside, join(tmpdir(), name), join('/tmp', name)].find(fits)!
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const uid = process.getuid!()
  const { uid: owner } = lstatSync(folder)
  // Anybody may have created a folder for temporary files.
  if (![uid, user?.uid].includes(owner) || !lstatSync(folder).isDirectory())
    throw new CannotStart(`The folder ${folder} belongs to somebody else. Remove it, or set TMPDIR.`)
  chmodSync(folder, 0o700)
  give(user, folder)
  return folder
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Locales of libc. Sorting and case folding use PostgreSQL's own. */
const CTYPES: { readonly [platform: string]: string } = { darwin: 'en_US.UTF-8', win32: 'C' }

/** Creates an empty database beside its place and renames it when complete, so that a crash leaves no partial one. */
async function makeDatabase(
  programs: Programs,
  folder: string,
  passwordFile: string | undefined,
): Promise<void> {
  const draft = `${folder}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  give(programs.user, draft)
  const password = passwordFile && join(draft, '..', basename(passwordFile))
  if (password) writeFileSync(password, randomBytes(24).toString('base64url'), { mode: 0o600 })
  const child = programs.spawn('initdb', [
    `--pgdata=${draft}`,
    `--username=${SUPERUSER}`,
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    `--lc-ctype=${CTYPES[process.platform] ?? 'C.UTF-8'}`,
    ...(password ? ['--auth=scram-sha-256', `--pwfile=${password}`] : ['--auth=trust']),
  ])
  const { code, problem } = await endOf(child)
  if (code !== 0) {
    rmSync(draft, { recursive: true, force: true })
    throw noDatabase(problem ?? `initdb ended with ${code}`)
  }
  renameSync(draft, folder)
  syncFolder(dirname(folder))
}

function syncFolder(folder: string): void {
  // Windows refuses to sync folders.
  if (process.platform === 'win32') return
  const file = openSync(folder, 'r')
  fsyncSync(file)
  closeSync(file)
}

/** The live process of the folder's pid file, if any. */
function noted(folder: string): number | null {
  const file = join(folder, 'postmaster.pid')
  const pid = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : Number.NaN
  return pid > 0 && isAlive(pid) ? pid : null
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/**
 * True when a process is the server of a folder; null where the system does not tell. An ended process has no command
 * line.
 */
async function isServerOf(folder: string, pid: number): Promise<boolean | null> {
  const words = await new Promise<string | null>((resolve) => {
    try {
      resolve(readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '))
    } catch {
      execFile('ps', ['-ww', '-o', 'args=', '-p', String(pid)], (error, out) => resolve(error ? null : out))
    }
  })
  return words === null ? null : words.includes(` -D ${folder} `)
}

/** Ends a server that outlived its parent process, in a `database` folder. */
export async function endSurvivor(folder: string): Promise<void> {
  const pid = noted(folder)
  if (pid === null) return
  const isServer = await isServerOf(folder, pid)
  // PostgreSQL decides by its shared memory.
  if (isServer === null) return
  // Another process has the number now, which PostgreSQL would take for a server.
  if (!isServer) return rmSync(join(folder, 'postmaster.pid'))
  for (const signal of END_SIGNALS) {
    process.kill(pid, signal)
    const until = performance.now() + ENDS_WITHIN
    while (performance.now() < until) {
      if (!isAlive(pid) || (await isServerOf(folder, pid)) === false) return
      await wait(POLL_MS)
    }
  }
  throw new CannotStart(
    `A PostgreSQL of an earlier start (process ${pid}) does not end. End it, and start again.`,
  )
}

/**
 * The connection to the server that runs on a data folder, as the owner of the tables; null when none does.
 * @throws system errors of reading the folder
 */
export function findRunning(dataDir: string): Connection | null {
  const folder = databaseFolder(realpathSync(dataDir))
  if (noted(folder) === null) return null
  // Lines of the file: process, folder, start, port, folder of the socket, address.
  const lines = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
  const [, , , port, socket, address = ''] = lines.map((line) => line.trim())
  const isLoopback = !socket
  const password = isLoopback ? readFileSync(join(folder, '..', 'database-password'), 'utf8') : undefined
  return { host: socket || address, port: Number(port), user: OWNER, password, database: 'postgres' }
}

/** Creates the owner of the tables if missing, and checks for damage. Returns the damage, or null. */
async function inspect(superuser: Connection): Promise<string | null> {
  const client = new pg.Client(superuser)
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query('select from pg_roles where rolname = $1', [OWNER])
    // A role without superuser rights and subject to row-level security, as on a server.
    const password =
      superuser.password === undefined ? '' : `password ${pg.escapeLiteral(superuser.password)}`
    if (rows.length === 0)
      await client.query(`
        begin;
        create role ${OWNER} login createrole ${password};
        alter database ${superuser.database} owner to ${OWNER};
        commit`)
    return await findDamage(async (text) => (await client.query<{ name: string }>(text)).rows)
  } catch (error) {
    return (error as Error).message
  } finally {
    await client.end()
  }
}
