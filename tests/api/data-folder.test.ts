import { cp, mkdtemp, readdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'

import { sql } from 'kysely'
import pino from 'pino'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'

import { blobPathOf } from '#server/kit/blobs/folder.ts'
import { findBlob, keepBlob } from '#server/kit/blobs/blobs.ts'
import { readSettings } from '#server/kit/core/settings.ts'
import { explain } from '#server/kit/core/start-problems.ts'
import { storageProblem } from '#server/kit/http/storage-problems.ts'
import { type Muster, startMuster } from '#server/start.ts'

import { inDatabase } from '../support/product.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const ORGANISATION = crypto.randomUUID()
const ROWS = 2_000
const FILE_SIZE = 100_000
/** Data folders with an organisation, people and a file: one after a clean stop, one after a crash. */
const folders = { stopped: '', crashed: '' }
let blobId: string
let tableFile: string

const start = (
  dataDir: string,
  env: Record<string, string> = {},
  log = pino({ level: 'silent' }),
): Promise<Muster> =>
  startMuster(readSettings({ PORT: '0', DEMO: '0', DATA_DIR: dataDir, ...env }), {
    log,
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
  const { rows } = await database.pool.query<{ path: string }>(
    `select pg_relation_filepath('contacts') as path`,
  )
  tableFile = join('database', rows[0]!.path)
  await inDatabase(muster.services.settings.dataDir, (client) => client.query('checkpoint'))
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
  return async () => {
    await rm(base, { recursive: true })
  }
})

async function copyOf(folder: keyof typeof folders): Promise<string> {
  const base = await mkdtemp(join(tmpdir(), 'muster-test-'))
  onTestFinished(() => rm(base, { recursive: true, force: true }))
  const dataDir = join(base, 'data')
  await cp(folders[folder], dataDir, { recursive: true, filter: (path) => !path.endsWith('/socket') })
  return dataDir
}

/** The error of the start, or null when it succeeds with all data. */
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
const foreign = (path: string) => writeFile(path, 'x'.repeat(64))
const firstSegment = async (dataDir: string) => {
  const names = await readdir(join(dataDir, 'database', 'pg_wal'))
  return join('database', 'pg_wal', names.filter((name) => name.length === 24).toSorted()[0]!)
}

type Damage = (path: string) => Promise<unknown>
const LOST: [string, Damage] = ['lost', lose]
const EMPTIED: [string, Damage] = ['emptied', empty]
const CUT: [string, Damage] = ['cut', cut]
const FOREIGN: [string, Damage] = ['overwritten', foreign]

const pathOf = async (dataDir: string, name: string): Promise<string> => {
  if (name === 'a table') return join(dataDir, tableFile)
  return join(dataDir, name === 'a log segment' ? await firstSegment(dataDir) : name)
}

describe.each(['stopped', 'crashed'] as const)('a database as it was %s', (how) => {
  test('starts with everything', async () => {
    expect(await startedOn(await copyOf(how))).toBeNull()
  })

  test.each([
    ['database', ...LOST, /^The database is missing: .* has secret-key, but not .*database/],
    ['database/PG_VERSION', ...LOST, /is damaged: PG_VERSION is missing or empty/],
    ['database/PG_VERSION', ...EMPTIED, /is damaged: PG_VERSION is missing or empty/],
    ['database/PG_VERSION', ...FOREIGN, /The database in .* (did not start|is damaged): /],
    ['database/global/pg_control', ...EMPTIED, /is damaged: global\/pg_control is missing or not as long/],
    ['database/global/pg_control', ...FOREIGN, /The database in .* (did not start|is damaged): /],
    ['a log segment', ...LOST, /The database in .* (did not start|is damaged): /],
    ['a log segment', ...EMPTIED, /is damaged: pg_wal\/0+1\w+ is not as long as it was/],
    ['a log segment', ...CUT, /is damaged: pg_wal\/0+1\w+ is not as long as it was/],
    ['a table', ...LOST, /The database in .* is damaged: /],
    ['a table', ...EMPTIED, /The database in .* is damaged: /],
  ])('with %s %s is refused with a sentence', async (name, _how, damage, sentence) => {
    const dataDir = await copyOf(how)
    await damage(await pathOf(dataDir, name))
    const said = await startedOn(dataDir)
    expect(said).toMatch(sentence)
    expect(said).not.toMatch(/\n/)
    // The first refusal has changed nothing.
    expect(await startedOn(dataDir)).toBe(said)
  })
})

test.each([
  ['secret-key', ...LOST, /secret-key is missing, and the database was made under the secret/],
  ['secret-key', ...EMPTIED, /secret-key is empty\. Without its secret/],
  ['secret-key', 'cut', (path: string) => truncate(path, 20), /secret-key is damaged: it is too short/],
  ['secret-key', ...FOREIGN, /The secret in .*secret-key is not the one that this database was made under/],
  ['muster.lock', ...FOREIGN, /^The lock file .*muster\.lock is damaged: something else has written to it/],
  ['files', ...LOST, /^The folder .*files is missing, and the database refers to files in it\./],
])('a data folder with %s %s is refused with a sentence', async (name, _how, damage, sentence) => {
  const dataDir = await copyOf('stopped')
  await damage(join(dataDir, name))
  expect(await startedOn(dataDir)).toMatch(sentence)
})

test.each([
  ['muster.lock', ...LOST],
  ['muster.lock', ...EMPTIED],
  ['muster.pid', ...FOREIGN],
  ['database.sizes', ...FOREIGN],
])(
  'a data folder with %s %s starts with everything, because that file holds nothing',
  async (name, _how, damage) => {
    const dataDir = await copyOf('stopped')
    await damage(join(dataDir, name))
    expect(await startedOn(dataDir)).toBeNull()
  },
)

test.each([
  ['missing', lose],
  ['emptied', empty],
  ['cut', cut],
])(
  'a stored file that is %s is named in the log and by /health/ready, and answered with a sentence',
  async (_how, damage) => {
    const dataDir = await copyOf('stopped')
    await damage(blobPathOf(join(dataDir, 'files'), blobId))
    const lines: string[] = []
    const log = pino({ level: 'error' }, { write: (line) => void lines.push(line) })
    const muster = await start(dataDir, {}, log)
    onTestFinished(() => muster.stop())
    const ready = async () => (await fetch(`${muster.url}/health/ready`)).json()
    await expect.poll(ready).toEqual({
      status: 'ready',
      warnings: ['1 stored file is missing or damaged. The log names them; restore them from a backup.'],
    })
    expect(lines.join()).toContain(blobId)
    const blob = await inside(muster, (db) => findBlob(db, blobId))
    const failure: unknown = await muster.services.blobs
      .read(ORGANISATION, blob!)
      .catch((error: unknown) => error)
    expect(storageProblem(failure)?.message).toMatch(/^This file is damaged or missing on the server/)
  },
)

test('a table that was cut in the middle after a clean stop is noticed', async () => {
  const dataDir = await copyOf('stopped')
  await cut(join(dataDir, tableFile))
  expect(await startedOn(dataDir)).toMatch(/is damaged: base\/\d+\/\d+ has \d+ bytes instead of \d+\./)
})

test('an emptied folder in the place of the database is not filled with a new one', async () => {
  const dataDir = await copyOf('stopped')
  await rename(join(dataDir, 'database'), join(dataDir, '..', 'elsewhere'))
  await cp(join(dataDir, '..', 'elsewhere', 'pg_wal', 'summaries'), join(dataDir, 'database'), {
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
  await foreign(secret)
  expect(await startedOn(dataDir)).toMatch(/is not the one that this database was made under/)
  await rename(`${secret}.kept`, secret)
  expect(await startedOn(dataDir)).toBeNull()
  await foreign(secret)
  expect(await startedOn(dataDir)).toMatch(/is not the one that this database was made under/)
})

test('organisations cannot read the check value', async () => {
  const muster = await start(await copyOf('stopped'))
  onTestFinished(() => muster.stop())
  await expect(inside(muster, (db) => db.selectFrom('installation').selectAll().execute())).rejects.toThrow(
    /permission denied/,
  )
})
