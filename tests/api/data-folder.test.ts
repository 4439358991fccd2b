import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'

import { sql } from 'kysely'
import pino from 'pino'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'

import { placeOf } from '#server/kit/blob-folder.ts'
import { keepBlob } from '#server/kit/blobs.ts'
import { clock } from '#server/kit/clock.ts'
import { readSettings } from '#server/kit/settings.ts'
import { explain } from '#server/kit/start-problems.ts'
import { type Muster, startMuster } from '#server/start.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const ORGANISATION = crypto.randomUUID()
const ROWS = 2_000
const FILE_SIZE = 100_000
/** A data folder with an organisation, people and a file: after a clean stop, and as a crash leaves it. */
const folders = { stopped: '', crashed: '' }
let blobId: string
let tableFile: string

const start = (dataDir: string, env: Record<string, string> = {}): Promise<Muster> =>
  startMuster(readSettings({ PORT: '0', DEMO: '0', DATA_DIR: dataDir, ...env }), {
    log: pino({ level: 'silent' }),
    siteDir: join(import.meta.dirname, '../../dist'),
  })
const inside = <T>({ services }: Muster, work: Parameters<typeof services.database.withOrganisation<T>>[1]) =>
  services.database.withOrganisation<T>(
    { organisationId: ORGANISATION, actor: () => ({ kind: 'system', id: null, name: 'test' }) },
    work,
  )

async function fill(muster: Muster): Promise<void> {
  const { database, blobs } = muster.services
  await database.pool.query(
    `insert into organisations (id, code, display_name, create_timestamp) values ($1, 'kept', 'Kept', now())`,
    [ORGANISATION],
  )
  const stored = await blobs.write(ORGANISATION, Readable.from([Buffer.alloc(FILE_SIZE, 'abc')]))
  blobId = stored.id
  await inside(muster, async (db) => {
    await keepBlob(db, stored)
    await sql`insert into contacts (email, name, create_timestamp, update_timestamp)
      select n || '@kept.example', repeat('Name ', 20), now(), now() from generate_series(1, ${ROWS}::int) n`.execute(
      db,
    )
  })
  const { rows } = await database.pool
    .query<{ path: string }>(`checkpoint; select pg_relation_filepath('contacts') as path`)
    .then((results) => (results as unknown as { rows: { path: string }[] }[])[1]!)
  tableFile = join('postgres', rows[0]!.path)
}

beforeAll(async () => {
  const base = await mkdtemp(join(tmpdir(), 'muster-test-'))
  folders.stopped = join(base, 'stopped')
  folders.crashed = join(base, 'crashed')
  const muster = await start(folders.stopped)
  await fill(muster)
  await cp(folders.stopped, folders.crashed, {
    recursive: true,
    filter: (path) => path !== join(folders.stopped, 'socket'),
  })
  await muster.stop()
  return () => rm(base, { recursive: true })
})

async function copyOf(folder: keyof typeof folders): Promise<string> {
  const base = await mkdtemp(join(tmpdir(), 'muster-test-'))
  onTestFinished(() => rm(base, { recursive: true, force: true }))
  const dataDir = join(base, 'data')
  await cp(folders[folder], dataDir, { recursive: true, filter: (path) => !path.endsWith('/socket') })
  return dataDir
}

/** What the start says, or null when it starts with everything that was there. */
async function startedOn(dataDir: string, env: Record<string, string> = {}): Promise<string | null> {
  let muster: Muster
  try {
    muster = await start(dataDir, env)
  } catch (error) {
    return explain(error)
  }
  try {
    const { rows } = await inside(muster, (db) =>
      sql<{ count: number }>`select count(*) from contacts`.execute(db),
    )
    expect(rows).toEqual([{ count: ROWS }])
    return null
  } finally {
    await muster.stop()
  }
}

const lose = (path: string) => rm(path, { recursive: true })
const empty = (path: string) => truncate(path, 0)
const cut = async (path: string) => truncate(path, Math.floor((await stat(path)).size / 2 / 8_192) * 8_192)
const swap = (path: string) => writeFile(path, 'x'.repeat(64))
const firstSegment = async (dataDir: string) => {
  const names = await readdir(join(dataDir, 'postgres', 'pg_wal'))
  return join('postgres', 'pg_wal', names.filter((name) => name.length === 24).toSorted()[0]!)
}

describe.each(['stopped', 'crashed'] as const)('a data folder as it was %s', (how) => {
  test('starts with everything', async () => {
    expect(await startedOn(await copyOf(how))).toBeNull()
  })

  test.each([
    ['secret-key', lose, /secret-key is missing, and the database was made under the secret/],
    ['secret-key', empty, /secret-key is empty\. Without its secret/],
    ['secret-key', (path: string) => truncate(path, 20), /secret-key is damaged: it is too short/],
    ['secret-key', swap, /The secret in .*secret-key is not the one that this database was made under/],
    ['muster.lock', swap, /^The lock file .*muster\.lock is damaged: something else has written to it/],
    ['postgres', lose, /^The embedded database is missing: .* has secret-key, but not .*postgres/],
    ['postgres/PG_VERSION', lose, /is damaged: PG_VERSION is missing or empty/],
    ['postgres/PG_VERSION', empty, /is damaged: PG_VERSION is missing or empty/],
    ['postgres/PG_VERSION', swap, /The embedded database in .* (did not start|is damaged): /],
    ['postgres/global/pg_control', lose, /is damaged: global\/pg_control is missing/],
    ['postgres/global/pg_control', empty, /is damaged: global\/pg_control is missing or not as long/],
    [
      'postgres/global/pg_control',
      (path: string) => writeFile(path, Buffer.alloc(8_192, 1)),
      /did not start: /,
    ],
    ['a segment of the log', lose, /The embedded database in .* (did not start|is damaged): /],
    ['a segment of the log', empty, /is damaged: pg_wal\/0+1\w+ is not as long as it was/],
    ['a segment of the log', cut, /is damaged: pg_wal\/0+1\w+ is not as long as it was/],
    ['a table', lose, /The embedded database in .* is damaged: /],
    ['a table', empty, /The embedded database in .* is damaged: /],
    ['files', lose, /^The folder .*files is missing, and the database refers to files in it\./],
  ])('with %s damaged (%o) is refused with a sentence', async (name, damage, sentence) => {
    const dataDir = await copyOf(how)
    const path =
      name === 'a table' ? tableFile : name === 'a segment of the log' ? await firstSegment(dataDir) : name
    await damage(join(dataDir, path))
    const said = await startedOn(dataDir)
    expect(said).toMatch(sentence)
    expect(said).not.toMatch(/\n/)
    // Asked again, it says so again: the first refusal has changed nothing.
    expect(await startedOn(dataDir)).toBe(said)
  })

  test.each([
    ['muster.lock', lose],
    ['muster.lock', empty],
    ['muster.pid', swap],
    ['postgres.sizes', swap],
  ])('starts with everything when %s, which holds nothing, is damaged (%o)', async (name, damage) => {
    const dataDir = await copyOf(how)
    if (existsSync(join(dataDir, name)) || damage === swap) await damage(join(dataDir, name))
    expect(await startedOn(dataDir)).toBeNull()
  })
})

test('a table that was cut in the middle after a clean stop is noticed', async () => {
  const dataDir = await copyOf('stopped')
  await cut(join(dataDir, tableFile))
  expect(await startedOn(dataDir)).toMatch(/is damaged: base\/\d+\/\d+ has \d+ bytes instead of \d+\./)
})

test('an emptied folder in the place of the database is not filled with a new one', async () => {
  const dataDir = await copyOf('stopped')
  await rename(join(dataDir, 'postgres'), join(dataDir, '..', 'elsewhere'))
  await cp(join(dataDir, '..', 'elsewhere', 'pg_wal', 'summaries'), join(dataDir, 'postgres'), {
    recursive: true,
  })
  expect(await startedOn(dataDir)).toMatch(/is damaged: PG_VERSION is missing or empty/)
})

test('a setting with another secret is refused, and one that is too short', async () => {
  const dataDir = await copyOf('stopped')
  expect(await startedOn(dataDir, { SECRET_KEY: 'k'.repeat(32) })).toMatch(
    /^The setting SECRET_KEY is not the one that this database was made under\./,
  )
  expect(() => readSettings({ SECRET_KEY: 'k'.repeat(31) })).toThrow(
    'The setting SECRET_KEY is wrong: must be at least 32 characters.',
  )
})

test('a database without a check value is held against what was sealed under its secret', async () => {
  const dataDir = await copyOf('stopped')
  const muster = await start(dataDir)
  await muster.services.database.pool.query('delete from installation')
  await muster.stop()
  const secret = join(dataDir, 'secret-key')
  await rename(secret, `${secret}.kept`)
  expect(await startedOn(dataDir)).toMatch(/secret-key is missing/)
  await swap(secret)
  expect(await startedOn(dataDir)).toMatch(/is not the one that this database was made under/)
  await rename(`${secret}.kept`, secret)
  expect(await startedOn(dataDir)).toBeNull()
  await swap(secret)
  expect(await startedOn(dataDir)).toMatch(/is not the one that this database was made under/)
})

test('organisations cannot read the check value', async () => {
  const muster = await start(await copyOf('stopped'))
  onTestFinished(() => muster.stop())
  await expect(inside(muster, (db) => db.selectFrom('installation').selectAll().execute())).rejects.toThrow(
    /permission denied/,
  )
})
