import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { CannotStart, unusable } from '../core/start-problems.ts'

export interface Hold {
  release(): Promise<void>
}

/**
 * Creates a missing folder and its missing parents, one at a time. Node's own `recursive` loops forever where the
 * system reports an existing folder as missing (ENOENT), as below /proc.
 */
export function makeFolder(folder: string): void {
  const isThere = () => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
  if (isThere()) return
  const above = dirname(folder)
  if (above !== folder) makeFolder(above)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // A concurrent start created it.
    if (!isThere()) throw error
  }
}

/** Creates a folder that only its owner can enter; leaves one of another user as it is. */
export function makePrivate(folder: string): void {
  makeFolder(folder)
  try {
    chmodSync(folder, 0o700)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}

/** Another process holds the data folder. */
export class FolderInUse extends CannotStart {}

const holderOf = (pidFile: string): string => {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8'))
    return Number.isInteger(pid) && pid > 0 ? ` (process ${pid})` : ''
  } catch {
    return ''
  }
}

/** SQLite's error codes. */
const [BUSY, CORRUPT, NOT_A_DATABASE] = [5, 11, 26]

const damagedLock = (lockFile: string, cause: unknown) =>
  new CannotStart(
    `The lock file ${lockFile} is damaged: something else has written to it. Check that nothing else in the folder was ` +
      'changed. The file itself holds nothing: when no Muster runs on the folder, delete it and start again.',
    { cause },
  )

/**
 * Locks the data folder for this process, until released or until the process ends.
 * @throws CannotStart when another Muster holds the lock, or the folder cannot be locked
 */
export async function holdFolder(dataDir: string): Promise<Hold> {
  const folder = resolve(dataDir)
  // In a separate file: reading and closing the locked file would release the lock (POSIX).
  const pidFile = join(folder, 'muster.pid')
  const lockFile = join(folder, 'muster.lock')
  let lock: DatabaseSync | undefined
  try {
    makePrivate(folder)
    // An open SQLite transaction holds a kernel lock, for which Node has no API.
    lock = new DatabaseSync(lockFile)
    lock.exec('BEGIN EXCLUSIVE')
    writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 })
  } catch (error) {
    lock?.close()
    const { errcode } = error as { errcode?: number }
    if (errcode === NOT_A_DATABASE || errcode === CORRUPT) throw damagedLock(lockFile, error)
    if (errcode !== BUSY) throw unusable(folder, error)
    throw new FolderInUse(
      `Another Muster is already running on the data folder ${folder}${holderOf(pidFile)}. ` +
        'Stop it first, or set DATA_DIR to another folder.',
      { cause: error },
    )
  }
  const held = lock
  let released = false
  return {
    release: async () => {
      if (released) return
      released = true
      rmSync(pidFile, { force: true })
      held.close()
    },
  }
}
