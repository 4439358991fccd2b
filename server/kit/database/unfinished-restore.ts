import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { CannotStart } from '../core/start-problems.ts'
import { syncFolder } from '../core/sync-folder.ts'

/** The folder in a data folder that a restore works in. While it exists, the restore is not ended. */
export const restoreFolder = (dataDir: string): string => join(dataDir, 'restoring')
/** The restored installation until it takes its place: a data folder of its own. */
export const draftFolder = (dataDir: string): string => join(restoreFolder(dataDir), 'new')
/** Marks a draft that is whole and verified. */
const wholeMark = (dataDir: string): string => join(restoreFolder(dataDir), 'whole')
const replacedFolder = (dataDir: string): string => join(restoreFolder(dataDir), 'replaced')

/** Entries of a data folder that are an installation's, and not this machine's. */
const RESTORED = [
  'database',
  'database.sizes',
  'database.migrations',
  'database-password',
  'files',
  'secret-key',
]

export const isWhole = (dataDir: string): boolean => existsSync(wholeMark(dataDir))

/** Marks the draft as whole: from now on the restore is ended by whoever comes next. */
export async function markWhole(dataDir: string): Promise<void> {
  await syncFolder(draftFolder(dataDir))
  writeFileSync(wholeMark(dataDir), '', { mode: 0o600, flush: true })
  await syncFolder(restoreFolder(dataDir))
}

/**
 * Moves a whole draft to its place, and deletes what it replaces. Repeatable after a crash at any moment. Needs the
 * folder's lock.
 */
export async function putInPlace(dataDir: string): Promise<void> {
  const [draft, replaced] = [draftFolder(dataDir), replacedFolder(dataDir)]
  mkdirSync(replaced, { recursive: true, mode: 0o700 })
  for (const name of RESTORED) {
    const [from, to] = [join(draft, name), join(dataDir, name)]
    // Moved by an earlier attempt, or not a part of this installation.
    if (!existsSync(from)) continue
    if (existsSync(to)) renameSync(to, join(replaced, name))
    renameSync(from, to)
  }
  await syncFolder(dataDir)
  rmSync(draft, { recursive: true, force: true })
  // The mark goes last, because without it the folder counts as a restore that was broken off.
  for (const name of readdirSync(restoreFolder(dataDir)))
    if (name !== 'whole') rmSync(join(restoreFolder(dataDir), name), { recursive: true, force: true })
  rmSync(restoreFolder(dataDir), { recursive: true, force: true })
  await syncFolder(dataDir)
}

/**
 * Ends a restore whose process died after everything was verified.
 * @throws CannotStart when the restore broke off before that
 */
export async function endRestore(dataDir: string): Promise<void> {
  const folder = restoreFolder(dataDir)
  if (!existsSync(folder)) return
  // Nothing but the empty folder was left to remove.
  if (readdirSync(folder).length === 0) return rmdirSync(folder)
  if (isWhole(dataDir)) return putInPlace(dataDir)
  throw new CannotStart(
    `The restore into ${dataDir} was not ended. Run npm run restore again, or npm run move-database if it was a move, or delete the folder ` +
      `${folder} to go on with what was there before it.`,
  )
}
