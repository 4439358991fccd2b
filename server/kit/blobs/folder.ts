import { mkdir, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { clock, DAY } from '../core/clock.ts'
import { syncFolder } from '../core/sync-folder.ts'
import { isBackupRunning } from '../database/backup-lock.ts'
import { type Database, isUuid } from '../database/db.ts'

/** The path of a blob. Two levels of sub-folders keep each folder small. */
export function blobPathOf(dir: string, id: string): string {
  if (!isUuid(id)) throw new Error('Not an identifier.')
  return join(dir, id.slice(0, 2), id.slice(2, 4), id)
}
/** The folder of unfinished blobs. */
export const unfinishedIn = (dir: string): string => join(dir, 'unfinished')

/** Renames a finished file and syncs the folders, so that the file survives a power cut. */
export async function settle(temporary: string, path: string): Promise<void> {
  const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await rename(temporary, path)
  await syncFolder(dirname(path))
  if (made === undefined) return
  // New folders need their own names synced too.
  await syncFolder(dirname(dirname(path)))
  await syncFolder(dirname(dirname(dirname(path))))
}

async function* entriesOf(folder: string): AsyncGenerator<string> {
  try {
    for await (const entry of await opendir(folder)) yield entry.name
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** Blobs per query. */
const ASKED_AT_ONCE = 500

/**
 * Deletes unreferenced files that are a day old: broken uploads, and blobs whose transaction was rolled back or whose
 * row is deleted. Returns their number.
 */
export async function sweepFolder(dir: string, database: Database): Promise<number> {
  let removed = 0
  const isOld = async (path: string) => {
    const found = await stat(path).catch(() => null)
    return found !== null && found.mtimeMs < clock.now() - DAY
  }
  const removeThose = async (ids: string[]) => {
    for (const id of ids) await rm(blobPathOf(dir, id), { force: true })
    removed += ids.length
  }

  for await (const name of entriesOf(unfinishedIn(dir))) {
    const path = join(unfinishedIn(dir), name)
    if (!(await isOld(path))) continue
    await rm(path, { force: true })
    removed += 1
  }
  let asked: string[] = []
  for await (const outer of entriesOf(dir)) {
    if (!/^[0-9a-f]{2}$/.test(outer)) continue
    for await (const inner of entriesOf(join(dir, outer))) {
      for await (const name of entriesOf(join(dir, outer, inner))) {
        if (!isUuid(name) || !(await isOld(blobPathOf(dir, name)))) continue
        asked.push(name)
        if (asked.length < ASKED_AT_ONCE) continue
        await removeThose(await unknownAmong(database, asked))
        asked = []
      }
    }
  }
  if (asked.length > 0) await removeThose(await unknownAmong(database, asked))
  return removed
}

/** The ids without a record; none while a backup runs, which may still have to copy files whose records are gone. */
export function unknownAmong(database: Database, ids: string[]): Promise<string[]> {
  const system = { kind: 'system', id: null, name: 'files' } as const
  return database.withProvider(system, async (db) => {
    const rows = await db.selectFrom('blobs').select('id').where('id', 'in', ids).execute()
    const known = new Set(rows.map((row) => row.id))
    if (await isBackupRunning(db)) return []
    return ids.filter((id) => !known.has(id))
  })
}
