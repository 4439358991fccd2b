import { constants, existsSync } from 'node:fs'
import { cp, open, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { CannotStart } from '../core/start-problems.ts'
import { syncFolder } from '../core/sync-folder.ts'
import { databaseFolder } from './database-folder.ts'
import { endSurvivor } from './local.ts'
import { listMigrations } from './migrate.ts'

/** Number of copies that are kept. */
const KEPT = 2
/** Free space that a copy leaves, below which calls that write are refused. */
const RESERVE = 256 * 1024 * 1024
const COPY = /^database\.before-\d{14}$/
/** Files that belong to a running server. */
const OF_THE_SERVER: ReadonlySet<string> = new Set(['postmaster.pid', 'postmaster.opts'])

const notesFile = (dataDir: string): string => join(dataDir, 'database.migrations')

/** Names of migrations that a database has not had, and the copy of it that was kept. */
export interface Update {
  readonly pending: readonly string[]
  readonly copy: string
}

/** Notes which migrations an embedded database has had, so that the next start knows before the database runs. */
export const noteMigrations = (dataDir: string, names: readonly string[]): Promise<void> =>
  writeFile(notesFile(dataDir), `${names.join('\n')}\n`, { mode: 0o600 })

/**
 * Keeps a copy of an embedded database that is about to be migrated, in a folder that is held. Returns null where
 * nothing is pending.
 * @throws CannotStart where there is no room for the copy
 */
export async function copyBeforeUpdate(dataDir: string, folder: string): Promise<Update | null> {
  const database = databaseFolder(dataDir)
  if (!existsSync(database)) return null
  const notes = await readFile(notesFile(dataDir), 'utf8').catch(() => null)
  const noted = new Set(notes?.split('\n'))
  const pending = listMigrations(folder).filter((name) => !noted.has(name))
  // A database without notes is of a version that made none. It may have had all of them.
  if (notes !== null && pending.length === 0) return null
  await endSurvivor(database)
  await demandRoom(dataDir, database)
  const copy = join(dataDir, `database.before-${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}`)
  const draft = `${copy}.new`
  await rm(draft, { recursive: true, force: true })
  await cp(database, draft, {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    filter: (source) => !OF_THE_SERVER.has(basename(source)),
  })
  await syncAll(draft)
  await rename(draft, copy)
  await syncFolder(dataDir)
  await removeOld(dataDir)
  return { pending: notes === null ? [] : pending, copy }
}

async function demandRoom(dataDir: string, database: string): Promise<void> {
  let bytes = 0
  for (const { parentPath, name } of await filesIn(database))
    bytes += (await stat(join(parentPath, name))).size
  const { bavail, bsize } = await statfs(dataDir)
  const missing = bytes + RESERVE - bavail * bsize
  if (missing > 0)
    throw new CannotStart(
      `The database has to be updated, and there is no room for a copy of it as it is: free ${Math.ceil(missing / 1e6).toLocaleString('en')} MB ` +
        `on the disk of ${dataDir}, or start the version that ran on it. Nothing was changed.`,
    )
}

const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())

async function syncAll(folder: string): Promise<void> {
  for (const { parentPath, name } of await filesIn(folder)) {
    const file = await open(join(parentPath, name), 'r+')
    await file.sync().finally(() => file.close())
  }
}

async function removeOld(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => COPY.test(name)).toSorted()
  for (const name of names.slice(0, -KEPT)) await rm(join(dataDir, name), { recursive: true, force: true })
}
