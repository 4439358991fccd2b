import { existsSync, statfsSync } from 'node:fs'

const MEMORY = '/dev/shm'
const ROOM = 4 * 1024 ** 3

/**
 * Has tests keep what they write in memory, where the machine has room: each commit waits for the disk otherwise, and that is
 * a third of the time of the API tests. A `TMPDIR` that is set stays.
 */
export function keepDataInMemory(): void {
  if (process.env['TMPDIR'] || process.availableMemory() < 2 * ROOM || !existsSync(MEMORY)) return
  const { bavail, bsize } = statfsSync(MEMORY)
  if (bavail * bsize >= ROOM) process.env['TMPDIR'] = MEMORY
}
