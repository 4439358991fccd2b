import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

import { CannotStart } from '../core/start-problems.ts'

/** Entries of a data folder that show an installation, besides the database. */
const SIGNS = ['secret-key', 'files']
/** The fixed sizes of PostgreSQL's files, in bytes. */
const CONTROL_SIZE = 8_192
const SEGMENT_SIZE = 16 * 1024 * 1024
const SEGMENT = /^[0-9A-F]{24}$/

export const databaseFolder = (dataDir: string): string => join(dataDir, 'database')
/** A database of Muster's first versions, which used another engine. */
const formerFolder = (dataDir: string): string => join(dataDir, 'postgres')
/** Records the sizes of all database files at the last stop. */
const sizesFile = (dataDir: string): string => join(dataDir, 'database.sizes')
const controlFile = (folder: string): string => join(folder, 'global', 'pg_control')

interface Sizes {
  /** Identifies the stop, because the control file changes with each start. */
  readonly control: string
  readonly sizes: { readonly [path: string]: number }
}

const damaged = (folder: string, what: string): CannotStart =>
  new CannotStart(
    `The database in ${folder} is damaged: ${what}. Restore the data folder from a backup; nothing was changed.`,
  )

/**
 * Detects damage that PostgreSQL does not notice, such as a truncated file: a shorter table looks smaller to it, and a
 * shorter log ends earlier. Returns whether there is a database at all.
 * @throws CannotStart when the database is damaged, or missing from a folder that had one
 */
export function checkDatabaseFolder(dataDir: string): boolean {
  const folder = databaseFolder(dataDir)
  if (!existsSync(folder)) {
    if (existsSync(formerFolder(dataDir)))
      throw new CannotStart(
        `The folder ${formerFolder(dataDir)} holds a database of an earlier version of Muster, which this one cannot read. ` +
          'Nothing was changed. Start that version on it, or set DATA_DIR to an empty folder.',
      )
    const sign = SIGNS.find((name) => existsSync(join(dataDir, name)))
    if (!sign) return false
    throw new CannotStart(
      `The database is missing: ${dataDir} has ${sign}, but not ${folder}. Restore it from a backup. ` +
        'If the database is on a server, set DATABASE_URL; for a new installation, set DATA_DIR to an empty folder.',
    )
  }
  if (sizeOf(join(folder, 'PG_VERSION')) === 0) throw damaged(folder, 'PG_VERSION is missing or empty')
  if (sizeOf(controlFile(folder)) !== CONTROL_SIZE)
    throw damaged(folder, 'global/pg_control is missing or not as long as it was')
  const log = join(folder, 'pg_wal')
  for (const name of existsSync(log) ? readdirSync(log) : [])
    if (SEGMENT.test(name) && sizeOf(join(log, name)) !== SEGMENT_SIZE)
      throw damaged(folder, `pg_wal/${name} is not as long as it was`)
  compareSizes(dataDir)
  return true
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

const controlHash = (folder: string): string =>
  createHash('sha256')
    .update(readFileSync(controlFile(folder)))
    .digest('hex')

function sizesIn(folder: string): Record<string, number> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  return Object.fromEntries(files.map((path) => [relative(folder, path), statSync(path).size]))
}

/** Records the size of every file of a cleanly stopped database. */
export function noteSizes(dataDir: string): void {
  const folder = databaseFolder(dataDir)
  const noted: Sizes = { control: controlHash(folder), sizes: sizesIn(folder) }
  try {
    writeFileSync(sizesFile(dataDir), JSON.stringify(noted), { mode: 0o600 })
  } catch {
    // The disk is full. The next start checks the database as after a crash.
    forgetSizes(dataDir)
  }
}

/** Deletes the sizes before the files change. */
export const forgetSizes = (dataDir: string): void => rmSync(sizesFile(dataDir), { force: true })

function compareSizes(dataDir: string): void {
  const noted = readSizes(dataDir)
  const folder = databaseFolder(dataDir)
  // The database was replaced, or another version of the product ran on it.
  if (noted?.control !== controlHash(folder)) return
  const found = sizesIn(folder)
  for (const [path, size] of Object.entries(noted.sizes)) {
    if (found[path] === size) continue
    const now = found[path] === undefined ? 'is missing' : `has ${found[path]} bytes instead of ${size}`
    throw damaged(folder, `${path} ${now}`)
  }
}

function readSizes(dataDir: string): Sizes | null {
  try {
    return JSON.parse(readFileSync(sizesFile(dataDir), 'utf8')) as Sizes
  } catch {
    // Missing after a crash. A damaged one tells nothing about the database.
    return null
  }
}

/**
 * Tables whose file is shorter than when last measured, or empty while their index is not. The product never shrinks a
 * table. Unlogged ones are emptied by PostgreSQL after a crash.
 */
const CUT_TABLES = `
  select c.relname as name
    from pg_class c
    left join pg_index i on i.indrelid = c.oid and i.indisprimary
   where c.relkind = 'r' and c.relpersistence = 'p' and c.relnamespace = 'public'::regnamespace
     and (pg_relation_size(c.oid) < c.relpages * current_setting('block_size')::bigint
       or (pg_relation_size(c.oid) = 0 and c.reltuples <> 0
           and pg_relation_size(i.indexrelid) > current_setting('block_size')::bigint))
   order by 1`

/** Damage of a running database, such as a truncated table; null for none. */
export async function findDamage(
  query: (text: string) => Promise<readonly { readonly name: string }[]>,
): Promise<string | null> {
  try {
    const cut = await query(CUT_TABLES)
    return cut.length > 0 ? `a part of the table ${cut.map(({ name }) => name).join(', ')} is missing` : null
  } catch (error) {
    return (error as Error).message
  }
}
