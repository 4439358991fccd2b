import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

import pg from 'pg'

import type { Config } from '#contract/config/catalogue.ts'
import type { UserRole } from '#contract/users/schema.ts'

const ROOT = join(import.meta.dirname, '../..')
export const DEMO_PASSWORD = 'Demonstration-7'

/** Key to the outbox of every product that a test starts. */
export const OUTBOX_KEY = 'the-outbox-key-of-the-tests'

/** A message of a product's outbox. */
export interface Kept {
  readonly channel: string
  readonly to: string
  readonly subject: string | null
  readonly text: string
}
/** Messages in the product's outbox, newest first. */
export async function outboxOf({ url }: { readonly url: string }): Promise<Kept[]> {
  const headers = { Accept: 'application/json', Authorization: `Bearer ${OUTBOX_KEY}` }
  const answer = await fetch(`${url}/outbox`, { headers })
  if (!answer.ok) throw new Error(`The outbox answered ${answer.status}.`)
  return (await answer.json()) as Kept[]
}

export interface Product {
  readonly url: string
  readonly pid: number
  readonly dataDir: string
  /** All output so far. */
  readonly printed: () => string
  /** Ends the process. After `SIGKILL` its database goes on. */
  kill(signal: NodeJS.Signals): Promise<number | null>
  /** Ends process and database like a power failure. */
  crash(): Promise<void>
  /** Shuts the product down, and removes a data folder created for it. */
  stop(): Promise<void>
}

/** A product that measures how long its main thread is blocked. */
export interface MeasuredProduct extends Product {
  /** Milliseconds of the longest block during some work. */
  readonly stretchDuring: (work: () => Promise<unknown>) => Promise<number>
}

/** Starts the product with a meter of its main thread. */
export async function startMeasured(env: Record<string, string> = {}): Promise<MeasuredProduct> {
  const meter = ['--import', pathToFileURL(join(import.meta.dirname, 'stretches.mjs')).href]
  const { child, ...product } = await launch(env, undefined, meter)
  const ask = async (what: 'begin' | 'end') => {
    child.send(what)
    const [{ stretch }] = (await once(child, 'message')) as [{ stretch: number }]
    return stretch
  }
  return {
    ...product,
    stretchDuring: async (work) => {
      await ask('begin')
      await work()
      return ask('end')
    },
  }
}

/** Starts the product as the README says, in its own process on a free port. */
export async function startProduct(env: Record<string, string> = {}, folder?: string): Promise<Product> {
  const { child: _, ...product } = await launch(env, folder)
  return product
}

async function launch(env: Record<string, string>, folder?: string, options: readonly string[] = []) {
  const dataDir = folder ?? (await mkdtemp(join(tmpdir(), 'muster-product-')))
  const child = spawn(process.execPath, [...options, join(ROOT, 'server/launch.mjs')], {
    cwd: ROOT,
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: dataDir,
      DEMO_PASSWORD,
      // People of the tests answer themselves.
      SIMULATOR: '0',
      OUTBOX_KEY,
      // An unused port, because tests reach this machine only.
      STREAM_BASE_URL: 'http://127.0.0.1:9',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', ...(options.length > 0 ? (['ipc'] as const) : [])],
  })
  let printed = ''
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      printed += String(chunk)
      const ready = /Muster is ready at (\S+)/.exec(printed)
      if (ready) resolve(ready[1]!)
    }
    child.stdout!.on('data', hear)
    child.stderr!.on('data', hear)
    void exited.then((code) =>
      reject(new Error(`Muster ended with ${code} before it was ready:\n${printed}`)),
    )
  })
  const kill = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return exited
  }
  return {
    child,
    url,
    pid: child.pid!,
    dataDir,
    printed: () => printed,
    kill,
    crash: async () => {
      await kill('SIGKILL')
      if (!env['DATABASE_URL']) await endProcess(databasePid(dataDir))
    },
    stop: async () => {
      await kill('SIGTERM')
      if (!folder) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The lines of PostgreSQL's `postmaster.pid`, with its process id and socket. */
const postmasterOf = (dataDir: string): string[] =>
  readFileSync(join(dataDir, 'database', 'postmaster.pid'), 'utf8').split('\n')
export const databasePid = (dataDir: string): number => Number(postmasterOf(dataDir)[0])
/** All processes of a product's database. */
export function databasePids(dataDir: string): number[] {
  const parent = databasePid(dataDir)
  const children = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const [, rest = ''] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')
      return Number(rest.split(' ')[1]) === parent ? [Number(name)] : []
    } catch {
      // The process has ended meanwhile.
      return []
    }
  })
  return [parent, ...children]
}
export const socketOf = (dataDir: string): string => postmasterOf(dataDir)[4]!

async function endProcess(pid: number): Promise<void> {
  process.kill(pid, 'SIGQUIT')
  while (isAlive(pid)) await wait(20)
}
/** True for a running process. A zombie does not count. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Works on the database of a running product, past every rule, for changes without a screen. */
export async function inDatabase<T>(dataDir: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ host: socketOf(dataDir), user: 'postgres', database: 'postgres' })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Copies the rows that match `where`, with changes. */
async function copyRows(client: pg.Client, table: string, changes: object, where: string) {
  const known = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns
      where table_name = $1 and is_generated = 'NEVER' and is_identity = 'NO'`,
    [table],
  )
  const columns = known.rows.map(({ name }) => name)
  await client.query(
    `insert into ${table} (${columns.join()}) select ${columns.map((name) => `(copy).${name}`).join()}
     from (select jsonb_populate_record(one, $1) as copy from ${table} one where ${where}) copies`,
    [JSON.stringify(changes)],
  )
}

/**
 * Adds an organisation with one administrator, who has the demonstration's password. Returns the administrator's email address.
 * @param roles of further people, whose addresses begin with their role
 */
export const addOrganisation = (
  dataDir: string,
  code: string,
  config: Partial<Config>,
  roles: readonly UserRole[] = [],
): Promise<string> =>
  inDatabase(dataDir, async (client) => {
    // A copy of the demonstration's organisation with these changes.
    const id = crypto.randomUUID()
    const named = { id, code, display_name: `Organisation ${code}`, parent_id: null, config }
    await copyRows(client, 'organisations', named, "code = 'demo'")
    for (const role of ['ADMIN', ...roles] as const) {
      const email = `${role.toLowerCase()}@${code}.example`
      const person = { id: crypto.randomUUID(), organisation_id: id, email, role }
      await copyRows(client, 'users', person, "email = 'admin@demo.example'")
    }
    return `admin@${code}.example`
  })

/** Signs a person of the demonstration organisation in over HTTP. */
export async function signIn(url: string, email: string, password = DEMO_PASSWORD, enterpriseCode = 'demo') {
  const response = await fetch(`${url}/api/authentication/upass`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password, enterpriseCode }),
  })
  if (!response.ok) throw new Error(`Signing in as ${email} answered ${response.status}`)
  const session = (await response.json()) as {
    authenticationToken: string
    cueRefreshToken: string
    uuid: string
  }
  const headers = {
    Authorization: `Bearer ${session.authenticationToken}`,
    'Enterprise-Code': enterpriseCode,
    'Web-App-Version': '1.14.10',
    'Content-Type': 'application/json',
  }
  const call = async (
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: any; headers: Headers }> => {
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      headers: answer.headers,
      body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
    }
  }
  return { session, headers, call }
}
