import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import pg from 'pg'

import { CannotStart } from '../core/start-problems.ts'

interface SqlFile {
  /** `0006-users` or `functions/search`. */
  readonly name: string
  readonly text: string
  readonly sha256: string
}

/** True for a migration, which runs once; every other file runs again when its text has changed. */
const isMigration = (name: string): boolean => /^\d{4}-/.test(name)

/** The SQL files of a folder in execution order: `prerequisites.sql`, the migrations by number, `functions/`. */
function filesOf(folder: string): SqlFile[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sql'))
    .map((name) => name.slice(0, -'.sql'.length).replaceAll('\\', '/'))
    .toSorted()
  const migrations = names.filter(isMigration)
  const functions = names.filter((name) => name.startsWith('functions/'))
  return ['prerequisites', ...migrations, ...functions].map((name) => {
    const text = readFileSync(join(folder, `${name}.sql`), 'utf8')
    return { name, text, sha256: createHash('sha256').update(text).digest('hex') }
  })
}

const tableExists = async (client: pg.Client, table: string): Promise<boolean> =>
  (await client.query('select to_regclass($1) is not null as found', [table])).rows[0].found

/** Hashes of applied files by name. */
async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  if (!(await tableExists(client, 'schema_files'))) return new Map()
  const { rows } = await client.query<SqlFile>('select name, sha256 from schema_files')
  return new Map(rows.map(({ name, sha256 }) => [name, sha256]))
}

const isApplied = ({ name, sha256 }: SqlFile, applied: ReadonlyMap<string, string>): boolean =>
  isMigration(name) ? applied.has(name) : applied.get(name) === sha256

const note = (client: pg.Client, { name, sha256 }: SqlFile): Promise<unknown> =>
  client.query(
    'insert into schema_files values ($1, $2) on conflict (name) do update set sha256 = excluded.sha256',
    [name, sha256],
  )

/** The last migration of version 1.14.10, and the last of the migrations that replaced its migrations. */
const FOLDED = { last: '0080-notifications-after-commit', into: '0021-row-counts' }

/**
 * Adopts a database of version 1.14.10, whose migrations created what today's first ones create (decision 081).
 * @throws CannotStart where an older version created it
 */
async function takeOver(client: pg.Client, folder: string, files: readonly SqlFile[]): Promise<void> {
  if (!(await tableExists(client, 'kysely_migration'))) return
  const { rows } = await client.query('select from kysely_migration where name = $1', [FOLDED.last])
  if (rows.length === 0)
    throw new CannotStart(
      'The database is of a version of Muster before 1.14.10. Start version 1.14.10 with it once, then this one.',
    )
  await client.query(readFileSync(join(folder, 'from-1.14.sql'), 'utf8'))
  for (const file of files) if (isMigration(file.name) && file.name <= FOLDED.into) await note(client, file)
}

async function run(client: pg.Client, file: SqlFile): Promise<void> {
  try {
    await client.query(file.text)
  } catch (error) {
    throw new Error(`${file.name}.sql: ${(error as Error).message}`, { cause: error })
  }
  await note(client, file)
}

/** Runs the pending files in one transaction. Concurrent processes wait for the first, which does the work. */
async function bringUp(client: pg.Client, folder: string, files: readonly SqlFile[]): Promise<void> {
  await client.query(`begin; select pg_advisory_xact_lock(hashtext('muster schema'))`)
  await client.query('create table if not exists schema_files (name text primary key, sha256 text not null)')
  await takeOver(client, folder, files)
  const applied = await readApplied(client)
  for (const file of files) if (!isApplied(file, applied)) await run(client, file)
  await client.query('commit')
}

/** Names of the migrations that a database has had; null for one without a schema of this product. */
export async function appliedMigrations(client: pg.Client): Promise<string[] | null> {
  if (!(await tableExists(client, 'schema_files'))) return null
  return [...(await readApplied(client)).keys()].filter(isMigration).toSorted()
}

/** Names of this version's migrations, in their order. */
export const listMigrations = (folder: string): string[] =>
  filesOf(folder)
    .map(({ name }) => name)
    .filter(isMigration)

/** The migrations among `names` that this version does not know. */
export const unknownMigrations = (folder: string, names: readonly string[]): string[] => {
  const known = new Set(filesOf(folder).map(({ name }) => name))
  return names.filter((name) => !known.has(name))
}

/**
 * Builds the schema that the named migrations make, in the caller's transaction on an empty database. Functions and
 * their triggers follow with the next `migrate`, as do later migrations.
 */
export async function buildSchema(
  client: pg.Client,
  folder: string,
  names: readonly string[],
): Promise<void> {
  await client.query('create table schema_files (name text primary key, sha256 text not null)')
  for (const file of filesOf(folder))
    if (isMigration(file.name) ? names.includes(file.name) : file.name === 'prerequisites')
      await run(client, file)
}

/** Runs `work` with the files of a folder and the hashes of those that are applied. */
async function comparing<T>(
  config: pg.ClientConfig,
  folder: string,
  work: (client: pg.Client, files: readonly SqlFile[], applied: ReadonlyMap<string, string>) => Promise<T>,
): Promise<T> {
  const files = filesOf(folder)
  const client = new pg.Client(config)
  // The statement that loses its connection throws as well.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client, files, await readApplied(client))
  } finally {
    await client.end()
  }
}

/**
 * Leaves the schema as it is, for a command beside a running product.
 * @throws CannotStart where the schema is of another version
 */
export const demandMigrated = (config: pg.ClientConfig, folder: string): Promise<void> =>
  comparing(config, folder, async (_, files, applied) => {
    const names = new Set(files.map(({ name }) => name))
    const isSame =
      files.every((file) => isApplied(file, applied)) &&
      [...applied.keys()].every((name) => !isMigration(name) || names.has(name))
    if (!isSame)
      throw new CannotStart(
        'The database is of another version of Muster than this command. Use the command of the version that runs on it.',
      )
  })

/**
 * Migrates the database to the newest schema; migrations only go forward.
 * @throws CannotStart where another version created the database; an error that names the file that failed
 */
export async function migrate(config: pg.ClientConfig, folder: string): Promise<void> {
  await comparing(config, folder, async (client, files, applied) => {
    const unknown = [...applied.keys()].find(
      (name) => isMigration(name) && !files.some((file) => file.name === name),
    )
    if (unknown !== undefined)
      throw new CannotStart(
        `The database is of a newer version of Muster, which has the migration ${unknown}. Start that version with it.`,
      )
    if (!files.every((file) => isApplied(file, applied))) await bringUp(client, folder, files)
  })
}
