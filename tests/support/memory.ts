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
 * Gives the run a temporary folder, which is removed at its end, because killed processes leave their files
 * behind. It is in memory if the machine has room: waiting for the disk at each commit is a third of the API
 * tests' time. An existing `TMPDIR` stays.
 */
export function keepDataInMemory(): void {
  if (process.env['TMPDIR']) return
  const folder = mkdtempSync(join(hasRoom() ? MEMORY : tmpdir(), 'muster-run-'))
  process.env['TMPDIR'] = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
}
