import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const ROOM = 4 * 1024 ** 3

function hasRoom(): boolean {
  if (process.availableMemory() < 2 * ROOM || !existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= ROOM
}

/**
 * Gives what the tests of this run write a folder that ends with the run, since processes that are killed leave theirs behind. It
 * is in memory where the machine has room: each commit waits for the disk otherwise, and that is a third of the time of
 * the API tests. A `TMPDIR` that is set stays.
 */
export function keepDataInMemory(): void {
  if (process.env['TMPDIR']) return
  const folder = mkdtempSync(join(hasRoom() ? MEMORY : tmpdir(), 'muster-run-'))
  process.env['TMPDIR'] = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
}
