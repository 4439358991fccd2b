import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { sql } from 'kysely'
import { Client, Pool, type PoolClient, type QueryResult } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'

import { connect as connectTo } from '#server/kit/database/db.ts'
import { HEAVY_CLIENT } from '#server/kit/database/embedded-wire.ts'
import { type Embedded, type EmbeddedOptions, startEmbedded } from '#server/kit/database/embedded.ts'
import { holdFolder } from '#server/kit/database/lock.ts'
import { statement } from '#server/kit/database/statements.ts'
import { explain } from '#server/kit/start-problems.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 20_000 })

let base: string
let count = 0
let cleanups: (() => Promise<unknown>)[] = []
/** For the tests that only speak SQL, each with its own table. */
let shared: Embedded

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'muster-test-'))
  const first = await startEmbedded(join(base, 'template'))
  await first.stop()
  shared = await startEmbedded(await dataFolder())
})
afterEach(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup()
  cleanups = []
})
afterAll(async () => {
  await shared.stop()
  await rm(base, { recursive: true, force: true })
})

async function dataFolder(): Promise<string> {
  const folder = join(base, `data-${(count += 1)}`)
  await cp(join(base, 'template', 'postgres'), join(folder, 'postgres'), { recursive: true })
  return folder
}

async function start(folder?: string, options?: EmbeddedOptions): Promise<Embedded> {
  const embedded = await startEmbedded(folder ?? (await dataFolder()), options)
  cleanups.push(() => embedded.stop().catch(() => {}))
  return embedded
}

function poolOn(embedded: Embedded, max = 8): Pool {
  const pool = new Pool({ ...embedded.connection, max })
  pool.on('error', () => {})
  cleanups.push(() => pool.end())
  return pool
}

async function clients(pool: Pool, howMany: number): Promise<PoolClient[]> {
  const taken = await Promise.all(Array.from({ length: howMany }, () => pool.connect()))
  cleanups.push(async () => taken.forEach((client) => client.release(true)))
  return taken
}

const KIT = `import { holdFolder } from '#server/kit/database/lock.ts'
  import { startEmbedded } from '#server/kit/database/embedded.ts'
  import pg from 'pg'
  const folder = process.argv[1]`

/** Another process of ours, and the lines it prints. */
function child(script: string, ...args: string[]): { process: ChildProcess; lines: AsyncIterator<string> } {
  const started = spawn(process.execPath, ['--input-type=module', '-e', `${KIT}\n${script}`, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  cleanups.push(async () => started.kill('SIGKILL'))
  return { process: started, lines: createInterface({ input: started.stdout })[Symbol.asyncIterator]() }
}

async function kill(process: ChildProcess): Promise<void> {
  const exited = once(process, 'exit')
  process.kill('SIGKILL')
  await exited
}

test('a folder is held once in this process, and again after its release', async () => {
  const folder = join(base, 'held')
  const hold = await holdFolder(folder)
  expect(await holdFolder(folder).catch(explain)).toBe(
    `Another Muster is already running on the data folder ${folder} (process ${process.pid}). ` +
      'Stop it first, or set DATA_DIR to another folder.',
  )
  await hold.release()
  await hold.release()
  await (await holdFolder(folder)).release()
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
})

test('a folder that another process holds is refused until that process dies, however it dies', async () => {
  const folder = join(base, 'held-elsewhere')
  const other = child(`await holdFolder(folder); console.log('held'); setInterval(() => {}, 1000)`, folder)
  expect((await other.lines.next()).value).toBe('held')
  await expect(holdFolder(folder)).rejects.toThrow(`(process ${other.process.pid})`)
  await kill(other.process)
  await (await holdFolder(folder)).release()
})

test('what was written is there after a stop and a start, in folders that only the owner can enter', async () => {
  const folder = await dataFolder()
  const first = await start(folder)
  const pool = new Pool(first.connection)
  await pool.query(`create table note (body text); insert into note values ('kept')`)
  await pool.end()
  await first.stop()
  const second = await start(folder)
  expect((await poolOn(second).query('select body from note')).rows).toEqual([{ body: 'kept' }])
  for (const inner of ['.', 'postgres', 'socket']) {
    // The template was copied, and a copy of the database's folder keeps its mode.
    expect((await stat(join(folder, inner))).mode & 0o777).toBe(0o700)
  }
})

test('a stop does not wait for clients, and rolls back what they had not committed', async () => {
  const folder = await dataFolder()
  const first = await start(folder)
  const client = new Client(first.connection)
  const cut = once(client, 'error')
  await client.connect()
  await client.query('create table note (id int); begin; insert into note values (1)')
  await first.stop()
  await cut
  const second = poolOn(await start(folder))
  expect((await second.query(`select to_regclass('note') is not null as made`)).rows).toEqual([
    { made: false },
  ])
})

test('the process ends by itself once the database has stopped', async () => {
  const other = child(
    `const hold = await holdFolder(folder)
    const embedded = await startEmbedded(folder)
    const pool = new pg.Pool(embedded.connection)
    await pool.query('select 1')
    await pool.end()
    await embedded.stop()
    await hold.release()`,
    await dataFolder(),
  )
  expect(await once(other.process, 'exit')).toEqual([0, null])
})

test('a first start that was cut off begins again', async () => {
  const folder = join(base, 'cut-off')
  await mkdir(join(folder, 'postgres.new', 'base'), { recursive: true })
  await writeFile(join(folder, 'postgres.new', 'PG_VERSION'), '18\n')
  const embedded = await start(folder)
  expect((await poolOn(embedded).query('select 1 as one')).rows).toEqual([{ one: 1 }])
  expect((await readdir(folder)).toSorted()).toEqual(['postgres', 'socket'])
})

test('a database that cannot be started is refused with a sentence', async () => {
  const folder = await dataFolder()
  await writeFile(join(folder, 'postgres', 'PG_VERSION'), '9\n')
  expect(await startEmbedded(folder).catch(explain)).toMatch(
    /^The embedded database in .* did not start: database files are incompatible with server\.$/,
  )
})

test('every commit reaches the disk', async () => {
  const embedded = await start()
  const pool = poolOn(embedded)
  await pool.query('create table note (id int)')
  const before = await embedded.fsyncs()
  for (let id = 0; id < 50; id += 1) await pool.query('insert into note values ($1)', [id])
  const written = await embedded.fsyncs()
  expect(written - before).toBeGreaterThanOrEqual(50)
  for (let id = 0; id < 50; id += 1) await pool.query('select * from note where id = $1', [id])
  expect((await embedded.fsyncs()) - written).toBeLessThan(5)
})

test('kill -9 loses nothing that was confirmed', async () => {
  const folder = await dataFolder()
  const confirmed: number[] = []
  for (const round of [1, 2, 3]) {
    const writer = child(
      `await holdFolder(folder)
      const pool = new pg.Pool({ ...(await startEmbedded(folder)).connection, max: 4 })
      await pool.query('create table if not exists note (id int primary key, body text)')
      let id = Number(process.argv[2])
      const write = async () => {
        for (;;) {
          const mine = id++
          await pool.query('insert into note values ($1, $2)', [mine, 'x'.repeat(mine % 500)])
          console.log(mine)
        }
      }
      await Promise.all([write(), write(), write(), write()])`,
      folder,
      String(round * 100_000),
    )
    const enough = confirmed.length + 100 + Math.floor(Math.random() * 300)
    // What it still manages to say after the kill counts too.
    for (let next = await writer.lines.next(); !next.done; next = await writer.lines.next()) {
      confirmed.push(Number(next.value))
      if (confirmed.length === enough) await kill(writer.process)
    }
    expect(confirmed.length).toBeGreaterThanOrEqual(enough)
  }
  const { rows } = await poolOn(await start(folder)).query<{ id: number }>('select id from note')
  const kept = new Set(rows.map((row) => row.id))
  expect(confirmed.filter((id) => !kept.has(id))).toEqual([])
  expect(rows.length - confirmed.length).toBeLessThanOrEqual(3 * 4)
})

test('the write-ahead log does not grow for ever', async () => {
  const folder = await dataFolder()
  const pool = poolOn(await start(folder))
  await pool.query('create table note (body text)')
  for (let round = 0; round < 12; round += 1) {
    await pool.query(`insert into note select repeat(md5(g::text), 30) from generate_series(1, 16000) g`)
  }
  const segments = (await readdir(join(folder, 'postgres', 'pg_wal'))).filter((name) => name.length === 24)
  expect(segments.length).toBeLessThanOrEqual(6)
})

test('a table is read to its end after it grew, was cut short, emptied and made anew', async () => {
  const folder = await dataFolder()
  const embedded = await start(folder)
  const pool = poolOn(embedded)
  const fill = (from: number, to: number) =>
    pool.query(`insert into long select n, repeat('x', 500) from generate_series($1::int, $2::int) n`, [
      from,
      to,
    ])
  const read = async (by = pool) => {
    const { rows } = await by.query<{ count: number; pages: number }>(
      `select count(*)::int, (pg_relation_size('long') / 8192)::int as pages from long`,
    )
    return rows[0]!
  }
  await pool.query('create table long (n int, text text)')
  expect(await read()).toEqual({ count: 0, pages: 0 })
  await fill(1, 2_000)
  const full = await read()
  expect(full.count).toBe(2_000)
  await pool.query('delete from long where n > 100')
  await pool.query('vacuum long')
  const short = await read()
  expect(short.count).toBe(100)
  expect(short.pages).toBeLessThan(full.pages)
  await fill(101, 3_000)
  expect((await read()).count).toBe(3_000)
  await pool.query('truncate long')
  expect(await read()).toEqual({ count: 0, pages: 0 })
  await pool.query('drop table long; create table long (n int, text text)')
  await fill(1, 700)
  expect((await read()).count).toBe(700)
  await embedded.stop()
  expect((await read(poolOn(await start(folder)))).count).toBe(700)
})

test('transactions of several clients wait for each other', async () => {
  const pool = poolOn(shared)
  await pool.query('create table counter (n int); insert into counter values (0)')
  const add = async () => {
    const client = await pool.connect()
    await client.query('begin')
    const { rows } = await client.query<{ n: number }>('select n from counter')
    await client.query('update counter set n = $1', [rows[0]!.n + 1])
    await client.query('commit')
    client.release()
  }
  await Promise.all(Array.from({ length: 40 }, add))
  expect((await pool.query('select n from counter')).rows).toEqual([{ n: 40 }])
})

test('statements that wait together are not mixed up', async () => {
  const [first, ...others] = await clients(poolOn(shared), 8)
  const long = 'x'.repeat(300_000)
  for (let round = 0; round < 10; round += 1) {
    await first!.query('begin')
    const answers = others.map((client, i) =>
      client.query({
        text: `select ${i} as i, length($1::text)${' + $2::int - $2::int'.repeat(i % 3)} as n`,
        values: [long.slice(0, i * 40_000), ...(i % 3 ? [i] : [])],
      }),
    )
    await first!.query('commit')
    expect((await Promise.all(answers)).map(({ rows }) => rows[0])).toEqual(
      others.map((_, i) => ({ i, n: i * 40_000 })),
    )
  }
})

test('an error leaves the transaction to be rolled back, and other clients alone', async () => {
  const pool = poolOn(shared)
  await pool.query('create table mistake (id int primary key)')
  const [one, two] = await clients(pool, 2)
  await one!.query('begin')
  await one!.query('insert into mistake values (1)')
  const other = two!.query('insert into mistake values (2)')
  await expect(one!.query('insert into mistake values ($1)', [1])).rejects.toMatchObject({ code: '23505' })
  await expect(one!.query('select 1')).rejects.toMatchObject({ code: '25P02' })
  await one!.query('rollback')
  await other
  await expect(two!.query('select nothing_like_it')).rejects.toMatchObject({ code: '42703' })
  expect((await one!.query('select id from mistake')).rows).toEqual([{ id: 2 }])
})

test('a client that goes away takes its transaction with it', async () => {
  const pool = poolOn(shared)
  await pool.query('create table leaver (id int)')
  const leaver = new Client(shared.connection)
  leaver.on('error', () => {})
  await leaver.connect()
  await leaver.query('begin')
  await leaver.query('insert into leaver values (1)')
  const waiting = pool.query('select count(*)::int as n from leaver')
  ;(leaver as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
  expect((await waiting).rows).toEqual([{ n: 0 }])
  await pool.query('insert into leaver values (2)')
  expect((await pool.query('select id from leaver')).rows).toEqual([{ id: 2 }])
})

test('a client that goes away in the middle of a statement leaves nothing behind', async () => {
  const pool = poolOn(shared)
  const { host, port } = shared.connection
  const socket = connect(`${host}/.s.PGSQL.${port}`)
  const hello = Buffer.from('\0\0\0\x17\0\x03\0\0user\0postgres\0\0', 'latin1')
  hello.writeInt32BE(hello.length)
  socket.write(hello)
  await once(socket, 'data')
  // Parse of something wrong, then Flush: the session now ignores everything until a Sync that never comes.
  socket.write(Buffer.from('P\0\0\0\x10\0nonsense\0\0\0H\0\0\0\x04', 'latin1'))
  await once(socket, 'data')
  const waiting = pool.query('select $1::int as n', [7])
  socket.destroy()
  expect((await waiting).rows).toEqual([{ n: 7 }])
})

test('a transaction that waits for something else is ended when others need the session', async () => {
  const pool = poolOn(await start(undefined, { idleInTransactionMs: 50 }))
  const [idler, other] = await clients(pool, 2)
  const ended = once(idler!, 'error')
  await idler!.query('begin')
  expect((await other!.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  expect((await ended)[0]).toMatchObject({
    code: '25P03',
    message: expect.stringMatching(/^The embedded database has one session, and this transaction/),
  })
})

/** A client whose statements come after those of all others. */
async function heavyClient(embedded: Embedded): Promise<Client> {
  const client = new Client({ ...embedded.connection, application_name: HEAVY_CLIENT })
  client.on('error', () => {})
  await client.connect()
  cleanups.push(() => client.end())
  return client
}
/** More than the database keeps in memory, so that reading it reads files. */
const makeLarge = (pool: Pool) =>
  pool.query(
    `create table large as select n, repeat(md5(n::text), 30) as body from generate_series(1, 40000) n`,
  )
const READ_ALL = `select count(*)::int as n from large where body like '%nothing like it%'`

test('a heavy client comes after others that wait', async () => {
  const embedded = await start(undefined, { heavyWaitMs: 60_000 })
  const heavy = await heavyClient(embedded)
  const [first, ...others] = await clients(poolOn(embedded), 4)
  await first!.query('create sequence turn')
  await first!.query('begin')
  const turn = async (client: Pick<Client, 'query'>) => {
    const { rows } = await client.query<{ turn: number }>(`select nextval('turn')::int as turn`)
    return rows[0]!.turn
  }
  const last = turn(heavy)
  const before = others.map(turn)
  // Another client's answer shows that the server has read what was sent before.
  await new Promise((resolve) => void setImmediate(resolve))
  await first!.query('select 1')
  await first!.query('select 1')
  await first!.query('commit')
  expect(await Promise.all([...before, last])).toEqual([1, 2, 3, 4])
})

test('a heavy client has its turn although others come again and again', async () => {
  const heavy = await heavyClient(shared)
  const pool = poolOn(shared)
  const done = new AbortController()
  const others = Array.from({ length: 6 }, async () => {
    while (!done.signal.aborted) await pool.query('select count(*) from generate_series(1, 1000)')
  })
  expect((await heavy.query('select 7 as n')).rows).toEqual([{ n: 7 }])
  done.abort()
  await Promise.all(others)
})

test('a heavy statement is ended after a time, and nothing else is', async () => {
  const embedded = await start(undefined, { heavyLimitMs: 1 })
  const pool = poolOn(embedded)
  await makeLarge(pool)
  const heavy = await heavyClient(embedded)
  for (let round = 0; round < 3; round += 1) {
    await expect(heavy.query(READ_ALL)).rejects.toMatchObject({ code: '57014' })
    expect((await pool.query(READ_ALL)).rows).toEqual([{ n: 0 }])
  }
})

/** The database as the product opens it, with a role that may do nothing yet. */
async function opened(embedded: Embedded) {
  await poolOn(embedded).query('create role muster_member nologin')
  const nothing = { append: async () => {}, publish: () => {} }
  const database = connectTo(embedded.connection, nothing, () => {}, { isEmbedded: true })
  cleanups.push(() => database.close())
  return database
}
const OPENING = {
  organisationId: crypto.randomUUID(),
  actor: () => ({ kind: 'system', id: null, name: 'test' }) as const,
}

test('reading in pieces leaves the session free between two queries, and each is of the organisation', async () => {
  const database = await opened(shared)
  const rows = await database.readWithOrganisation(OPENING, async (db) => {
    const who = sql`select current_user as role, current_setting('app.organisation') as id`
    const before = await who.execute(db)
    // In one transaction this would wait for itself.
    await poolOn(shared).query('create table between_two (id int)')
    await expect(sql`select * from nothing_like_it`.execute(db)).rejects.toMatchObject({ code: '42P01' })
    await expect(sql`select * from between_two`.execute(db)).rejects.toMatchObject({ code: '42501' })
    return [...before.rows, ...(await who.execute(db)).rows]
  })
  const member = { role: 'muster_member', id: OPENING.organisationId }
  expect(rows).toEqual([member, member])
})

test('what takes too long to read is refused with a sentence', async () => {
  const embedded = await start(undefined, { heavyLimitMs: 1 })
  const database = await opened(embedded)
  const pool = poolOn(embedded)
  await makeLarge(pool)
  await pool.query('grant select on large to muster_member')
  const much = database.readWithOrganisation(OPENING, (db) => sql.raw(READ_ALL).execute(db))
  await expect(much).rejects.toMatchObject({
    status: 503,
    message: 'This takes too long at the moment. Please ask for less, or try again later.',
  })
})

const divided = statement<'', { n: number }, { value: number }>((db, _, { n }) =>
  db.selectNoFrom(sql<number>`60 / ${n}::int`.as('value')),
)
const preparedNames = async (pool: Pool): Promise<string[]> => {
  const { rows } = await pool.query<{ name: string }>('select name from pg_prepared_statements order by name')
  return rows.map(({ name }) => name)
}

test('what one client has prepared serves all, and one that fails keeps it from nobody', async () => {
  const embedded = await start()
  const database = await opened(embedded)
  const pool = poolOn(embedded)
  const divide = (n: number) => database.withOrganisation(OPENING, (db) => divided(db, '', { n }))
  const all = await Promise.allSettled([0, 1, 2, 0, 3, 4, 5, 0, 6, 10, 12, 15].map((n) => divide(n)))
  const values = all.map((one) => (one.status === 'fulfilled' ? one.value[0]?.value : one.reason.code))
  expect(values).toEqual(['22012', 60, 30, '22012', 20, 15, 12, '22012', 10, 6, 5, 4])
  const names = await preparedNames(pool)
  expect(names).toHaveLength(1)

  // As after a client that was lost between noting the statement and having it read.
  await pool.query(`deallocate ${names[0]}`)
  await expect(divide(1)).rejects.toMatchObject({ code: '26000' })
  expect(await divide(4)).toEqual([{ value: 15 }])
  expect(await preparedNames(pool)).toEqual(names)
})

test('a lookup is prepared once for all clients, and finds with the values of each call', async () => {
  const embedded = await start()
  const database = await opened(embedded)
  const pool = poolOn(embedded)
  const find = (name: string) => {
    const lookup = { name: 'someone', sql: 'select $1::text as name', values: [name] }
    return database.withOrganisation<string, { name: string }>(
      { ...OPENING, lookup },
      async (_, row) => row.name,
    )
  }
  const people = Array.from({ length: 20 }, (_, index) => `O'Person $1 ${index}`)
  expect(await Promise.all(people.map(find))).toEqual(people)
  await vi.waitFor(async () => expect(await preparedNames(pool)).toHaveLength(1))
  expect(await Promise.all(people.map(find))).toEqual(people)
  expect(await preparedNames(pool)).toEqual([expect.stringMatching(/_someone$/)])
})

test('a role and a setting of one transaction are gone in the next', async () => {
  const pool = poolOn(shared)
  await pool.query('create role member nologin')
  const now = `select current_user as role, coalesce(current_setting('app.organisation', true), '') as organisation`
  for (const end of ['commit', 'rollback']) {
    const [one, two] = await clients(pool, 2)
    await one!.query(`begin; set local role member; select set_config('app.organisation', 'one', true)`)
    const next = two!.query(now)
    expect((await one!.query(now)).rows).toEqual([{ role: 'member', organisation: 'one' }])
    await one!.query(end)
    expect((await next).rows).toEqual([{ role: 'postgres', organisation: '' }])
    expect((await one!.query(now)).rows).toEqual([{ role: 'postgres', organisation: '' }])
  }
})

test('several statements can be sent as one', async () => {
  const pool = poolOn(shared)
  const results = (await pool.query(
    `create table several (id int); insert into several values (1), (2); select id from several order by id`,
  )) as unknown as QueryResult[]
  expect(results.map((result) => result.command)).toEqual(['CREATE', 'INSERT', 'SELECT'])
  expect(results[2]!.rows).toEqual([{ id: 1 }, { id: 2 }])
})

test('large values go in and out whole', async () => {
  const pool = poolOn(shared)
  const bytes = Buffer.alloc(5_000_000, 'abc')
  const { rows } = await pool.query<{ back: Buffer }>('select $1::bytea as back', [bytes])
  expect(rows[0]!.back.equals(bytes)).toBe(true)
})

test('what is nested too deep is refused, and does no harm', async () => {
  const pool = poolOn(shared)
  const deep = '['.repeat(200_000) + ']'.repeat(200_000)
  await expect(pool.query('select $1::jsonb', [deep])).rejects.toMatchObject({ code: '54001' })
  await pool.query(`create function f(i int) returns int language plpgsql as 'begin return f(i + 1); end'`)
  await expect(pool.query('select f(1)')).rejects.toMatchObject({ code: '54001' })
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('a path too long for a socket is no hindrance', async () => {
  const folder = join(base, 'long'.repeat(20), 'data')
  await cp(join(base, 'template', 'postgres'), join(folder, 'postgres'), { recursive: true })
  const embedded = await start(folder)
  const { host } = embedded.connection
  expect((await stat(host)).mode & 0o777).toBe(0o700)
  expect((await poolOn(embedded).query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await embedded.stop()
  await expect(stat(host)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('on a port, a client needs the password of this start', async () => {
  const embedded = await start(undefined, { loopback: true })
  const { connection } = embedded
  expect(connection.host).toBe('127.0.0.1')
  for (const password of ['', `${connection.password}x`, 'x'.repeat(connection.password!.length)]) {
    const stranger = new Client({ ...connection, password })
    await expect(stranger.connect()).rejects.toThrow()
  }
  expect((await poolOn(embedded).query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('a database that dies says so', async () => {
  const folder = await dataFolder()
  const embedded = await start(folder)
  const pool = poolOn(embedded, 1)
  await pool.query('create table note (id int)')
  await rm(join(folder, 'postgres', 'pg_wal'), { recursive: true })
  await expect(pool.query('select pg_switch_wal(); insert into note values (1)')).rejects.toThrow()
  expect((await embedded.failed).message).toMatch(
    /^The embedded database stopped by itself: could not .*pg_wal.*start Muster again\.$/,
  )
})
